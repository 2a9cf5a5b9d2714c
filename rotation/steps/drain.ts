import type { Controls } from "../step.ts";
import type { RotationContext, RotationStep } from "../context.ts";
import { drainReason, hasOurReason, isForeign, isQuiet } from "../drainReason.ts";
import type { BlockingJob } from "../ports.ts";
import { StepTimeout } from "../waiting.ts";
import { requireOldKeyProved } from "../oldKeyProved.ts";
import { resumeOurs } from "./resumeNodes.ts";
import { tryBothKeys } from "./tryBothKeys.ts";

/** Seconds that requeued jobs get to leave their nodes. */
const requeueSeconds = 120;

/**
 * Holds the queue by a reservation, drains every node that is in service, and waits until no job is left anywhere:
 * also on nodes that others drained, since their pods go too. The probe is tried meanwhile, so that it costs no time.
 */
export const drain: RotationStep = {
  name: "drain",
  reversible: true,
  async apply(context, controls) {
    await context.hold.set();
    await controls.together([
      (own) => emptyNodes(context, own),
      (own) => tryBothKeys(context, own, context.journal.from),
    ]);
  },
  /** The last look before pods are deleted (R04): the hold stands and nothing runs. */
  async verify({ hold, slurm }) {
    if (!(await hold.isSet())) throw new Error("the reservation that holds the queue is gone");
    const noisy = (await slurm.nodes()).filter((node) => !isQuiet(node));
    if (noisy.length === 0) return;
    throw new Error(
      `not drained: ${noisy.map(({ name, stateText }) => `${name} ${stateText}`).join(", ")}`,
    );
  },
  async undo(context, controls) {
    requireOldKeyProved(context, "the queue stays held");
    await resumeOurs(context, controls);
    await context.hold.release();
  },
};

async function emptyNodes(context: RotationContext, controls: Controls): Promise<void> {
  const { settings, slurm } = context;
  let blocking: readonly BlockingJob[] | "unknown" = "unknown";
  let cleanReads = 0;
  let saidAt = 0;
  const look = async (): Promise<boolean> => {
    await drainNewNodes(context);
    blocking = await slurm.blockingJobs();
    const nodes = await slurm.nodes();
    const isClean =
      blocking !== "unknown" && blocking.length === 0 && nodes.every((node) => isQuiet(node));
    // One empty answer proves nothing (R24).
    cleanReads = isClean ? cleanReads + 1 : 0;
    if (!isClean && controls.clock.now() >= saidAt) {
      saidAt = controls.clock.now() + 30_000;
      controls.note(describe(blocking, controls.clock.now()));
    }
    return cleanReads >= 2;
  };
  try {
    await controls.waitUntil("all nodes to be free of jobs", settings.drainTimeoutSeconds, look);
  } catch (error) {
    if (!(error instanceof StepTimeout)) throw error;
    if (settings.onDrainTimeout !== "requeue") throw timeout(blocking, error);
    await requeueThenWait(context, controls, look);
  }
}

/** Drains what is in service and not ours yet, the journal first; nodes that others took out are only noted. */
async function drainNewNodes(context: RotationContext): Promise<void> {
  const { slurm, journal } = context;
  const nodes = await slurm.nodes();
  const known = new Set([...journal.drained, ...journal.foreign.map(({ name }) => name)]);
  const foreign = nodes
    .filter((node) => isForeign(node) && !known.has(node.name))
    .map(({ name, reason, state }) => ({ name, reason, down: !state.facts.has("DRAIN") }));
  const ours = nodes.filter((node) => !isForeign(node) && !known.has(node.name));
  if (foreign.length + ours.length > 0) {
    await context.record({
      foreign: [...journal.foreign, ...foreign],
      drained: [...journal.drained, ...ours.map(({ name }) => name)],
    });
  }
  const drained = new Set(context.journal.drained);
  const undrained = nodes.filter(
    (node) => drained.has(node.name) && !hasOurReason(node) && !isForeign(node),
  );
  await slurm.update(
    undrained.map(({ name }) => name),
    { to: "drain", reason: drainReason(journal.generation) },
  );
}

async function requeueThenWait(
  context: RotationContext,
  controls: Controls,
  look: () => Promise<boolean>,
): Promise<void> {
  const jobs = await context.slurm.blockingJobs();
  if (jobs === "unknown") throw new Error("which jobs to requeue is not known");
  await context.slurm.requeue(jobs.map(({ id }) => id));
  const { report } = context.journal;
  await context.record({ report: { ...report, jobsRequeued: report.jobsRequeued + jobs.length } });
  await controls.waitUntil("requeued jobs to leave their nodes", requeueSeconds, look);
}

function timeout(blocking: readonly BlockingJob[] | "unknown", error: StepTimeout): StepTimeout {
  const jobs = blocking === "unknown" ? "the queue could not be read" : list(blocking);
  return new StepTimeout(`${error.message}: ${jobs}. Wait for them or cancel them, then run pulumi up again, or set \
rotation.onDrainTimeout to requeue`);
}

function describe(blocking: readonly BlockingJob[] | "unknown", now: number): string {
  if (blocking === "unknown") return "the queue could not be read clearly; looking again";
  const left = blocking.map(({ endsAtSeconds }) => (endsAtSeconds ?? Infinity) - now / 1000);
  const longest = Math.max(0, ...left);
  const limit = Number.isFinite(longest) ? `at most ${Math.ceil(longest)} s left` : "no time limit";
  return `waiting for ${blocking.length} jobs (${limit})`;
}

function list(jobs: readonly BlockingJob[]): string {
  const words = jobs.slice(0, 10).map(({ id, state, nodes }) => `job ${id} ${state} on ${nodes}`);
  return words.join(", ") + (jobs.length > 10 ? ` and ${jobs.length - 10} more` : "");
}
