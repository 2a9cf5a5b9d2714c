import type { AppsV1Api, CoreV1Api, CustomObjectsApi } from "@kubernetes/client-node";
import type { Workload, Workloads } from "../ports.ts";
import { NUDGE_ANNOTATION } from "../wireNames.ts";
import { callApiSteadily, unlessAbsent } from "./connect.ts";
import { componentOf, toKeyPod, toOperatorPod } from "./keyPods.ts";

/** Name of the operator's Deployment, and the label of its pods (chart slurm-operator). */
const operatorName = "slurm-operator";

/** Where the workloads are. */
export interface WorkloadsPlace {
  readonly namespace: string;
  readonly operatorNamespace: string;
  readonly secretName: string;
}

/** APIs that {@link workloadsPort} speaks. */
export interface WorkloadsApis {
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly custom: CustomObjectsApi;
}

const nodeSets = { group: "slinky.slurm.net", version: "v1beta1", plural: "nodesets" };

/** {@link Workloads} on the Kubernetes API. */
export function workloadsPort(
  { core, apps, custom }: WorkloadsApis,
  { namespace, operatorNamespace, secretName }: WorkloadsPlace,
): Workloads {
  return {
    async pods() {
      const [slurm, operator] = await Promise.all([
        callApiSteadily(`list pods of ${namespace}`, () => core.listNamespacedPod({ namespace })),
        callApiSteadily(`list pods of ${operatorNamespace}`, () =>
          core.listNamespacedPod({
            namespace: operatorNamespace,
            labelSelector: `app.kubernetes.io/name=${operatorName}`,
          }),
        ),
      ]);
      const own = slurm.items.map((pod) => toKeyPod(pod, secretName));
      return [...own.filter((pod) => pod !== undefined), ...operator.items.map(toOperatorPod)];
    },

    async workloads() {
      const [deployments, statefulSets, operator] = await Promise.all([
        callApiSteadily(`list Deployments of ${namespace}`, () =>
          apps.listNamespacedDeployment({ namespace }),
        ),
        callApiSteadily(`list StatefulSets of ${namespace}`, () =>
          apps.listNamespacedStatefulSet({ namespace }),
        ),
        unlessAbsent(
          callApiSteadily(`read Deployment ${operatorNamespace}/${operatorName}`, () =>
            apps.readNamespacedDeployment({ namespace: operatorNamespace, name: operatorName }),
          ),
        ),
      ]);
      return [
        ...deployments.items.flatMap((each) => toWorkload(each, "deployment")),
        ...statefulSets.items.flatMap((each) => toWorkload(each, "statefulset")),
        ...(operator ? toWorkload(operator, "deployment", "operator") : []),
      ];
    },

    async scale(workload, replicas) {
      const [within = "", kind, name = ""] = workload.split("/");
      const request = { namespace: within, name, body: { spec: { replicas } } };
      const merge = await mergePatch();
      await callApiSteadily(`scale ${workload} to ${replicas}`, () =>
        kind === "deployment"
          ? apps.patchNamespacedDeploymentScale(request, merge)
          : apps.patchNamespacedStatefulSetScale(request, merge),
      );
    },

    async deletePod(pod) {
      const { name, uid } = pod;
      const body = { preconditions: { uid } };
      await unlessAbsent(
        callApiSteadily(`delete pod ${pod.namespace}/${name}`, () =>
          core.deleteNamespacedPod({ namespace: pod.namespace, name, body }),
        ),
      );
    },

    async nudgeNodeSets(value) {
      const list = (await callApiSteadily(`list NodeSets of ${namespace}`, () =>
        custom.listNamespacedCustomObject({ ...nodeSets, namespace }),
      )) as { items?: { metadata?: { name?: string } }[] };
      const merge = await mergePatch();
      const body = { metadata: { annotations: { [NUDGE_ANNOTATION]: value } } };
      for (const { metadata } of list.items ?? []) {
        const name = metadata?.name ?? "";
        await callApiSteadily(`annotate NodeSet ${namespace}/${name}`, () =>
          custom.patchNamespacedCustomObject({ ...nodeSets, namespace, name, body }, merge),
        );
      }
    },
  };
}

/** Options that make a patch a JSON merge patch; client-node takes it for a JSON patch otherwise. */
async function mergePatch() {
  const { PatchStrategy, setHeaderOptions } = await import("@kubernetes/client-node");
  return setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
}

interface Scalable {
  readonly metadata?: { name?: string; namespace?: string; labels?: Record<string, string> };
  readonly spec?: { replicas?: number };
  readonly status?: { readyReplicas?: number };
}

function toWorkload(
  { metadata, spec, status }: Scalable,
  kind: "deployment" | "statefulset",
  known?: "operator",
): Workload[] {
  const component = known ?? componentOf(metadata?.labels ?? {});
  if (component === "unknown" || component === "worker") return [];
  return [
    {
      id: `${metadata?.namespace}/${kind}/${metadata?.name}`,
      component,
      replicas: spec?.replicas ?? 1,
      readyReplicas: status?.readyReplicas ?? 0,
    },
  ];
}
