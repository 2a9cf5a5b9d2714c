/**
 * Strict readers of Slurm's `--json` output (data_parser v0.0.44 and v0.0.45, Slurm 25.11 and 26.05). A field we use
 * and do not find is an error: a half-read answer must not pass for "no nodes" or "no jobs".
 */

import { classifyNodeState } from "./nodeState.ts";
import type { NodeState } from "./nodeState.ts";

/** A node as slurmctld sees it. */
export interface SlurmNode {
  readonly name: string;
  /** As `State=` spells it, for people. */
  readonly stateText: string;
  readonly state: NodeState;
  /** Who or what set it down or draining; empty when nobody did. */
  readonly reason: string;
  readonly partitions: readonly string[];
  readonly allocatedCpus: number;
  /** Slurm version of its slurmd; empty until it has registered. */
  readonly version: string;
  /** When its slurmd started, in Unix seconds; undefined until it has registered. */
  readonly slurmdStartSeconds: number | undefined;
}

/** A job as slurmctld sees it. */
export interface SlurmJob {
  readonly id: number;
  /** For example COMPLETED, or several: RUNNING and COMPLETING. */
  readonly states: readonly string[];
  /** Why it waits or failed, in Slurm's word (`None` when it does not). */
  readonly reason: string;
  /** Compressed list of its nodes; empty while it waits. */
  readonly nodes: string;
  /** The node its batch script runs on; empty while it waits. */
  readonly batchHost: string;
  readonly exitCode: number | undefined;
}

/** An answer of Slurm that is not what its data parser promises. */
export class SlurmAnswerError extends Error {
  constructor(command: string, why: string) {
    super(`${command}: ${why}`);
    this.name = "SlurmAnswerError";
  }
}

/**
 * Reads `scontrol show nodes --json`.
 * @throws SlurmAnswerError when the text is not that, or carries errors.
 */
export function parseNodes(text: string): SlurmNode[] {
  const command = "scontrol show nodes --json";
  return listIn(command, text, "nodes").map((node) => {
    const state = strings(command, node, "state");
    return {
      name: string(command, node, "name"),
      stateText: state.join("+"),
      state: classifyNodeState(state),
      reason: string(command, node, "reason"),
      partitions: strings(command, node, "partitions"),
      allocatedCpus: number(command, node, "alloc_cpus"),
      version: string(command, node, "version"),
      slurmdStartSeconds: optionalNumber(node["slurmd_start_time"]),
    };
  });
}

/**
 * Reads the jobs of `scontrol show job --json` or `squeue --json`.
 * @throws SlurmAnswerError when the text is not that, or carries errors.
 */
export function parseJobs(text: string, command: string): SlurmJob[] {
  return listIn(command, text, "jobs").map((job) => ({
    id: number(command, job, "job_id"),
    states: strings(command, job, "job_state"),
    reason: string(command, job, "state_reason"),
    nodes: string(command, job, "nodes"),
    batchHost: string(command, job, "batch_host"),
    exitCode: optionalNumber(
      isObject(job["exit_code"]) ? job["exit_code"]["return_code"] : undefined,
    ),
  }));
}

type Fields = Readonly<Record<string, unknown>>;

function listIn(command: string, text: string, field: string): Fields[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new SlurmAnswerError(command, `the answer is not JSON (${text.length} characters)`);
  }
  if (!isObject(answer)) throw new SlurmAnswerError(command, "the answer is not an object");
  const errors = answer["errors"];
  if (Array.isArray(errors) && errors.length > 0) {
    const [first] = errors as unknown[];
    const why = isObject(first) ? first["description"] || first["error"] : undefined;
    throw new SlurmAnswerError(command, typeof why === "string" ? why : "Slurm reports an error");
  }
  const list = answer[field];
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw new SlurmAnswerError(command, `the answer has no list "${field}"`);
  }
  return list;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function string(command: string, fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value;
  throw new SlurmAnswerError(command, `"${name}" is not a text`);
}

function strings(command: string, fields: Fields, name: string): string[] {
  const value = fields[name];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new SlurmAnswerError(command, `"${name}" is not a list of texts`);
}

function number(command: string, fields: Fields, name: string): number {
  const value = optionalNumber(fields[name]);
  if (value !== undefined) return value;
  throw new SlurmAnswerError(command, `"${name}" is not a number`);
}

/** Slurm writes a number that may be unset as {set, infinite, number}. */
function optionalNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (isObject(value) && value["set"] === true && typeof value["number"] === "number") {
    return value["number"];
  }
  return undefined;
}
