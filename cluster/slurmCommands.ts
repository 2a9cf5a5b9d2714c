/** Slurm's own commands, run in the controller pod and read strictly. */

import type { ExecResult } from "./podExec.ts";
import { concludeQueue, readQueue } from "./queueReading.ts";
import type { QueueReading } from "./queueReading.ts";
import { parseJobs, parseNodes, SlurmAnswerError } from "./slurmJson.ts";
import type { SlurmJob, SlurmNode } from "./slurmJson.ts";

/** Runs an argument vector where Slurm's clients work; every call ends within `timeoutSeconds`. */
export type RunInController = (
  command: readonly string[],
  timeoutSeconds: number,
) => Promise<ExecResult>;

/** What a batch job is asked for. */
export interface BatchJob {
  readonly name: string;
  readonly partition: string;
  /** Nodes, one task on each. */
  readonly nodes: number;
  /** Limit of the run time, in minutes. */
  readonly minutes: number;
  /** File on the batch host that takes its output; `%j` is the job id. */
  readonly output: string;
  /** Shell command of the batch script. */
  readonly wrap: string;
}

/** A partition, as sinfo lists it. */
export interface SlurmPartition {
  readonly name: string;
  readonly isDefault: boolean;
  readonly nodes: number;
}

/** Slurm as seen from the controller pod. */
export interface SlurmCommands {
  /** All node records; an empty list only where Slurm has none. */
  nodes(): Promise<SlurmNode[]>;
  partitions(): Promise<SlurmPartition[]>;
  /** Jobs in the queue, concluded from two readings and the nodes' allocation (R24). */
  queue(): Promise<QueueReading>;
  /** Submits and returns the job id. Not safe to repeat: look for the job name first. */
  submit(job: BatchJob): Promise<number>;
  job(id: number): Promise<SlurmJob>;
  /** Removes a job; one that has ended already is no error. */
  cancel(id: number): Promise<void>;
}

/** Seconds one client command may take: slurmctld answers in well under one, its own message timeout is 10. */
const COMMAND_SECONDS = 20;

/** Binds the commands to a way of running them. */
export function createSlurmCommands(run: RunInController): SlurmCommands {
  const output = async (command: readonly string[]): Promise<string> => {
    const result = await run(command, COMMAND_SECONDS);
    if (result.exitCode === 0) return result.stdout;
    const why = result.stderr.trim() || result.stdout.trim() || "no message";
    throw new SlurmAnswerError(command.join(" "), `exit code ${result.exitCode}: ${why}`);
  };
  const nodes = async (): Promise<SlurmNode[]> =>
    parseNodes(await output(["scontrol", "show", "nodes", "--json"]));

  return {
    nodes,

    async partitions() {
      return parsePartitions(await output(["sinfo", "--noheader", "--format=%P|%D"]));
    },

    async queue() {
      const first = readQueue(await run(["squeue", "--json"], COMMAND_SECONDS));
      const second = readQueue(await run(["squeue", "--json"], COMMAND_SECONDS));
      return concludeQueue(first, second, await nodes());
    },

    async submit(job) {
      const answer = await output([
        "sbatch",
        "--parsable",
        `--job-name=${job.name}`,
        `--partition=${job.partition}`,
        `--nodes=${job.nodes}`,
        "--ntasks-per-node=1",
        `--time=${job.minutes}`,
        "--chdir=/tmp",
        `--output=${job.output}`,
        `--wrap=${job.wrap}`,
      ]);
      const id = /^(\d+)(;\S+)?$/.exec(answer.trim())?.[1];
      if (id === undefined) throw new SlurmAnswerError("sbatch", `no job id in "${answer.trim()}"`);
      return Number(id);
    },

    async job(id) {
      const command = ["scontrol", "show", "job", String(id), "--json"];
      const found = parseJobs(await output(command), command.join(" ")).find(
        (job) => job.id === id,
      );
      if (found === undefined)
        throw new SlurmAnswerError(command.join(" "), "the job is not there");
      return found;
    },

    async cancel(id) {
      await output(["scancel", String(id)]);
    },
  };
}

/** Reads `%P|%D` lines; a partition whose nodes are in several states is summed over its lines. */
function parsePartitions(text: string): SlurmPartition[] {
  const found = new Map<string, SlurmPartition>();
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const match = /^(\S+?)(\*?)\|(\d+)$/.exec(line.trim());
    if (match === null) throw new SlurmAnswerError("sinfo", `cannot read the line "${line}"`);
    const [, name = "", star, count] = match;
    const nodes = (found.get(name)?.nodes ?? 0) + Number(count);
    found.set(name, { name, isDefault: star === "*", nodes });
  }
  return [...found.values()];
}
