import { createSlurmCommands, type RunInController } from "../../cluster/slurmCommands.ts";
import type { Canary, KeyPod } from "../ports.ts";
import { RESERVATION } from "../wireNames.ts";
import type { RunInPod } from "./podCommands.ts";
import { outputOf } from "./slurm.ts";

/** Seconds one command in a pod may take. */
const commandSeconds = 20;

/** File on the batch host that takes the output; the job's id keeps it apart from any other. */
const outputFile = (id: number | "%j"): string => `/tmp/auth-key-rotation-${id}.out`;

/** {@link Canary} by sbatch in the controller's pod, as Slurm's own user, whom the reservation admits. */
export function canaryPort(
  runInController: RunInController,
  runInPod: RunInPod,
  pods: () => Promise<readonly KeyPod[]>,
): Canary {
  const commands = createSlurmCommands(runInController);
  return {
    async submit(name, node) {
      // A submission whose answer was lost is found by its name, never repeated.
      const listed = await outputOf(runInController, [
        ...["squeue", "--noheader", "--states=all", `--name=${name}`, "--format=%A"],
      ]);
      const known = /^\s*(\d+)/.exec(listed)?.[1];
      if (known) return Number(known);
      const record = (await commands.nodes()).find((each) => each.name === node);
      const partition = record?.partitions[0];
      if (!partition)
        throw new Error(`node ${node} is in no partition, so no job can be tried there`);
      const answer = await outputOf(runInController, [
        ...["sbatch", "--parsable", `--job-name=${name}`, `--reservation=${RESERVATION}`],
        ...[
          `--partition=${partition}`,
          `--nodelist=${node}`,
          "--nodes=1",
          "--ntasks=1",
          "--time=2",
        ],
        ...["--chdir=/tmp", `--output=${outputFile("%j")}`, "--wrap=srun printenv SLURMD_NODENAME"],
      ]);
      const id = /^(\d+)(;\S+)?$/.exec(answer.trim())?.[1];
      if (id) return Number(id);
      throw new Error("sbatch gave no job id for the canary");
    },

    async state(id, node) {
      const { states } = await commands.job(id);
      if (!states.includes("COMPLETED")) return { states, output: "" };
      const pod = (await pods()).find(({ slurmNode }) => slurmNode === node);
      if (!pod) throw new Error(`the pod of node ${node} is gone`);
      const { exitCode, stdout } = await runInPod(pod, ["cat", outputFile(id)], commandSeconds);
      if (exitCode !== 0) throw new Error(`the output of canary job ${id} cannot be read`);
      return { states, output: stdout };
    },

    cancel: (id) => commands.cancel(id),
  };
}
