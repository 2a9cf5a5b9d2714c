import type { Controls, RotationContext, RotationStep } from "../context.ts";
import { stagedName } from "../context.ts";
import { forEach, isHolder, podsWithAnotherKey } from "../keyHolders.ts";
import type { KeyPod } from "../ports.ts";
import { WaitingIsUseless } from "../waiting.ts";
import { runCanaries } from "./canaries.ts";
import { keepForeignNodes } from "./restore.ts";
import { resumeOurs } from "./resumeNodes.ts";

/** Proves the new key across the daemons, before any user job runs; every part can fail (R05). */
export const verify: RotationStep = {
  name: "verify",
  reversible: true,
  async apply(context, controls) {
    await verifyCluster(context, controls, context.journal.to);
  },
};

/** The same proof for either key: a rollback is no weaker than the way there (R13). */
export async function verifyCluster(
  context: RotationContext,
  controls: Controls,
  print: string,
): Promise<void> {
  const { workloads, settings, probe } = context;
  const seconds = settings.verifyTimeoutSeconds;
  const pods = (await workloads.pods()).filter(isHolder);
  const unknown = pods.filter(({ component }) => component === "unknown");
  if (unknown.length > 0) {
    throw new Error(`${unknown.map(({ name }) => name).join(", ")} took the key meanwhile`);
  }

  const wrong = await podsWithAnotherKey(context, pods, print);
  if (wrong.length > 0) {
    throw new Error(
      `key ${print} did not arrive in ${wrong.join(", ")}: the kubelet there serves a cached Secret (R01)`,
    );
  }
  controls.note(`key ${print} is in ${pods.length} pods`);

  await controls.waitUntil("every slurmd to register", seconds, async () => {
    const late = await lateNodes(context, pods);
    if (late.length > 0) throw new Error(late.join(", "));
    return true;
  });
  const callers = onePerSet(pods);
  await controls.waitUntil("clients in the pods to be answered", seconds, async () => {
    await forEach(callers, (pod) => probe.clientCall(pod));
    await probe.services(pods);
    return true;
  });
  await tryBothKeys(context, controls, print);
  await resumeOurs(context, controls);
  await keepForeignNodes(context);
  const untestedNodeSets = await runCanaries(context, controls, pods);
  const { report } = context.journal;
  await context.record({ proved: print, report: { ...report, untestedNodeSets } });
}

/** Nodes whose slurmd is not known to have started after the key in place was made, or that do not answer. */
async function lateNodes(context: RotationContext, pods: readonly KeyPod[]): Promise<string[]> {
  const { slurm, secrets, secretName } = context;
  const madeAt = (await secrets.read(secretName))?.createdAtSeconds ?? Infinity;
  const workers = new Set(pods.map((pod) => pod.slurmNode).filter(Boolean));
  const nodes = new Map((await slurm.nodes()).map((node) => [node.name, node]));
  return [...workers].flatMap((name) => {
    const node = nodes.get(name);
    if (!node) return [`${name} is not known to slurmctld`];
    const { slurmdStartSeconds: started, state, stateText } = node;
    if (started === undefined || started < madeAt)
      return [`${name} has not started since the swap`];
    if (state.facts.has("NOT_RESPONDING") || state.facts.has("INVALID_REG")) {
      return [`${name} is ${stateText}`];
    }
    return [];
  });
}

/** One worker of each NodeSet, and every login pod (R27): the others are proved by file and registration. */
function onePerSet(pods: readonly KeyPod[]): KeyPod[] {
  const workers = new Map(
    pods.filter((pod) => pod.component === "worker").map((pod) => [pod.set, pod]),
  );
  return [...workers.values(), ...pods.filter((pod) => pod.component === "login")];
}

/** From outside: this key is taken, and the other one refused for its authentication, by the same client. */
async function tryBothKeys(
  context: RotationContext,
  controls: Controls,
  print: string,
): Promise<void> {
  const { journal, probe, settings } = context;
  const { from, to } = journal;
  if (from === to) return;
  const other = print === from ? to : from;
  const tries = [
    [print, "accepted"],
    [other, "refused"],
  ] as const;
  const seconds = settings.verifyTimeoutSeconds;
  await controls.waitUntil("the probe to try both keys", seconds, async () => {
    await forEach(tries, async ([key, wanted]) => {
      const answer = await probe.tryKey(stagedName(context, key));
      if (answer !== wanted) throw new WaitingIsUseless(`slurmctld ${answer} key ${key}`);
    });
    return true;
  });
}
