/** Waiting until the nodes of every NodeSet can take jobs. */

import type { Clock } from "../cluster/clock.ts";
import type { SlurmNode } from "../cluster/slurmJson.ts";
import type { PodView } from "./kube.ts";
import { isOfNodeSet, nodeNameOf } from "./slurmPods.ts";
import type { NodeSetOutput } from "./stackOutputs.ts";

/** What is seen at one moment. */
export interface NodesObserved {
  readonly pods: readonly PodView[];
  readonly nodes: readonly SlurmNode[];
}

/** What the wait needs. */
export interface NodesWait {
  readonly release: string;
  readonly nodeSets: Readonly<Record<string, NodeSetOutput>>;
  readonly deadlineSeconds: number;
  readonly clock: Clock;
  /** One look; may fail while the cluster comes up. */
  observe(): Promise<NodesObserved>;
}

/** Milliseconds between two looks. */
const INTERVAL = 2_000;

/**
 * What still keeps a node of a NodeSet from taking jobs, one phrase each; empty when all are ready or busy. Expected
 * are the nodes of existing worker pods: Slurm keeps the records of nodes that were scaled away.
 */
export function unreadyNodes(
  release: string,
  nodeSets: Readonly<Record<string, NodeSetOutput>>,
  { pods, nodes }: NodesObserved,
): string[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  return Object.entries(nodeSets).flatMap(([nodeSet, { replicas, replicasOwnedBy }]) => {
    const names = pods
      .filter((pod) => isOfNodeSet(pod, release, nodeSet) && pod.phase !== "Terminating")
      .map((pod) => nodeNameOf(pod) ?? pod.name);
    const unready = names.flatMap((name) => {
      const node = byName.get(name);
      if (node === undefined) return [`${name} is not registered`];
      if (node.state.class === "ready" || node.state.class === "busy") return [];
      const reason = node.reason === "" ? "" : `, reason "${node.reason}"`;
      return [`${name} is ${node.stateText}${reason}`];
    });
    if (names.length === replicas || replicasOwnedBy === "autoscaler") return unready;
    return [...unready, `NodeSet ${nodeSet} has ${names.length} of ${replicas} pods`];
  });
}

/**
 * Waits until every node of every NodeSet is ready or busy.
 * @throws Error at the deadline, with what is missing
 */
export async function waitForNodes(wait: NodesWait): Promise<void> {
  const deadline = wait.clock.now() + wait.deadlineSeconds * 1000;
  for (;;) {
    let missing: string[];
    try {
      missing = unreadyNodes(wait.release, wait.nodeSets, await wait.observe());
    } catch (error) {
      missing = [error instanceof Error ? error.message : String(error)];
    }
    if (missing.length === 0) return;
    if (wait.clock.now() + INTERVAL > deadline) {
      throw new Error(
        `the Slurm nodes are not all usable after ${wait.deadlineSeconds} s: ${missing.join("; ")}. ` +
          "See: npm run status; a node that someone drained is resumed with: " +
          "scontrol update nodename=<node> state=resume",
      );
    }
    await wait.clock.sleep(INTERVAL);
  }
}
