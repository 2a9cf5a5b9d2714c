import type { V1PodDisruptionBudget } from "@kubernetes/client-node";
import type { NodeSet } from "../crds.ts";
import { namespaceOf, ownerReference, type KubeObject } from "../kube/object.ts";
import { CLUSTER_LABEL, workerLabels } from "../labels.ts";
import { names } from "../names.ts";

export type BudgetObject = KubeObject & { spec: NonNullable<V1PodDisruptionBudget["spec"]> };

/** No pod whose Slurm node works on a job may be evicted; the budget is shared by the cluster's NodeSets. */
export function toWorkersBudget(nodeSet: NodeSet): BudgetObject {
  const controller = nodeSet.spec.controllerRef.name;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: {
      name: names.workersBudget(controller),
      namespace: namespaceOf(nodeSet),
      ownerReferences: [ownerReference(nodeSet, false)],
    },
    spec: {
      maxUnavailable: 0,
      selector: {
        matchLabels: { [workerLabels.podProtect]: "true", [CLUSTER_LABEL]: controller },
      },
    },
  };
}
