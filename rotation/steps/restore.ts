import { fingerprint } from "../authKey.ts";
import type { Controls, RotationContext, RotationStep } from "../context.ts";
import { drainReason, hasOurReason } from "../drainReason.ts";
import { isHolder } from "../keyHolders.ts";

/** Brings everything back: the operator does it, with the hash of the key that is in place now. */
export const restore: RotationStep = {
  name: "restore",
  reversible: true,
  async apply(context, controls) {
    await restoreCluster(context, controls, context.journal.to);
  },
};

/**
 * Only the operator is scaled up: scaling Slurm's workloads as well costs a second restart of slurmctld. What it has
 * not restored after half of the time, we do.
 */
export async function restoreCluster(
  context: RotationContext,
  controls: Controls,
  print: string,
): Promise<void> {
  const { workloads, slurm, settings, clock } = context;
  await requireKey(context, print);
  if (context.journal.proved !== "") await context.record({ proved: "" });
  const helpAt = clock.now() + settings.restoreTimeoutSeconds * 500;
  const scaleUp = async (): Promise<void> => {
    const sizes = new Map(context.journal.sizes.map((size) => [size.workload, size.replicas]));
    for (const { id, component, replicas } of await workloads.workloads()) {
      const size = sizes.get(id) ?? 0;
      const isDue = component === "operator" || clock.now() >= helpAt;
      if (isDue && replicas < size) await workloads.scale(id, size);
    }
  };
  const seconds = settings.restoreTimeoutSeconds;
  await controls.waitUntil("slurmctld to answer", seconds, async () => {
    await scaleUp();
    await requireNoCrashLoop(context);
    await slurm.nodes();
    return true;
  });
  await noteOutage(context);
  await setReasonsAgain(context);
  await workloads.nudgeNodeSets(String(clock.now()));
  await controls.waitUntil("everything to be ready", seconds, async () => {
    await scaleUp();
    await keepForeignNodes(context);
    const missing = await whatIsMissing(context);
    if (missing.length > 0) throw new Error(`not ready: ${missing.join(", ")}`);
    return true;
  });
}

async function requireKey({ secrets, secretName, dataKey }: RotationContext, print: string) {
  const key = (await secrets.read(secretName))?.data[dataKey];
  if (key && fingerprint(key) === print) return;
  throw new Error(`nothing was restored: Secret ${secretName} does not carry key ${print}`);
}

/** A container that cannot start says why; the wait names it. */
async function requireNoCrashLoop({ workloads }: RotationContext): Promise<void> {
  const broken = (await workloads.pods()).find(
    (pod) => pod.component === "controller" && pod.problem.includes("CrashLoopBackOff"),
  );
  if (broken) throw new Error(`${broken.name}: ${broken.problem}`);
}

async function noteOutage(context: RotationContext): Promise<void> {
  const { stoppedAtSeconds, report } = context.journal;
  if (stoppedAtSeconds === 0) return;
  const seconds = Math.round(context.clock.now() / 1000) - stoppedAtSeconds;
  await context.record({
    stoppedAtSeconds: 0,
    report: { ...report, outageSeconds: report.outageSeconds + seconds },
  });
}

/**
 * The workers' preStop wrote over every reason, and the operator undrains nodes with its own one: ours is set again
 * before workers register.
 */
async function setReasonsAgain(context: RotationContext): Promise<void> {
  const { slurm, journal } = context;
  const drained = new Set(journal.drained);
  const bare = (await slurm.nodes()).filter(
    (node) => drained.has(node.name) && !hasOurReason(node),
  );
  await slurm.update(
    bare.map(({ name }) => name),
    { to: "drain", reason: drainReason(journal.generation) },
  );
  await keepForeignNodes(context);
}

/** Nodes that others took out get back the very reason and state that they had (R09). */
export async function keepForeignNodes({ slurm, journal }: RotationContext): Promise<void> {
  if (journal.foreign.length === 0) return;
  const nodes = new Map((await slurm.nodes()).map((node) => [node.name, node]));
  for (const { name, reason, down } of journal.foreign) {
    const node = nodes.get(name);
    if (!node) continue;
    const isKept = node.reason === reason && node.state.facts.has(down ? "DOWN" : "DRAIN");
    // A reason that somebody wrote since is theirs to keep.
    const isOverwritten = node.reason === "" || node.reason.startsWith("slurm-operator: ");
    if (isKept || !(isOverwritten || node.reason === reason)) continue;
    await slurm.update([name], { to: down ? "down" : "drain", reason });
  }
}

async function whatIsMissing({ workloads, journal }: RotationContext): Promise<string[]> {
  const pods = await workloads.pods();
  const sizes = new Map(journal.sizes.map((size) => [size.workload, size.replicas]));
  const unready = (await workloads.workloads()).filter(
    ({ id, readyReplicas }) => readyReplicas < (sizes.get(id) ?? 0),
  );
  const ready = new Set(
    pods.filter((pod) => pod.isReady && !pod.isTerminating).map(({ name }) => name),
  );
  const workers = journal.workers.filter((name) => !ready.has(name));
  const ending = pods.filter((pod) => isHolder(pod) && pod.isTerminating);
  return [
    ...unready.map(({ id }) => id),
    ...workers.map((name) => problemOf(name, pods)),
    ...ending.map(({ name }) => `${name} (terminating)`),
  ];
}

function problemOf(name: string, pods: readonly { name: string; problem: string }[]): string {
  const problem = pods.find((pod) => pod.name === name)?.problem;
  return problem ? `${name} (${problem})` : name;
}
