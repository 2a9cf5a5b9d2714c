/** Whether slurmdbd knows the cluster, asked in the controller's pod. */

import type { RunInController } from "./slurmCommands.ts";
import { SlurmAnswerError } from "./slurmJson.ts";

/** Seconds one command may take. */
const COMMAND_SECONDS = 20;

/**
 * Whether slurmctld has registered a cluster with slurmdbd: until then no job is recorded. A registered cluster has
 * the address of its slurmctld in slurmdbd's records (sacctmgr(1), ControlHost).
 * @throws SlurmAnswerError when slurmdbd does not answer
 */
export async function isClusterRegistered(run: RunInController, cluster: string): Promise<boolean> {
  const command = [
    ...["sacctmgr", "--noheader", "--parsable2", "show", "cluster", cluster],
    "format=Cluster,ControlHost,ControlPort",
  ];
  const { exitCode, stdout, stderr } = await run(command, COMMAND_SECONDS);
  if (exitCode !== 0) {
    const why = stderr.trim() || stdout.trim() || `exit code ${exitCode}`;
    throw new SlurmAnswerError("sacctmgr show cluster", why);
  }
  return stdout
    .split("\n")
    .map((line) => line.trim().split("|"))
    .some(([name, host = "", port = "0"]) => name === cluster && host !== "" && port !== "0");
}
