import type { KubeApi } from "../kube/client.ts";
import type { SlurmFor } from "../slurm/slurmClients.ts";

/** What a reconciler works with. */
export interface ReconcileContext {
  api: KubeApi;
  slurmFor: SlurmFor;
  /** Unix time in milliseconds. */
  now: () => number;
  log: (text: string) => void;
}

/**
 * Brings the cluster to what the custom resource asks for, from what is observed (level-triggered).
 * Resolves with the seconds after which to look again, or undefined when events suffice; a resource that is gone is
 * no error. Rejects when something is missing or refused: the queue tries again later.
 */
export type Reconciler = (
  context: ReconcileContext,
  namespace: string,
  name: string,
) => Promise<number | undefined>;
