import { at, entriesOf, fieldPath, UNKNOWN } from "../reading/known.ts";
import { objectsOfKind } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Kubernetes Secrets are immutable: a key changes by a rotation, never by an edit. */
export const secretsAreImmutable: ResourceRule = (level) =>
  resourceRule(
    {
      name: "secrets-are-immutable",
      description: "Every Kubernetes Secret is immutable, in Patches and Lists too.",
      level,
    },
    (resource, report) => {
      for (const { object, path } of objectsOfKind(resource, "core", "Secret")) {
        const immutable = at(object, "immutable");
        if (immutable === true || immutable === UNKNOWN || mayBeFilledByCluster(object)) continue;
        report({
          field: fieldPath([...path, "immutable"]),
          what: "is not true",
          why: "this Secret can be changed in place, unseen by the pods that hold its old bytes",
          fix: "set immutable: true; to change the Secret, create one with another name",
        });
      }
    },
  );

/**
 * A token of a service account: the cluster writes its data after the creation, and could not if it were immutable.
 * What is not known yet may make it one.
 */
function mayBeFilledByCluster(object: unknown): boolean {
  const type = at(object, "type");
  return (
    (type === "kubernetes.io/service-account-token" || type === UNKNOWN) &&
    ["data", "stringData"].every((field) => entriesOf(at(object, field)).length === 0)
  );
}
