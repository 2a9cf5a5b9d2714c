import type { Controls, RotationContext } from "../context.ts";
import type { KeyPod } from "../ports.ts";
import { WaitingIsUseless } from "../waiting.ts";

/** States in which a job has ended without success. */
const badEnds = /^(FAILED|CANCELLED|TIMEOUT|NODE_FAIL|BOOT_FAIL|OUT_OF_MEMORY|DEADLINE|PREEMPTED)$/;

/**
 * Runs a job in each NodeSet, inside the reservation, and looks at its output and not only its exit code.
 * @returns NodeSets without a node that is in service: nothing could be tried there (R36)
 */
export async function runCanaries(
  context: RotationContext,
  controls: Controls,
  pods: readonly KeyPod[],
): Promise<string[]> {
  const { journal, canary, clock, settings } = context;
  const workers = pods.filter((pod) => pod.component === "worker");
  const drained = new Set(journal.drained);
  const chosen = new Map<string, string>();
  for (const { set, slurmNode } of workers) {
    if (drained.has(slurmNode) && !chosen.has(set)) chosen.set(set, slurmNode);
  }
  const tag = Math.floor(clock.now() / 1000);
  const tryNode = async (own: Controls, set: string, node: string): Promise<void> => {
    const id = await canary.submit(`auth-key-rotation-${journal.generation}-${set}-${tag}`, node);
    try {
      await own.waitUntil(`canary job ${id} on ${node}`, settings.verifyTimeoutSeconds, () =>
        hasCompleted(context, id, node),
      );
    } catch (error) {
      await canary.cancel(id).catch(() => undefined);
      throw error;
    }
  };
  await controls.together(
    [...chosen].map(
      ([set, node]) =>
        (own) =>
          tryNode(own, set, node),
    ),
  );
  controls.note(`canary jobs completed in ${[...chosen.keys()].join(", ") || "no NodeSet"}`);
  return [...new Set(workers.map(({ set }) => set))].filter((set) => !chosen.has(set)).sort();
}

async function hasCompleted({ canary }: RotationContext, id: number, node: string) {
  const { states, output } = await canary.state(id, node);
  const bad = states.find((state) => badEnds.test(state));
  if (bad) throw new WaitingIsUseless(`canary job ${id} on ${node} ended as ${bad}`);
  if (!states.includes("COMPLETED") || states.includes("COMPLETING")) return false;
  if (output.trim() === node) return true;
  throw new WaitingIsUseless(`canary job ${id} on ${node} completed without its output`);
}
