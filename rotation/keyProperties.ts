import type { RotationSettings } from "./context.ts";
import type { Report } from "./model.ts";

/** Where a key lives and how it is handled: inputs that stay outputs, since read and delete get no inputs. */
interface KeyPlace {
  readonly namespace: string;
  readonly secretName: string;
  readonly dataKey: string;
  /** kubeconfig text; secret. */
  readonly kubeconfig: string;
  readonly context: string;
  /** Seconds that delete waits until no pod uses the key any more. */
  readonly deleteTimeoutSeconds: number;
  /** How the key is rotated; absent for a key that never is. */
  readonly rotation?: RotationInputs;
}

/** Resolved inputs of a key resource. */
export interface KeyInputs extends KeyPlace {
  /** Root of the key in base64; secret. */
  readonly root: string;
  readonly keySeed: string;
}

/** How and where a key is rotated. */
export interface RotationInputs extends RotationSettings {
  readonly operatorNamespace: string;
  /** Name of the Controller, which is the Helm release's. */
  readonly release: string;
  /** Image with sackd and Slurm's clients, for the pod that tries the keys. */
  readonly probeImage: string;
  /** URN of the resource, so that progress appears next to it; empty = plain output. */
  readonly progressUrn: string;
}

/** What a rotating key remembers of its last rotation; empty texts before the first one. */
export interface RotationHistory {
  readonly strategy: string;
  /** Seed of the key that serves. */
  readonly servedSeed: string;
  /** Seed of the key before. */
  readonly previousSeed: string;
  readonly previousFingerprint: string;
  /** ISO 8601. */
  readonly rotatedAt: string;
  /** See `Outcome`. */
  readonly outcome: string;
  readonly report: Partial<Report>;
}

/** Outputs of a key resource. The key and its root are not among them. */
export interface KeyOutputs extends KeyPlace, Partial<RotationHistory> {
  readonly fingerprint: string;
  /** How many keys the Secret has carried, from 1. */
  readonly generation: number;
  readonly secretUid: string;
  /** UID of kube-system in the cluster that holds the Secret. */
  readonly clusterIdentity: string;
}
