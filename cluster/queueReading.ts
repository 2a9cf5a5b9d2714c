/**
 * "No jobs" as a conclusion, not as an empty string (cases.md R24): a busy controller answers with an error on stderr,
 * with exit code 0 and no body, or once with nothing at all.
 */

import type { ExecResult } from "./podExec.ts";
import { parseJobs } from "./slurmJson.ts";
import type { SlurmJob, SlurmNode } from "./slurmJson.ts";

/** What one `squeue --json` said. */
export type QueueReading =
  | { readonly kind: "jobs"; readonly jobs: readonly SlurmJob[] }
  | { readonly kind: "empty" }
  | { readonly kind: "unknown"; readonly why: string };

/** Reads one answer; everything that is not a clean, well-formed list is `unknown`. */
export function readQueue(result: ExecResult): QueueReading {
  if (result.exitCode !== 0) return unknown(`squeue ended with code ${result.exitCode}`);
  if (result.stderr.trim() !== "") return unknown(`squeue wrote an error: ${result.stderr.trim()}`);
  try {
    const jobs = parseJobs(result.stdout, "squeue --json");
    return jobs.length === 0 ? { kind: "empty" } : { kind: "jobs", jobs };
  } catch (error) {
    return unknown(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Concludes from two consecutive readings and the nodes read after them. `empty` needs two empty readings and no
 * allocated CPU on any node; anything unclear is `unknown`, and the caller keeps waiting.
 */
export function concludeQueue(
  first: QueueReading,
  second: QueueReading,
  nodes: readonly SlurmNode[],
): QueueReading {
  if (second.kind !== "empty") return second;
  if (first.kind === "unknown") return first;
  if (first.kind === "jobs") return unknown("the queue was read empty only once");
  const occupied = nodes.filter((node) => node.allocatedCpus > 0).map((node) => node.name);
  if (nodes.length === 0) return unknown("no node was read, so the allocation is not known");
  return occupied.length === 0
    ? second
    : unknown(`squeue shows no job, yet CPUs are allocated on ${occupied.join(", ")}`);
}

function unknown(why: string): QueueReading {
  return { kind: "unknown", why };
}
