import { fingerprint } from "../authKey.ts";
import { type Controls, type RotationContext, type RotationStep, stagedName } from "../context.ts";
import { drainReason, hasOurReason } from "../drainReason.ts";
import { isHolder } from "../keyHolders.ts";
import { isHashUnderstood, operatorHash } from "../operatorHash.ts";
import type { Journal } from "../model.ts";
import type { Component, StoredSecret, Workload } from "../ports.ts";

/** Brings everything back on the key that is in place now. */
export const restore: RotationStep = {
  name: "restore",
  reversible: true,
  async apply(context, controls) {
    await restoreCluster(context, controls, context.journal.to);
  },
};

/**
 * Slurm's own workloads first, on the hash that the operator will compute; the operator only once slurmrestd answers:
 * its Slurm client keeps a failed first look for 30 seconds, in which no worker is made. It also finds our reasons set,
 * so that it undrains nothing. An operator whose hash we do not understand starts first, and again at that moment.
 */
export async function restoreCluster(
  context: RotationContext,
  controls: Controls,
  print: string,
): Promise<void> {
  const { slurm, settings, clock } = context;
  const hash = await hashToStartOn(context, await requireKey(context, print));
  if (context.journal.proved !== "") await context.record({ proved: "" });
  const seconds = settings.restoreTimeoutSeconds;
  // What has not come back after half of the time, we bring back whatever comes of it.
  const helpAt = clock.now() + seconds * 500;
  const first = hash === undefined ? isOperator : isState;
  await controls.waitUntil("slurmctld to answer", seconds, async () => {
    await startAgain(context, hash, clock.now() < helpAt ? first : isAny);
    await requireNoCrashLoop(context);
    await slurm.nodes();
    return true;
  });
  await noteOutage(context);
  await setReasonsAgain(context);
  let isOperatorFresh = false;
  await controls.waitUntil("everything to be ready", seconds, async () => {
    await keepForeignNodes(context);
    if (!isOperatorFresh) {
      if (hash !== undefined) await startAgain(context, hash, isSlurm);
      await requireServices(context).catch((error: unknown) => {
        if (clock.now() < helpAt) throw error;
      });
      // Its Deployment makes a new one at once, which asks slurmrestd anew.
      if (hash === undefined) await context.workloads.deletePods("operator");
      isOperatorFresh = true;
    }
    await startAgain(context, hash, isAny);
    const missing = await whatIsMissing(context);
    if (missing.length > 0) throw new Error(`not ready: ${missing.join(", ")}`);
    return true;
  });
}

const isAny = (): boolean => true;
const isOperator = (component: Component): boolean => component === "operator";
const isSlurm = (component: Component): boolean => component !== "operator";
/** What keeps Slurm's state; alone it is up sooner, and the rest can do nothing without it. */
const isState = (component: Component): boolean =>
  component === "controller" || component === "accounting";

/** The operator's hash of the Secret in place; undefined when this operator computes another one. */
async function hashToStartOn(
  context: RotationContext,
  secret: StoredSecret,
): Promise<string | undefined> {
  const { from, to } = context.journal;
  const staged = await Promise.all(
    [from, to].map((print) => context.secrets.read(stagedName(context, print))),
  );
  const known = [secret, ...staged].filter((each) => each !== undefined).map(({ data }) => data);
  const isUnderstood = isHashUnderstood(await context.workloads.workloads(), known);
  return isUnderstood ? operatorHash(secret.data) : undefined;
}

/** Scales what is due to the size that it had. */
async function startAgain(
  { workloads, journal }: RotationContext,
  hash: string | undefined,
  isDue: (component: Component) => boolean,
): Promise<void> {
  const sizes = sizesIn(journal);
  for (const { id, component, replicas, keyHash } of await workloads.workloads()) {
    const size = sizes.get(id) ?? 0;
    if (replicas >= size || !isDue(component)) continue;
    await workloads.scale(id, size, keyHash === undefined ? undefined : hash);
  }
}

/** slurmdbd and slurmrestd run and answer, where there are any. */
async function requireServices(context: RotationContext): Promise<void> {
  const down = (await unreadyWorkloads(context)).filter(
    ({ component }) => component === "restapi" || component === "accounting",
  );
  if (down.length > 0) throw new Error(`not ready: ${down.map(({ id }) => id).join(", ")}`);
  await context.probe.services(await context.workloads.pods());
}

const sizesIn = ({ sizes }: Journal): Map<string, number> =>
  new Map(sizes.map(({ workload, replicas }) => [workload, replicas]));

/** Workloads with fewer ready pods than they had. */
async function unreadyWorkloads({ workloads, journal }: RotationContext): Promise<Workload[]> {
  const sizes = sizesIn(journal);
  return (await workloads.workloads()).filter(
    ({ id, readyReplicas }) => readyReplicas < (sizes.get(id) ?? 0),
  );
}

async function requireKey(
  { secrets, secretName, dataKey }: RotationContext,
  print: string,
): Promise<StoredSecret> {
  const secret = await secrets.read(secretName);
  const key = secret?.data[dataKey];
  if (secret && key && fingerprint(key) === print) return secret;
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

async function whatIsMissing(context: RotationContext): Promise<string[]> {
  const { workloads, journal } = context;
  const pods = await workloads.pods();
  const unready = await unreadyWorkloads(context);
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
