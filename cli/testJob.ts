/** The proof that the cluster works: one job over all nodes of a partition, and a line of output from each. */

import type { Clock } from "../cluster/clock.ts";
import { expandHostlist } from "../cluster/hostlist.ts";
import { PodExecError } from "../cluster/podExec.ts";
import type { SlurmJob, SlurmNode } from "../cluster/slurmJson.ts";
import type { SlurmCommands } from "../cluster/slurmCommands.ts";
import type { NodeSetOutput } from "./stackOutputs.ts";

/** What the job needs of the world. */
export interface JobPorts {
  readonly slurm: Pick<SlurmCommands, "submit" | "job" | "cancel">;
  readonly clock: Clock;
  /** Reads a file on a Slurm node. */
  readFile(node: string, path: string): Promise<string>;
}

/** What is asked for. */
export interface JobRequest {
  readonly partition: string;
  readonly nodes: number;
  /** Time from submission to the end of the job, in seconds. */
  readonly deadlineSeconds: number;
}

/** A job that completed with a line from each of its nodes. */
export interface JobReport {
  readonly id: number;
  /** Compressed host list. */
  readonly nodes: string;
  readonly output: string;
  readonly seconds: number;
}

/** Milliseconds between two looks at the job. */
const INTERVAL = 1_000;

/** Job states that are final (squeue(1), JOB STATE CODES). */
const FINAL_STATES = new Set(
  (
    "COMPLETED FAILED CANCELLED TIMEOUT NODE_FAIL PREEMPTED BOOT_FAIL DEADLINE OUT_OF_MEMORY " +
    "LAUNCH_FAILED RECONFIG_FAIL REVOKED"
  ).split(" "),
);

/**
 * Submits the job, waits for its end, reads its output and checks it.
 * @throws Error unless it COMPLETED with one line from each node; a job that is late is cancelled
 */
export async function runTestJob(ports: JobPorts, request: JobRequest): Promise<JobReport> {
  const { slurm, clock } = ports;
  const begun = clock.now();
  const id = await slurm.submit({
    name: "slinky-test",
    partition: request.partition,
    nodes: request.nodes,
    minutes: Math.max(1, Math.ceil(request.deadlineSeconds / 60)),
    output: "/tmp/slinky-test-%j.out",
    wrap: "srun --label hostname",
  });
  const job = await waitForEnd(ports, id, begun + request.deadlineSeconds * 1000, request);
  const output =
    job.batchHost === "" ? "" : await ports.readFile(job.batchHost, `/tmp/slinky-test-${id}.out`);
  if (!job.states.includes("COMPLETED")) {
    const code = job.exitCode === undefined ? "" : `, exit code ${job.exitCode}`;
    const told = output.trim() === "" ? "it wrote nothing" : `it wrote:\n${output.trimEnd()}`;
    throw new Error(`job ${id} ended ${job.states.join("+")} (${job.reason}${code}); ${told}`);
  }
  const missing = missingHosts(job.nodes, output);
  if (missing.length > 0) {
    throw new Error(
      `job ${id} completed, but there is no line from ${missing.join(", ")}; it wrote:\n${output}`,
    );
  }
  return { id, nodes: job.nodes, output, seconds: (clock.now() - begun) / 1000 };
}

/** Nodes of the job that wrote no line of the form `<task>: <host>` (srun --label). */
export function missingHosts(nodes: string, output: string): string[] {
  const heard = new Set(
    output.split("\n").flatMap((line) => /^\s*\d+: (\S+)/.exec(line)?.[1]?.split(".")[0] ?? []),
  );
  return expandHostlist(nodes).filter((node) => !heard.has(node));
}

/**
 * The partition and the number of nodes a test job takes when nothing else is asked for: the default partition, or
 * the first NodeSet's where Slurm has no default, and as many nodes as the NodeSets in it have replicas.
 * @throws Error when there is nothing to run on
 */
export function defaultRequest(
  partitions: readonly { readonly name: string; readonly isDefault: boolean }[],
  nodeSets: Readonly<Record<string, NodeSetOutput>>,
  nodes: readonly SlurmNode[],
  wanted: { readonly partition: string | undefined; readonly nodes: number | undefined },
): { readonly partition: string; readonly nodes: number } {
  const sets = Object.values(nodeSets);
  const partition =
    wanted.partition ?? partitions.find((each) => each.isDefault)?.name ?? sets[0]?.partition;
  if (partition === undefined || !partitions.some(({ name }) => name === partition)) {
    const known = partitions.map(({ name }) => name).join(", ") || "none";
    throw new Error(`there is no partition "${partition ?? "default"}"; Slurm has: ${known}`);
  }
  const replicas = sets
    .filter((set) => set.partition === partition)
    .reduce((sum, set) => sum + set.replicas, 0);
  const inPartition = nodes.filter((node) => node.partitions.includes(partition)).length;
  const count = wanted.nodes ?? (replicas > 0 ? replicas : inPartition);
  if (count === 0) throw new Error(`the partition "${partition}" has no nodes`);
  return { partition, nodes: count };
}

async function waitForEnd(
  { slurm, clock }: JobPorts,
  id: number,
  deadline: number,
  request: JobRequest,
): Promise<SlurmJob> {
  let seen = "it was not seen in the queue yet";
  for (;;) {
    try {
      const job = await slurm.job(id);
      if (job.states.some((state) => FINAL_STATES.has(state))) return job;
      seen = `it is ${job.states.join("+")} (${job.reason})`;
    } catch (error) {
      // A lost connection says nothing about the job: look again until the deadline.
      if (!(error instanceof PodExecError)) throw error;
      seen = error.message;
    }
    if (clock.now() + INTERVAL > deadline) {
      await slurm.cancel(id);
      throw new Error(
        `job ${id} on ${request.nodes} node(s) of partition ${request.partition} did not end within ` +
          `${request.deadlineSeconds} s: ${seen}. It was cancelled. See the nodes with: npm run status`,
      );
    }
    await clock.sleep(INTERVAL);
  }
}
