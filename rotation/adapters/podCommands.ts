import {
  type ExecResult,
  execInPod,
  type OpenPodSocket,
  PodExecError,
} from "../../cluster/podExec.ts";
import type { RunInController } from "../../cluster/slurmCommands.ts";
import { DAEMON_CONTAINERS } from "../../cluster/slurmPodContract.ts";
import { type Component, type KeyPod, PassingFailure } from "../ports.ts";

/** A pod of Slurm, whose daemon's container is meant, or one container of any pod. */
export type CommandPlace = Pick<KeyPod, "namespace" | "name"> &
  ({ readonly component: Component } | { readonly container: string });

/** Runs a command in a pod. */
export type RunInPod = (
  place: CommandPlace,
  command: readonly string[],
  timeoutSeconds: number,
) => Promise<ExecResult>;

/**
 * Makes {@link RunInPod}. A connection that broke may be tried again, because every command here is safe to repeat;
 * one that was refused is told apart by asking the API server whether the pod runs.
 * @param isRunning whether the pod runs; its own failure to answer is a passing one
 */
export function podCommands(
  open: OpenPodSocket,
  isRunning: (namespace: string, pod: string) => Promise<boolean>,
): RunInPod {
  return async (place, command, timeoutSeconds) => {
    const { namespace, name: pod } = place;
    const container =
      "container" in place ? place.container : (DAEMON_CONTAINERS[place.component] ?? "");
    try {
      return await execInPod(open, { namespace, pod, container }, command, { timeoutSeconds });
    } catch (error) {
      if (!(error instanceof PodExecError) || error.failure === "failed") throw error;
      if (await isRunning(namespace, pod))
        throw new PassingFailure(error.message, { cause: error });
      throw error;
    }
  };
}

/** Commands in the controller's pod. */
export function controllerCommands(
  run: RunInPod,
  namespace: string,
  release: string,
): RunInController {
  const pod = { namespace, name: `${release}-controller-0`, component: "controller" } as const;
  return (command, timeoutSeconds) => run(pod, command, timeoutSeconds);
}
