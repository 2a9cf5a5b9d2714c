import type { SlurmNode } from "../cluster/slurmJson.ts";
import { DRAIN_REASON_PREFIX } from "./wireNames.ts";

/** Reason that our drain gives a node; it names the generation that the key will have. */
export const drainReason = (generation: number): string => `${DRAIN_REASON_PREFIX}${generation}`;

/** Whether a node carries a drain of ours, of this or any other generation. */
export const hasOurReason = ({ reason }: Pick<SlurmNode, "reason">): boolean =>
  new RegExp(`^${DRAIN_REASON_PREFIX}\\d+$`).test(reason);

/** What slurmd's preStop hook writes over any reason when its pod ends (slinky-contract, 4.2). */
const terminating = "slurm-operator: Pod is terminating";

/**
 * Whether a node that we drained may be put back into service (R19): its reason is ours, or the operator's own text
 * about the pod that we deleted. Any other reason means that somebody took the node out meanwhile.
 * @param workerPod `<namespace>/<name>` of the pod of that node
 */
export function mayResume(node: SlurmNode, workerPod: string): boolean {
  const { reason } = node;
  if (reason === "" || hasOurReason(node) || reason === terminating) return true;
  return (
    reason === `slurm-operator: Pod (${workerPod}) was uncordoned` && !node.state.facts.has("DRAIN")
  );
}

/** Whether somebody else took this node out of service. */
export function isForeign(node: SlurmNode): boolean {
  const { facts } = node.state;
  return (facts.has("DRAIN") || facts.has("DOWN") || facts.has("FAIL")) && !hasOurReason(node);
}

/**
 * Whether no job can be on the node (R04): nothing allocated or completing, and slurmctld knows it, because the node
 * answers or is down. A node that does not answer is not quiet.
 */
export function isQuiet(node: SlurmNode): boolean {
  const { facts, hasJobs, class: kind } = node.state;
  if (hasJobs || node.allocatedCpus > 0 || kind === "unknown") return false;
  return facts.has("DOWN") || !facts.has("NOT_RESPONDING");
}
