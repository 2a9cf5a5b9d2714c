/** Carries out recoveryPlan.ts: looks at the backend, the state and the cluster, and clears what is in the way. */

import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

import type { Progress } from "../progress.ts";
import { backendFolder, isPulumiProcess, readLocks } from "./backendLocks.ts";
import { connectKube } from "./kube.ts";
import type { Kube } from "./kube.ts";
import { decideHelm, decideLocks, decidePending } from "./recoveryPlan.ts";
import type { HelmRecord } from "./recoveryPlan.ts";
import { projectFolder, projectName } from "./stackSettings.ts";
import { toStackOutputs } from "./stackOutputs.ts";
import { toStackState, withoutPending } from "./stackState.ts";
import type { StackState } from "./stackState.ts";
import { exportState, importState, pulumi, readOutputs } from "./workspace.ts";
import type { OpenStack } from "./workspace.ts";

/** The Helm releases of the program, by namespace: no other record is ever looked at. */
const RELEASES: Readonly<Record<string, readonly string[]>> = {
  "cert-manager": ["cert-manager"],
  slinky: ["slurm-operator-crds", "slurm-operator"],
  slurm: ["slurm"],
};

/**
 * Clears what an interrupted run left: the lock of a dead process, interrupted creations in the state, Helm records
 * that would refuse the next install or upgrade. Prints what it does; prints nothing when there is nothing to do.
 * @throws Error when somebody may still be at work on the stack
 */
export async function recoverStack(open: OpenStack, progress: Progress): Promise<void> {
  await recoverLock(open, progress);
  const exported = await exportState(open);
  const state = toStackState(exported);
  const { forget, messages } = decidePending(state.pending);
  for (const message of messages) progress.note(`  recover: ${message}`);
  if (forget.length > 0) await importState(open, withoutPending(exported, forget));
  await recoverHelm(open, state, progress);
}

/**
 * Removes the lock of a process that no longer runs.
 * @throws Error when the lock's owner runs, or cannot be seen
 */
export async function recoverLock(open: OpenStack, progress: Progress): Promise<void> {
  const url = process.env["PULUMI_BACKEND_URL"] ?? (await open.stack.workspace.whoAmI()).url ?? "";
  const folder = backendFolder(url);
  if (folder === undefined) return;
  const locks = await readLocks(folder, projectName, open.name);
  const alive = new Map<number, boolean>();
  for (const { pid } of locks) alive.set(pid, await isPulumiProcess(pid));
  const decision = decideLocks(locks, hostname(), (pid) => alive.get(pid) === true);
  if (decision.kind === "refuse") throw new Error(decision.message);
  if (decision.kind === "none") return;
  progress.note(`  recover: ${decision.message}`);
  await open.stack.cancel();
}

/** The cluster of the stack, if it is there and answers: KinD's own kubeconfig first, else the stack's output. */
export async function reachCluster(open: OpenStack): Promise<Kube | undefined> {
  try {
    const { kubeconfig, context } = await clusterAccess(open);
    const kube = await connectKube(kubeconfig, context);
    await kube.version();
    return kube;
  } catch {
    return undefined;
  }
}

async function clusterAccess(open: OpenStack): Promise<{ kubeconfig: string; context: string }> {
  if (open.settings.cluster === "kind") {
    const kubeconfig = await readFile(join(kindFolder(open), "kubeconfig"), "utf8");
    return { kubeconfig, context: "" };
  }
  return toStackOutputs(open.name, await readOutputs(open));
}

/** Folder of the KinD cluster that this checkout made for the stack. */
export function kindFolder({ settings }: OpenStack): string {
  return join(projectFolder, ".slinky", "kind", settings.kindName);
}

async function recoverHelm(open: OpenStack, state: StackState, progress: Progress): Promise<void> {
  const kube = await reachCluster(open);
  if (kube === undefined) return;
  const ownCluster = open.settings.cluster === "kind";
  const records: HelmRecord[] = [];
  for (const [namespace, releases] of Object.entries(RELEASES)) {
    if (!(await isOurs(kube, namespace, state, ownCluster))) continue;
    const found = await kube.helmRecords(namespace);
    records.push(...found.filter(({ release }) => releases.includes(release)));
  }
  for (const decision of decideHelm(records, state.releases, ownCluster)) {
    progress.note(`  recover: ${decision.message}`);
    for (const secret of decision.secrets) await kube.deleteSecret(decision.namespace, secret);
    if (decision.forgetUrn === undefined) continue;
    // A refresh of the one resource asks Helm, hears that there is no such release, and drops it from the state.
    const words = ["refresh", "--yes", "--skip-preview", "--stack", open.name];
    await pulumi([...words, "--target", decision.forgetUrn], 300);
  }
}

/** Ours is a namespace of the stack's own cluster, one that the state has, or one that Pulumi labelled. */
async function isOurs(
  kube: Kube,
  namespace: string,
  state: StackState,
  ownCluster: boolean,
): Promise<boolean> {
  const labels = await kube.namespaceLabels(namespace);
  if (labels === undefined) return false;
  const label = labels["app.kubernetes.io/managed-by"]?.toLowerCase();
  return ownCluster || state.namespaces.includes(namespace) || label === "pulumi";
}
