import { classifyNodeState } from "../../cluster/nodeState.ts";
import type { SlurmNode } from "../../cluster/slurmJson.ts";
import type { KeyPod, Workload } from "../../rotation/ports.ts";
import type { FakeSlurmCluster } from "./fakeSlurmCluster.ts";
import type { FakeNode, FakePod } from "./fakeSlurmObjects.ts";

/** A pod as the rotation sees it. */
export function podView(cluster: FakeSlurmCluster, pod: FakePod): KeyPod {
  const { name, uid, component, set, slurmNode, kubernetesNode } = pod;
  const isReady = cluster.isReady(pod);
  const problem = cluster.broken.has(component) && pod.key ? "CrashLoopBackOff" : "";
  return {
    ...{ name, uid, component, set, slurmNode, kubernetesNode, isReady, problem },
    namespace: component === "operator" ? "slinky" : "slurm",
    isTerminating: pod.goneAt !== undefined,
    usesKey: component !== "operator",
    usesRing: false,
  };
}

/** The workloads as the rotation sees them. */
export function workloadsOf(cluster: FakeSlurmCluster): Workload[] {
  return [...cluster.sizes].map(([component, replicas]) => {
    const ready = cluster.pods.filter(
      (pod) => pod.component === component && cluster.isReady(pod) && pod.goneAt === undefined,
    );
    const namespace = component === "operator" ? "slinky" : "slurm";
    const id = `${namespace}/deployment/slurm-${component}`;
    return {
      id,
      component: component as Workload["component"],
      replicas,
      readyReplicas: ready.length,
      keyHash: cluster.hashes.get(component),
    };
  });
}

/** A node as Slurm's JSON tells it. */
export function nodeView(cluster: FakeSlurmCluster, node: FakeNode): SlurmNode {
  const { name, reason, startedAt } = node;
  const isBusy = cluster.jobs.some(({ on }) => on.includes(name));
  const tokens = [
    node.down ? "DOWN" : isBusy ? "ALLOCATED" : "IDLE",
    ...(node.drain ? ["DRAIN"] : []),
    ...(node.silent ? ["NOT_RESPONDING"] : []),
  ];
  return {
    ...{ name, reason, stateText: tokens.join("+"), state: classifyNodeState(tokens) },
    partitions: [name.replace(/-\d+$/, "")],
    allocatedCpus: isBusy ? 1 : 0,
    version: "26.05.5",
    slurmdStartSeconds: startedAt / 1000,
  };
}
