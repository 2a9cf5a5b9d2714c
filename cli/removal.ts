/** Removing a stack with everything that is ours, also where its cluster is gone already (cases.md R28). */

import { stat } from "node:fs/promises";
import { join } from "node:path";

import type { Progress } from "../progress.ts";
import { runProcess } from "./process.ts";
import { kindFolder, reachCluster, recoverLock } from "./recovery.ts";
import { toStackState } from "./stackState.ts";
import { exportState, pulumi, runEngine } from "./workspace.ts";
import type { OpenStack } from "./workspace.ts";

/** How a destroy may go about a cluster. */
export type DestroyMode =
  | { readonly kind: "proceed" }
  | { readonly kind: "proceed-without-cluster"; readonly message: string }
  | { readonly kind: "refuse"; readonly message: string };

/**
 * An existing cluster that does not answer is refused: its objects would be forgotten, not removed. A KinD cluster
 * that does not answer is the stack's own and goes with everything in it.
 */
export function decideDestroy(
  cluster: "kind" | "existing",
  answers: boolean,
  resources: number,
): DestroyMode {
  if (answers || resources === 0) return { kind: "proceed" };
  if (cluster === "kind") {
    return {
      kind: "proceed-without-cluster",
      message: "the KinD cluster does not answer: what is left of it is removed as a whole",
    };
  }
  return {
    kind: "refuse",
    message:
      "the cluster of this stack does not answer, so nothing in it can be removed; nothing was changed. " +
      "Make it reachable (kubeconfig, context, network) and run the same command again; only if it is gone for good: " +
      "PULUMI_K8S_DELETE_UNREACHABLE=true pulumi destroy",
  };
}

/** Destroys the stack's resources and what an interrupted run may have left of its KinD cluster. */
export async function removeStackResources(open: OpenStack, progress: Progress): Promise<string> {
  await recoverLock(open, progress);
  const state = toStackState(await exportState(open));
  const answers = (await reachCluster(open)) !== undefined;
  const mode = decideDestroy(open.settings.cluster, answers, state.resources);
  if (mode.kind === "refuse") throw new Error(mode.message);
  if (mode.kind === "proceed-without-cluster") {
    progress.note(`  down: ${mode.message}`);
    process.env["PULUMI_K8S_DELETE_UNREACHABLE"] = "true";
  }
  if (state.protectedResources > 0) {
    progress.note(`  down: lifting the protection of ${state.protectedResources} resource(s)`);
    await pulumi(["state", "unprotect", "--all", "--yes", "--stack", open.name]);
  }
  const { summary } = await runEngine(open, "destroy", progress);
  if (open.settings.cluster === "kind") await removeLeftCluster(open, progress);
  return summary;
}

/** Deletes a KinD cluster that the state does not know: its creation was interrupted. Only one this checkout made. */
async function removeLeftCluster(open: OpenStack, progress: Progress): Promise<void> {
  const { kindName } = open.settings;
  const folder = kindFolder(open);
  const made = await stat(folder).catch(() => undefined);
  if (made === undefined) return;
  const filter = `label=io.x-k8s.kind.cluster=${kindName}`;
  const words = ["ps", "--all", "--quiet", "--filter", filter];
  const { code, stdout } = await runProcess("docker", words, { timeoutSeconds: 30 });
  if (code !== 0 || stdout.trim() === "") return;
  await progress.step(`left-over KinD cluster ${kindName} deleted`, async () => {
    const kubeconfig = join(folder, "kubeconfig");
    const result = await runProcess(
      "kind",
      ["delete", "cluster", "--name", kindName, "--kubeconfig", kubeconfig],
      { timeoutSeconds: 180 },
    );
    if (result.code !== 0) {
      throw new Error(
        `kind delete cluster ended with code ${result.code}: ${result.stderr.trim()}`,
      );
    }
  });
}
