import { installs } from "../reading/charts.ts";
import { at, entriesOf, fieldPath, isAbsent, itemsOf, UNKNOWN } from "../reading/known.ts";
import { objectsOfKind } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** What a webhook's own pods need to come back, by group: whoever stops these stops the webhook for good. */
const vital: Readonly<Record<string, readonly string[]>> = {
  "": [
    ...["pods", "nodes", "namespaces", "secrets", "configmaps", "serviceaccounts", "services"],
    ...["endpoints", "persistentvolumeclaims"],
  ],
  apps: ["deployments", "replicasets", "statefulsets", "daemonsets"],
  "coordination.k8s.io": ["leases"],
  "discovery.k8s.io": ["endpointslices"],
};

/** A webhook that is down, fails closed and is asked about pods keeps its own pods from starting. */
export const webhooksCannotLock: ResourceRule = (level) =>
  resourceRule(
    {
      name: "webhooks-cannot-lock",
      description: "No webhook that fails closed is asked about what it needs to start itself.",
      level,
    },
    (resource, report) => {
      const because = {
        why: "while its pods are down nothing it is asked about can change, its own pods included: the cluster locks itself, for instance when a node restarts",
        fix: "set failurePolicy: Ignore, or leave out kube-system and its own namespace with a namespaceSelector",
      };
      const kinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];
      for (const found of objectsOfKind(resource, "admissionregistration.k8s.io", ...kinds)) {
        itemsOf(at(found.object, "webhooks")).forEach((webhook, index) => {
          if (!canLock(webhook)) return;
          report({
            field: fieldPath([...found.path, "webhooks", index, "failurePolicy"]),
            what: "is Fail, if only by default, for resources that the webhook itself needs",
            ...because,
          });
        });
      }
      // The operator's mutating webhook is asked about pods/binding (slurm-operator#189).
      const path = ["values", "webhook", "mutating", "failurePolicy"];
      if (installs("slurm-operator", resource) && isFail(at(resource.props, ...path))) {
        report({ field: fieldPath(path), what: "is Fail for the binding of pods", ...because });
      }
    },
  );

function canLock(webhook: unknown): boolean {
  const policy = at(webhook, "failurePolicy");
  if (policy !== undefined && !isFail(policy)) return false;
  return !isNarrowed(webhook) && itemsOf(at(webhook, "rules")).some(isVital);
}

function isFail(policy: unknown): boolean {
  return typeof policy === "string" && policy.toLowerCase() === "fail";
}

/** Whether it is asked about some namespaces or objects only; what a preview does not know may narrow it. */
function isNarrowed(webhook: unknown): boolean {
  return ["namespaceSelector", "objectSelector", "matchConditions"].some((field) => {
    const narrowing = at(webhook, field);
    if (narrowing === UNKNOWN) return true;
    const parts = Array.isArray(narrowing) ? itemsOf(narrowing) : entriesOf(narrowing);
    return parts.some((part) => !isAbsent(part) && !isEmptySelector(part));
  });
}

/** `matchLabels: {}` and `matchExpressions: []` select everything. */
function isEmptySelector(part: unknown): boolean {
  if (!Array.isArray(part) || part.length !== 2) return false;
  const [, value] = part as [unknown, unknown];
  return value !== UNKNOWN && entriesOf(value).length === 0 && itemsOf(value).length === 0;
}

function isVital(rule: unknown): boolean {
  const groups = itemsOf(at(rule, "apiGroups"));
  const resources = itemsOf(at(rule, "resources")).map((one) => String(one).split("/")[0]);
  return Object.entries(vital).some(
    ([group, names]) =>
      (groups.includes(group) || groups.includes("*")) &&
      resources.some((one) => one === "*" || names.includes(one ?? "")),
  );
}
