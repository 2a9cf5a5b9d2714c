import type { Controls, RotationContext, RotationStep } from "../context.ts";
import { forEach, isHolder, podsWithAnotherKey } from "../keyHolders.ts";
import type { KeyPod } from "../ports.ts";
import { runCanaries } from "./canaries.ts";
import { keepForeignNodes } from "./restore.ts";
import { resumeOurs } from "./resumeNodes.ts";
import { tryBothKeys } from "./tryBothKeys.ts";

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
  const { workloads } = context;
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

  let untestedNodeSets: readonly string[] = [];
  await controls.together([
    (own) => tryBothKeys(context, own, print),
    async (own) => {
      await proveFromInside(context, own, pods);
      await resumeOurs(context, own);
      await keepForeignNodes(context);
      untestedNodeSets = await runCanaries(context, own, pods);
    },
  ]);
  const { report } = context.journal;
  await context.record({ proved: print, report: { ...report, untestedNodeSets } });
}

/** Every slurmd has registered since the swap, and clients and services in the pods are answered. */
async function proveFromInside(
  context: RotationContext,
  controls: Controls,
  pods: readonly KeyPod[],
): Promise<void> {
  const { probe, settings } = context;
  const seconds = settings.verifyTimeoutSeconds;
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
