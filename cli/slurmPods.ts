/** The pods of a Slurm cluster by role, named as the operator labels them (contract, section 3.1). */

import { createSlurmCommands } from "../cluster/slurmCommands.ts";
import type { RunInController, SlurmCommands } from "../cluster/slurmCommands.ts";
import {
  COMPONENT_LABEL,
  DAEMON_CONTAINERS,
  NODE_NAME_LABEL,
} from "../cluster/slurmPodContract.ts";
import type { Kube, PodView } from "./kube.ts";

/** The component of a pod; empty for a pod that is not Slurm's. */
export function componentOf(pod: PodView): string {
  const component = pod.labels[COMPONENT_LABEL] ?? "";
  return DAEMON_CONTAINERS[component] === undefined ? "" : component;
}

/** Slurm node name of a worker pod; undefined for any other pod. */
export function nodeNameOf(pod: PodView): string | undefined {
  return componentOf(pod) === "worker" ? pod.labels[NODE_NAME_LABEL] : undefined;
}

/** Whether a worker pod belongs to a NodeSet of a release. */
export function isOfNodeSet(pod: PodView, release: string, nodeSet: string): boolean {
  return pod.labels["app.kubernetes.io/instance"] === `${release}-worker-${nodeSet}`;
}

/** Slurm's commands in the controller pod. */
export function slurmInController(kube: Kube, namespace: string): SlurmCommands {
  return createSlurmCommands(runInController(kube, namespace));
}

/** Runs commands in the controller pod; it is looked up for each command, since it may be replaced. */
export function runInController(kube: Kube, namespace: string): RunInController {
  return async (command, seconds) => {
    const pods = await kube.pods(namespace);
    const pod = pods.find((each) => componentOf(each) === "controller" && each.ready);
    if (pod === undefined) {
      throw new Error(
        `no controller pod in namespace ${namespace} is ready; see: npm run status, ` +
          `and: kubectl -n ${namespace} describe pod -l ${COMPONENT_LABEL}=controller`,
      );
    }
    const container = "slurmctld";
    return kube.exec({ namespace, pod: pod.name, container }, command, seconds);
  };
}

/**
 * Reads a file from the pod of a Slurm node.
 * @throws Error when the node has no pod or the file cannot be read
 */
export async function readNodeFile(
  kube: Kube,
  namespace: string,
  node: string,
  path: string,
): Promise<string> {
  const pod = (await kube.pods(namespace)).find((each) => nodeNameOf(each) === node);
  if (pod === undefined) throw new Error(`the Slurm node ${node} has no pod in ${namespace}`);
  const target = { namespace, pod: pod.name, container: "slurmd" };
  const result = await kube.exec(target, ["cat", path], 20);
  if (result.exitCode === 0) return result.stdout;
  throw new Error(`${path} on ${node} cannot be read: ${result.stderr.trim()}`);
}
