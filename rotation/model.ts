/** Words and records of a rotation: data only. */

/** Steps in their order; the runbook is docs/rotation.md. */
export const stepNames = [
  "check-preconditions",
  "stage-key",
  "drain",
  "quiesce",
  "swap",
  "restore",
  "verify",
  "resume",
  "retire-old-key",
] as const;

/** Name of a step, as logs, the journal and errors spell it. */
export type StepName = (typeof stepNames)[number];

/** How a rotation ended. Only `completed` and, where the old key was asked for, `rolledBack` are a success. */
export type Outcome = "completed" | "rolledBack" | "refused" | "needsHuman";

/**
 * Where an unfinished rotation stands, judged from the cluster:
 * `serving` the old key serves and slurmctld runs; `quiesced` nobody runs, old key or none in place;
 * `swapped` the new key is in place; `proved` the new key passed verification, so there is no way back.
 */
export type Phase = "serving" | "quiesced" | "swapped" | "proved";

/** A node that somebody else took out of service; what its record said before we touched its pod. */
export interface ForeignNode {
  readonly name: string;
  readonly reason: string;
  /** Whether it was set down; otherwise it was drained. */
  readonly down: boolean;
}

/** A workload's size before it was scaled to nothing. */
export interface RecordedSize {
  /** `<namespace>/<kind>/<name>`. */
  readonly workload: string;
  readonly replicas: number;
}

/** Figures of a rotation, for people and for the resource's outputs. */
export interface Report {
  /** Seconds of each step that ran, by its name; `undo <step>` for compensation. */
  readonly stepSeconds: Readonly<Record<string, number>>;
  readonly nodesDrained: number;
  readonly jobsRequeued: number;
  /** Seconds between slurmctld's stop and its first answer. */
  readonly outageSeconds: number;
  /** NodeSets in which no canary could run, because none of their nodes is in service. */
  readonly untestedNodeSets: readonly string[];
}

/**
 * The memory of a rotation, in the cluster: written before every step, and before anything that only it can undo.
 * Fingerprints, names and numbers; never key bytes.
 */
export interface Journal {
  readonly schemaVersion: 1;
  /** Fingerprint of the key that served before. */
  readonly from: string;
  /** Fingerprint of the key that shall serve; the same as `from` for a drained restart. */
  readonly to: string;
  /** Generation that `to` gets. */
  readonly generation: number;
  readonly direction: "forward" | "back";
  /** The furthest step that was reached; taking back and going over earlier steps again leave it. */
  readonly step: StepName;
  /** Whether that step was done. */
  readonly status: "started" | "done";
  /** Fingerprint that last passed verification with the daemons that run now; empty while that is open. */
  readonly proved: string;
  /** Slurm nodes that we drained. */
  readonly drained: readonly string[];
  readonly foreign: readonly ForeignNode[];
  readonly sizes: readonly RecordedSize[];
  /** Worker pods before they were deleted. */
  readonly workers: readonly string[];
  /** Unix seconds at which slurmctld was stopped; 0 while it runs. */
  readonly stoppedAtSeconds: number;
  readonly startedAt: string;
  readonly report: Report;
  /** Set when the rotation is over. A journal without it is unfinished business. */
  readonly outcome?: Outcome;
}

/** Everything a plan is made from. */
export interface Observation {
  /** Fingerprint the configuration asks for. */
  readonly wanted: string;
  /** Fingerprint the stack's state remembers; undefined when it has none. */
  readonly recorded: string | undefined;
  /** Fingerprint in the live Secret; undefined when the Secret is absent. */
  readonly live: string | undefined;
  /** The journal, finished or not. */
  readonly journal: Journal | undefined;
  /** Whether a controller pod runs. */
  readonly controllerRuns: boolean;
  /** Pods whose key file does not carry the live key, with what they carry. */
  readonly stale: readonly string[];
  /** Traces of a rotation that no unfinished journal explains: a reservation, drained nodes, staged keys. */
  readonly leftovers: readonly string[];
}

/** What to do. */
export type Plan =
  | { readonly kind: "nothing" }
  | { readonly kind: "rotate"; readonly from: string; readonly to: string }
  | { readonly kind: "restart"; readonly why: string }
  | { readonly kind: "tidy"; readonly leftovers: readonly string[] }
  | { readonly kind: "putBack" }
  | { readonly kind: "resume"; readonly at: StepName }
  | { readonly kind: "rollBack"; readonly from: StepName }
  | { readonly kind: "refuse"; readonly reason: string };
