import type { Controls, RotationContext } from "../context.ts";
import { mayResume } from "../drainReason.ts";

/** Seconds until a resumed node is in service: a resume before its slurmd has registered is lost (R19). */
const resumeSeconds = 60;

/**
 * Puts the nodes that we drained back into service, and no other (R09): a node that somebody took out meanwhile keeps
 * that reason. Repeats itself until the nodes are in service.
 */
export async function resumeOurs(context: RotationContext, controls: Controls): Promise<void> {
  const { slurm, journal, workloads } = context;
  if (journal.drained.length === 0) return;
  const drained = new Set(journal.drained);
  const pods = (await workloads.pods()).filter((pod) => pod.component === "worker");
  const podOf = new Map(pods.map((pod) => [pod.slurmNode, `${pod.namespace}/${pod.name}`]));
  await controls.waitUntil("our drained nodes to be in service", resumeSeconds, async () => {
    const out = (await slurm.nodes()).filter((node) => {
      const { facts } = node.state;
      if (!drained.has(node.name) || !podOf.has(node.name)) return false;
      if (!facts.has("DRAIN") && !facts.has("DOWN")) return false;
      return mayResume(node, podOf.get(node.name) ?? "");
    });
    await slurm.update(
      out.map(({ name }) => name),
      { to: "resume" },
    );
    return out.length === 0;
  });
}
