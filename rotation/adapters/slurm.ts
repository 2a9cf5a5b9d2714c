import type { ExecResult } from "../../cluster/podExec.ts";
import { compressHostlist } from "../../cluster/hostlist.ts";
import { readQueue } from "../../cluster/queueReading.ts";
import { createSlurmCommands, type RunInController } from "../../cluster/slurmCommands.ts";
import { SlurmAnswerError } from "../../cluster/slurmJson.ts";
import type { BlockingJob, QueueHold, Slurm } from "../ports.ts";
import { RESERVATION } from "../wireNames.ts";

/** Seconds one command may take. */
const commandSeconds = 20;

/** States of a job that holds nothing on any node; every other word means that it does. */
const harmless = new Set(
  (
    "PENDING COMPLETED CANCELLED FAILED TIMEOUT NODE_FAIL PREEMPTED BOOT_FAIL DEADLINE OUT_OF_MEMORY " +
    "REQUEUED REQUEUE_HOLD REQUEUE_FED SPECIAL_EXIT REVOKED RECONFIG_FAIL"
  ).split(" "),
);

/** Runs a command that must succeed and returns its output. @throws SlurmAnswerError with Slurm's own words */
export async function outputOf(run: RunInController, command: readonly string[]): Promise<string> {
  const result = await run(command, commandSeconds);
  if (result.exitCode === 0) return result.stdout;
  throw new SlurmAnswerError(command.slice(0, 3).join(" "), wordsOf(result));
}

/** {@link Slurm} by scontrol and squeue in the controller's pod. */
export function slurmPort(run: RunInController): Slurm {
  const commands = createSlurmCommands(run);
  return {
    nodes: () => commands.nodes(),

    async blockingJobs() {
      const result = await run(["squeue", "--all", "--json"], commandSeconds);
      const reading = readQueue(result);
      if (reading.kind === "unknown") return "unknown";
      if (reading.kind === "empty") return [];
      const ends = endsOf(result.stdout);
      return reading.jobs
        .filter(({ states }) => states.some((state) => !harmless.has(state)))
        .map(({ id, states, nodes }): BlockingJob => {
          return { id, state: states.join("+"), nodes, endsAtSeconds: ends.get(id) };
        });
    },

    async update(nodes, change) {
      if (nodes.length === 0) return;
      const words = [`nodename=${compressHostlist(nodes)}`, `state=${change.to}`];
      if (change.to !== "resume") words.push(`reason=${change.reason}`);
      const result = await run(["scontrol", "update", ...words], commandSeconds);
      if (result.exitCode === 0) return;
      // A node that came back between the look and the command needs no resume.
      const isBack = change.to === "resume" && /Invalid node state/i.test(result.stderr);
      if (!isBack) throw new SlurmAnswerError("scontrol update", wordsOf(result));
    },

    async requeue(jobs) {
      if (jobs.length === 0) return;
      const requeued = await run(["scontrol", "requeue", jobs.join(",")], commandSeconds);
      if (requeued.exitCode === 0) return;
      for (const id of jobs) {
        const single = await run(["scontrol", "requeue", String(id)], commandSeconds);
        if (single.exitCode !== 0) await outputOf(run, ["scancel", String(id)]);
      }
    },
  };
}

/** {@link QueueHold} by a reservation over all nodes, in which only Slurm's own user may run (lab figures in docs). */
export function queueHold(run: RunInController): QueueHold {
  const isSet = async (): Promise<boolean> => {
    const text = await outputOf(run, ["scontrol", "--oneliner", "show", "reservation"]);
    return text.split("\n").some((line) => line.startsWith(`ReservationName=${RESERVATION} `));
  };
  return {
    isSet,
    async set() {
      if (await isSet()) return;
      await outputOf(run, [
        ...["scontrol", "create", "reservation", `ReservationName=${RESERVATION}`, "StartTime=now"],
        ...["Duration=UNLIMITED", "Nodes=ALL", "Users=slurm"],
        "Flags=MAINT,IGNORE_JOBS,NO_HOLD_JOBS_AFTER",
      ]);
    },
    async release() {
      if (!(await isSet())) return;
      await outputOf(run, ["scontrol", "delete", `ReservationName=${RESERVATION}`]);
    },
  };
}

/** When each job's limit ends; jobs without a limit are left out. The text has passed the strict reader. */
function endsOf(text: string): Map<number, number> {
  const { jobs } = JSON.parse(text) as {
    jobs: { job_id: number; end_time?: { set?: boolean; infinite?: boolean; number?: number } }[];
  };
  return new Map(
    jobs.flatMap(({ job_id: id, end_time: end }) =>
      end?.set && !end.infinite && end.number ? [[id, end.number] as const] : [],
    ),
  );
}

function wordsOf({ exitCode, stdout, stderr }: ExecResult): string {
  return `exit code ${exitCode}: ${stderr.trim() || stdout.trim() || "no message"}`.slice(0, 300);
}
