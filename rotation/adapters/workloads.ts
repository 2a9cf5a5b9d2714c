import type { AppsV1Api, CoreV1Api } from "@kubernetes/client-node";
import { COMPONENT_LABEL } from "../../cluster/slurmPodContract.ts";
import type { Workload, Workloads } from "../ports.ts";
import { callApiSteadily, unlessAbsent } from "./connect.ts";
import { componentOf, toKeyPod, toOperatorPod } from "./keyPods.ts";
import { mergePatch } from "./mergePatch.ts";

/** Name of the operator's Deployment, and the label of its pods (chart slurm-operator). */
const operatorName = "slurm-operator";
const operatorSelector = `app.kubernetes.io/name=${operatorName}`;

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
}

/** Annotation of a pod template that carries the operator's hash of the auth key's Secret. */
const KEY_HASH_ANNOTATION = "slinky.slurm.net/slurm-key-hash";

/** {@link Workloads} on the Kubernetes API. */
export function workloadsPort(
  { core, apps }: WorkloadsApis,
  { namespace, operatorNamespace, secretName }: WorkloadsPlace,
): Workloads {
  return {
    async pods() {
      const [slurm, operator] = await Promise.all([
        callApiSteadily(`list pods of ${namespace}`, () => core.listNamespacedPod({ namespace })),
        callApiSteadily(`list pods of ${operatorNamespace}`, () =>
          core.listNamespacedPod({
            namespace: operatorNamespace,
            labelSelector: operatorSelector,
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

    async scale(workload, replicas, keyHash) {
      const [within = "", kind, name = ""] = workload.split("/");
      const merge = await mergePatch();
      const template = { metadata: { annotations: { [KEY_HASH_ANNOTATION]: keyHash } } };
      const place = { namespace: within, name };
      const size = { ...place, body: { spec: { replicas } } };
      const sizeAndHash = { ...place, body: { spec: { replicas, template } } };
      await callApiSteadily(`scale ${workload} to ${replicas}`, () => {
        if (kind === "deployment") return apps.patchNamespacedDeploymentScale(size, merge);
        if (keyHash === undefined) return apps.patchNamespacedStatefulSetScale(size, merge);
        return apps.patchNamespacedStatefulSet(sizeAndHash, merge);
      });
    },

    async deletePods(component) {
      const where =
        component === "operator"
          ? { namespace: operatorNamespace, labelSelector: operatorSelector }
          : { namespace, labelSelector: `${COMPONENT_LABEL}=${component}` };
      await callApiSteadily(`delete ${component} pods of ${where.namespace}`, () =>
        core.deleteCollectionNamespacedPod(where),
      );
    },
  };
}

interface Scalable {
  readonly metadata?: { name?: string; namespace?: string; labels?: Record<string, string> };
  readonly spec?: {
    replicas?: number;
    template?: { metadata?: { annotations?: Record<string, string> } };
  };
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
      keyHash: spec?.template?.metadata?.annotations?.[KEY_HASH_ANNOTATION],
    },
  ];
}
