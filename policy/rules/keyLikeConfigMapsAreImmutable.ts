import { isKeyEntry, looksLikeKey } from "../reading/keyMaterial.ts";
import { at, entriesOf, fieldPath, type Path, UNKNOWN } from "../reading/known.ts";
import { objectsOfKind } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** A ConfigMap that holds what may be a key is a Secret in all but kind, and gets a Secret's rule. */
export const keyLikeConfigMapsAreImmutable: ResourceRule = (level) =>
  resourceRule(
    {
      name: "key-like-config-maps-are-immutable",
      description: "A ConfigMap that holds key-like data is immutable.",
      level,
    },
    (resource, report) => {
      for (const { object, path } of objectsOfKind(resource, "core", "ConfigMap")) {
        const immutable = at(object, "immutable");
        if (immutable === true || immutable === UNKNOWN) continue;
        for (const entry of keyLikeEntries(object)) {
          report({
            field: fieldPath([...path, ...entry]),
            what: "looks like a key, and its ConfigMap is not immutable",
            why: "a key that is changed in place reaches some pods and not others, and everybody who may list ConfigMaps reads it",
            fix: "keep the key in an immutable Secret; if it is no key, set immutable: true on the ConfigMap",
          });
        }
      }
    },
  );

function keyLikeEntries(object: unknown): Path[] {
  return ["data", "binaryData"].flatMap((field) =>
    entriesOf(at(object, field))
      .filter(
        ([name, value]) => isKeyEntry(name) || (typeof value === "string" && looksLikeKey(value)),
      )
      .map(([name]) => [field, name]),
  );
}
