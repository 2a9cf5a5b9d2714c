import { createHash } from "node:crypto";
import type { Workload } from "./ports.ts";

/**
 * What the operator writes into the pod template of slurmctld and slurmdbd to restart them when the key changes
 * (annotation `slinky.slurm.net/slurm-key-hash`): SHA-256 over all values of the Secret, in the order of their entries'
 * names; empty for none. Source: slurm-operator v1.2.1, internal/utils/crypto/hash.go.
 */
export function operatorHash(data: Readonly<Record<string, Uint8Array>>): string {
  const values = Object.keys(data)
    .sort()
    .map((entry) => data[entry] as Uint8Array);
  if (values.every(({ length }) => length === 0)) return "";
  return values.reduce((hash, value) => hash.update(value), createHash("sha256")).digest("hex");
}

/**
 * Whether this operator computes its hash as we do: every workload that carries one carries that of a Secret we know.
 * With another operator we leave the start of slurmctld to it, since it would restart what we started.
 */
export function isHashUnderstood(
  workloads: readonly Workload[],
  known: readonly Readonly<Record<string, Uint8Array>>[],
): boolean {
  const hashes = new Set(known.map(operatorHash));
  const carried = workloads.flatMap(({ keyHash }) => keyHash ?? []);
  return carried.length > 0 && carried.every((hash) => hashes.has(hash));
}
