import { isClusterRegistered } from "../cluster/slurmAccounting.ts";
import type { SlurmNode } from "../cluster/slurmJson.ts";
import { DAEMON_CONTAINERS, DIGEST_COMMAND, fingerprintIn } from "../cluster/slurmPodContract.ts";
import { checkRest } from "../cluster/slurmRest.ts";
import type { RunInController } from "../cluster/slurmCommands.ts";
import type { Journal } from "../rotation/model.ts";
import { connectKube } from "./kube.ts";
import type { Kube, PodView } from "./kube.ts";
import { readJournal } from "./rotationJournal.ts";
import { componentOf, runInController, slurmInController } from "./slurmPods.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import type { AccountingSeen, KeyHolder, StatusObserved } from "./statusReport.ts";

/** Namespace of cert-manager, fixed by the program. */
const CERT_MANAGER_NAMESPACE = "cert-manager";

/**
 * Looks at the stack's cluster; read-only, every look under a deadline.
 * @throws Error when the cluster itself does not answer
 */
export async function observeStatus(stack: string, outputs: StackOutputs): Promise<StatusObserved> {
  const kube = await connectKube(outputs.kubeconfig, outputs.context);
  const kubernetes = await kube.version();
  const namespaces = [CERT_MANAGER_NAMESPACE, outputs.operatorNamespace, outputs.slurmNamespace];
  const pods = (await Promise.all(namespaces.map((each) => kube.pods(each)))).flat();
  const run = runInController(kube, outputs.slurmNamespace);
  const [slurm, rest, accounting, journal, holders] = await Promise.all([
    observeNodes(kube, outputs.slurmNamespace),
    checkRest(run, `${outputs.slurmRelease}-restapi`),
    observeAccounting(run, outputs),
    observeJournal(kube, outputs.slurmNamespace),
    Promise.all(
      pods
        .filter((pod) => pod.namespace === outputs.slurmNamespace && componentOf(pod) !== "")
        .map((pod) => observeKey(kube, pod)),
    ),
  ]);
  return { stack, outputs, kubernetes, pods, holders, rest, accounting, ...journal, ...slurm };
}

async function observeNodes(
  kube: Kube,
  namespace: string,
): Promise<{ nodes: SlurmNode[] | undefined; slurmProblem: string | undefined }> {
  try {
    const nodes = await slurmInController(kube, namespace).nodes();
    return { nodes, slurmProblem: undefined };
  } catch (error) {
    return { nodes: undefined, slurmProblem: messageOf(error) };
  }
}

async function observeJournal(
  kube: Kube,
  namespace: string,
): Promise<{ journal: Journal | undefined; journalProblem: string | undefined }> {
  try {
    return { journal: await readJournal(kube, namespace), journalProblem: undefined };
  } catch (error) {
    return { journal: undefined, journalProblem: messageOf(error) };
  }
}

async function observeAccounting(
  run: RunInController,
  { accounting, slurmClusterName }: StackOutputs,
): Promise<AccountingSeen> {
  if (!accounting) return { state: "off" };
  try {
    const known = await isClusterRegistered(run, slurmClusterName);
    return { state: known ? "registered" : "unregistered" };
  } catch (error) {
    return { state: "silent", problem: messageOf(error) };
  }
}

/** The digest is computed in the pod: no byte of the key leaves it. */
async function observeKey(kube: Kube, { namespace, name, ...pod }: PodView): Promise<KeyHolder> {
  const container = DAEMON_CONTAINERS[componentOf({ namespace, name, ...pod })] ?? "";
  try {
    const target = { namespace, pod: name, container };
    const { exitCode, stdout, stderr } = await kube.exec(target, DIGEST_COMMAND, 20);
    const digest = fingerprintIn(stdout);
    if (exitCode === 0 && digest !== undefined) {
      return { pod: name, fingerprint: digest, problem: undefined };
    }
    const problem = stderr.trim() || `sha256sum ended with code ${exitCode}`;
    return { pod: name, fingerprint: undefined, problem };
  } catch (error) {
    return { pod: name, fingerprint: undefined, problem: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
