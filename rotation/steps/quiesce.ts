import type { Controls, RotationContext, RotationStep } from "../context.ts";
import { hasOurReason, isForeign } from "../drainReason.ts";
import { holders, isHolder, slurmWorkloads } from "../keyHolders.ts";
import type { Component, KeyPod } from "../ports.ts";
import { WaitingIsUseless } from "../waiting.ts";
import { restoreCluster } from "./restore.ts";
import { verifyCluster } from "./verify.ts";

/** How often somebody else may scale the operator up before that is taken for a decision. */
const mostScaleUps = 3;

/** Takes away every pod that references the Secret, because only then the kubelets forget it (slinky-contract, 8). */
export const quiesce: RotationStep = {
  name: "quiesce",
  reversible: true,
  async apply(context, controls) {
    await noteForeignNodes(context);
    await quiesceCluster(context, controls);
  },
  async verify(context) {
    const left = await holders(context);
    if (left.length > 0) throw new Error(`${left.map(({ name }) => name).join(", ")} came back`);
  },
  async undo(context, controls) {
    await restoreCluster(context, controls, context.journal.from);
    await verifyCluster(context, controls, context.journal.from);
  },
};

/**
 * The operator first, then all it would restore, slurmctld last. Sizes are in the journal before the first one is
 * changed, and a second call never overwrites them with what the first one left.
 */
export async function quiesceCluster(context: RotationContext, controls: Controls): Promise<void> {
  const { workloads, settings } = context;
  await recordSizes(context);
  let scaleUps = -1;
  const isOperatorGone = async (): Promise<boolean> => {
    const operators = (await workloads.workloads()).filter(
      ({ component, replicas }) => component === "operator" && replicas > 0,
    );
    if (operators.length > 0 && ++scaleUps > mostScaleUps) {
      throw new WaitingIsUseless(
        `somebody scales ${operators.map(({ id }) => id).join(", ")} up again and again; pause what does it ` +
          "(a GitOps tool, an autoscaler), then run pulumi up again",
      );
    }
    for (const { id } of operators) await workloads.scale(id, 0);
    if (operators.length > 0) return false;
    return !(await workloads.pods()).some(({ component }) => component === "operator");
  };
  const seconds = settings.quiesceTimeoutSeconds;
  await controls.waitUntil("the operator to stop", seconds, isOperatorGone);

  const end = (what: string, isDue: (component: Component) => boolean): Promise<void> =>
    controls.waitUntil(what, seconds, async () => {
      if (!(await isOperatorGone())) return false;
      const left = await endPods(context, isDue);
      if (left.length === 0) return true;
      throw new Error(`still there: ${left.map(wordsOf).join(", ")}`);
    });
  // While slurmctld runs: a worker's last act is a call to it, which hangs for the pod's whole grace period otherwise.
  await end("workers, login and slurmrestd to end", leavesFirst);
  await noteStop(context);
  await end("every pod that uses the key to go", () => true);
}

const leavesFirst = (component: Component): boolean =>
  component === "worker" || component === "login" || component === "restapi";

/** Scales what is due to nothing and deletes workers, which no workload owns; returns the pods that are still there. */
async function endPods(
  { workloads }: RotationContext,
  isDue: (component: Component) => boolean,
): Promise<KeyPod[]> {
  for (const { id, component, replicas } of slurmWorkloads(await workloads.workloads())) {
    if (replicas > 0 && isDue(component)) await workloads.scale(id, 0);
  }
  const left = (await workloads.pods()).filter((pod) => isHolder(pod) && isDue(pod.component));
  if (left.some((pod) => pod.component === "worker" && !pod.isTerminating)) {
    await workloads.deletePods("worker");
  }
  return left;
}

async function noteStop(context: RotationContext): Promise<void> {
  if (context.journal.stoppedAtSeconds > 0) return;
  await context.record({ stoppedAtSeconds: Math.floor(context.clock.now() / 1000) });
}

const wordsOf = ({ name, kubernetesNode, isTerminating }: KeyPod): string =>
  `${name}@${kubernetesNode}${isTerminating ? " (terminating)" : ""}`;

async function recordSizes(context: RotationContext): Promise<void> {
  const { journal, workloads } = context;
  if (journal.sizes.length > 0) return void (await context.record({ proved: "" }));
  const sizes = (await workloads.workloads()).map(({ id, replicas }) => ({
    workload: id,
    replicas,
  }));
  const workers = (await workloads.pods()).filter(({ component }) => component === "worker");
  await context.record({
    sizes,
    workers: workers.map(({ name }) => name).sort(),
    proved: "",
  });
}

/** Nodes that somebody took out of service while we drained: after their pods have gone the reason is lost. */
async function noteForeignNodes(context: RotationContext): Promise<void> {
  const { journal, slurm, workloads } = context;
  const runs = (await workloads.pods()).some(
    (pod) => pod.component === "controller" && pod.isReady,
  );
  if (!runs) return;
  const drained = new Set(journal.drained);
  const taken = (await slurm.nodes()).filter(
    (node) =>
      drained.has(node.name) &&
      isForeign(node) &&
      !hasOurReason(node) &&
      !node.reason.startsWith("slurm-operator: "),
  );
  if (taken.length === 0) return;
  const names = new Set(taken.map(({ name }) => name));
  await context.record({
    drained: journal.drained.filter((name) => !names.has(name)),
    foreign: [
      ...journal.foreign,
      ...taken.map(({ name, reason, state }) => ({
        name,
        reason,
        down: !state.facts.has("DRAIN"),
      })),
    ],
  });
}
