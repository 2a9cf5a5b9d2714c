import type { RotationContext, RotationStep } from "../context.ts";
import { Refusal } from "../errors.ts";
import { fingerprint } from "../authKey.ts";
import { isHolder, namesOf, podsWithAnotherKey } from "../keyHolders.ts";
import type { KeyPod } from "../ports.ts";

/** Refuses what a rotation could not bring to a good end; changes nothing. */
export const checkPreconditions: RotationStep = {
  name: "check-preconditions",
  reversible: true,
  async apply(context) {
    const missing = await context.access.missing();
    if (missing.length > 0) {
      refuse(
        `the kubeconfig in use may not: ${missing.join("; ")} (kubectl auth can-i asks the same)`,
      );
    }
    await checkSecret(context);
    const pods = await context.workloads.pods();
    checkPods(pods);
    await checkOperator(context);
    await checkNodes(context, pods);
    const holders = pods.filter(isHolder);
    const from = context.journal.from;
    const stale = await podsWithAnotherKey(context, holders, from);
    // The same key asked for again restarts exactly these pods.
    if (stale.length > 0 && context.journal.to !== from) {
      refuse(`${stale.join(", ")} do not carry key ${from} of the Secret; put the previous keySeed back and run \
pulumi up, which restarts them`);
    }
  },
};

async function checkSecret({ secrets, secretName, dataKey, journal }: RotationContext) {
  const live = await secrets.read(secretName);
  const key = live?.data[dataKey];
  if (!live || !key || fingerprint(key) !== journal.from) {
    return refuse(`Secret ${secretName} does not carry key ${journal.from}`);
  }
  if (!live.immutable) refuse(`Secret ${secretName} is mutable; make it immutable first`);
  if (live.isBeingDeleted) refuse(`Secret ${secretName} is being deleted`);
  if (live.finalizers.length > 0) {
    refuse(
      `Secret ${secretName} has finalizers (${live.finalizers.join(", ")}) that would hold its replacement up`,
    );
  }
  if (live.keyManagers.length > 1) {
    refuse(
      `the key of Secret ${secretName} was written by ${live.keyManagers.join(" and ")}; let one of them own it`,
    );
  }
}

function checkPods(pods: readonly KeyPod[]): void {
  const unknown = pods.filter((pod) => pod.usesKey && pod.component === "unknown");
  if (unknown.length > 0) {
    refuse(
      `${namesOf(unknown)} use the key and are no part of Slurm's own installation; remove them first`,
    );
  }
  const onRing = pods.filter((pod) => pod.usesRing);
  if (onRing.length > 0) {
    refuse(
      `${namesOf(onRing)} take their keys from a ring (SLURM_SACK_JWKS), beside which slurm.key means nothing`,
    );
  }
  const unready = pods.filter((pod) => pod.usesKey && (!pod.isReady || pod.isTerminating));
  if (unready.length > 0) {
    const words = unready.map(({ name, problem }) => (problem ? `${name} (${problem})` : name));
    refuse(`not ready: ${words.join(", ")}; a rotation starts on a healthy cluster only`);
  }
  if (!pods.some((pod) => pod.component === "controller")) refuse("there is no controller pod");
}

/** The operator brings everything back; without it nothing would. */
async function checkOperator({ workloads }: RotationContext): Promise<void> {
  const operator = (await workloads.workloads()).find((each) => each.component === "operator");
  if (!operator) return refuse("the slurm-operator was not found");
  if (operator.replicas === 0 || operator.readyReplicas === 0) {
    refuse(`the slurm-operator (${operator.id}) does not run; scale it up first`);
  }
}

/** R20: a node that answers and has no pod runs outside the cluster, where no Secret reaches it. */
async function checkNodes({ slurm }: RotationContext, pods: readonly KeyPod[]): Promise<void> {
  const nodes = await slurm.nodes();
  const known = new Set(pods.map((pod) => pod.slurmNode));
  const outside = nodes.filter(
    ({ name, state }) =>
      !known.has(name) && !state.facts.has("NOT_RESPONDING") && !state.facts.has("DOWN"),
  );
  if (outside.length > 0) {
    const names = outside.map(({ name }) => name).join(", ");
    refuse(
      `Slurm nodes ${names} have no pod: they hold the key where this rotation cannot change it`,
    );
  }
  const unclear = nodes.filter(({ state }) => state.class === "unknown");
  if (unclear.length > 0) {
    const words = unclear.map(({ name, state }) => `${name} (${state.cause})`);
    refuse(`the state of ${words.join(", ")} is not known`);
  }
}

function refuse(reason: string): never {
  throw new Refusal(reason);
}
