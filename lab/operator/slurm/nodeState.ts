import { REASON_PREFIX } from "../names.ts";

/** A node as slurmrestd v0.0.44 describes it; the base state and its flags stand in one list. */
export interface SlurmNode {
  name: string;
  state: string[];
  reason: string;
  comment: string;
}

/** A change of a Slurm node; fields left out stay. */
export interface SlurmNodeChange {
  state?: "DRAIN" | "UNDRAIN" | "IDLE";
  reason?: string;
  comment?: string;
}

/** Which pod a Slurm node runs in; kept as JSON in the node's comment (contract §4.2). */
export interface PodInfo {
  namespace: string;
  podName: string;
  /** Kubernetes node. */
  node: string;
  nodeSet: string;
  uid: string;
}

const busyStates = ["ALLOCATED", "MIXED", "COMPLETING"];

function has(node: SlurmNode, state: string): boolean {
  return node.state.includes(state);
}

/** Whether the node works on a job or cleans up after one. */
export function isBusy(node: SlurmNode): boolean {
  return busyStates.some((state) => has(node, state));
}

/** DRAIN, not being undrained, and no job left (contract §4.2). */
export function isDrained(node: SlurmNode): boolean {
  return isDraining(node) && !isBusy(node);
}

/** DRAIN is set and not about to be lifted. */
export function isDraining(node: SlurmNode): boolean {
  return has(node, "DRAIN") && !has(node, "UNDRAIN");
}

/** Whether the operator wrote the node's reason; a node with another reason is not its to undrain (contract §4.4). */
export function isReasonOurs(node: SlurmNode): boolean {
  return node.reason.startsWith(REASON_PREFIX);
}

/** The pod recorded in the node's comment; undefined when the comment is none of the operator's. */
export function storedPodInfo(node: SlurmNode): Partial<PodInfo> | undefined {
  try {
    const info: unknown = JSON.parse(node.comment);
    return typeof info === "object" && info !== null ? info : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the node runs in the recorded pod. The uid is not compared: a pod replaced under its name on the same
 * Kubernetes node counts as the same, which is why its node is not set IDLE (contract §4.2).
 */
export function isSamePod(stored: Partial<PodInfo> | undefined, pod: PodInfo): boolean {
  return (
    stored?.namespace === pod.namespace &&
    stored.podName === pod.podName &&
    stored.node === pod.node &&
    stored.nodeSet === pod.nodeSet
  );
}

/** Counters of a NodeSet's status; zero counters are left out. */
export function countStates(nodes: SlurmNode[]): Record<string, number> {
  const counters: Record<string, (node: SlurmNode) => boolean> = {
    slurmIdle: (node) => has(node, "IDLE"),
    slurmAllocated: (node) => has(node, "ALLOCATED") || has(node, "MIXED"),
    slurmDown: (node) => has(node, "DOWN"),
    slurmDrain: (node) => has(node, "DRAIN"),
  };
  const counts = Object.entries(counters).map(
    ([name, counts]) => [name, nodes.filter(counts).length] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
