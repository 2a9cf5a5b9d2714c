import type { SlurmNode } from "../cluster/slurmJson.ts";
import type { Journal } from "./model.ts";

/** A Secret as the key engine sees it. */
export interface LiveSecret {
  readonly uid: string;
  readonly immutable: boolean;
  readonly data: Readonly<Record<string, Uint8Array>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A Secret to create; always immutable and of type Opaque. */
export interface NewSecret {
  readonly namespace: string;
  readonly name: string;
  readonly data: Readonly<Record<string, Uint8Array>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Access to the cluster that holds the keys. Every call has a deadline of its own. */
export interface KeyCluster {
  /** UID of the namespace kube-system: it names a cluster for as long as it lives (R21). */
  identity(): Promise<string>;
  /** The Secret, or undefined when it or its namespace does not exist. */
  readSecret(namespace: string, name: string): Promise<LiveSecret | undefined>;
  /**
   * Creates the Secret.
   * @throws SecretExists when there is one by that name
   */
  createSecret(secret: NewSecret): Promise<LiveSecret>;
  /** Deletes the Secret if it still has this uid; an absent Secret is fine. */
  deleteSecret(namespace: string, name: string, uid: string): Promise<void>;
  /** Names of the pods that reference the Secret and are not being deleted. */
  holders(namespace: string, secretName: string): Promise<readonly string[]>;
}

/** Opens a cluster by kubeconfig text and context. */
export type ConnectCluster = (kubeconfig: string, context: string) => Promise<KeyCluster>;

/** Thrown by {@link KeyCluster.createSecret}: somebody else was first. */
export class SecretExists extends Error {}

/** Thrown by every call when the cluster cannot be reached or does not answer in time. */
export class ClusterUnreachable extends Error {}

/*
 * Ports of a running rotation. Waits and retries are not theirs: a call does one thing, under a deadline of its own,
 * and every write may be repeated after an answer that was lost.
 */

/** A Secret with all that must survive its replacement (R26). */
export interface StoredSecret extends LiveSecret {
  readonly name: string;
  readonly type: string;
  readonly ownerReferences: readonly Readonly<Record<string, unknown>>[];
  readonly finalizers: readonly string[];
  readonly isBeingDeleted: boolean;
  /** Unix seconds on the API server's clock. */
  readonly createdAtSeconds: number;
  /** Field managers that wrote the key's entry. */
  readonly keyManagers: readonly string[];
}

/** A Secret to create, immutable. */
export type SecretToStore = Pick<
  StoredSecret,
  "name" | "type" | "data" | "labels" | "annotations" | "ownerReferences"
>;

/** Secrets of the Slurm namespace. */
export interface SecretStore {
  /** The Secret, or undefined when there is none. */
  read(name: string): Promise<StoredSecret | undefined>;
  /** @throws SecretExists when there is one by that name */
  create(secret: SecretToStore): Promise<StoredSecret>;
  /** Opens the guard for the Secret with this uid and deletes it; an absent Secret is fine. */
  remove(name: string, uid: string): Promise<void>;
  /** Closes the guard again that a crash left open; an absent Secret is fine. */
  lock(name: string): Promise<void>;
  /** Names of the staged keys. */
  staged(): Promise<readonly string[]>;
}

/** What a pod is to Slurm (slinky-contract, 3.1); `unknown` mounts the key and is none of Slurm's. */
export type Component =
  "controller" | "accounting" | "restapi" | "login" | "worker" | "operator" | "unknown";

/** A pod that matters to the rotation. */
export interface KeyPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly component: Component;
  /** NodeSet or LoginSet of the pod; empty for others. */
  readonly set: string;
  /** Slurm node of a worker; empty for others. */
  readonly slurmNode: string;
  readonly kubernetesNode: string;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  /** Whether it references the live Secret. */
  readonly usesKey: boolean;
  /** Whether it takes its keys from a ring (SLURM_SACK_JWKS) instead of the key file (R25). */
  readonly usesRing: boolean;
  /** What Kubernetes says that keeps it from being ready, in a few words. */
  readonly problem: string;
}

/** A workload that can be scaled: the operator's Deployment and what the operator made of the Slurm resources. */
export interface Workload {
  /** `<namespace>/<kind>/<name>`. */
  readonly id: string;
  readonly component: Exclude<Component, "worker" | "unknown">;
  readonly replicas: number;
  readonly readyReplicas: number;
  /** The operator's hash of the Secret that its pods start on (operatorHash.ts); undefined where it writes none. */
  readonly keyHash: string | undefined;
}

/** Pods and workloads of Slurm and its operator. */
export interface Workloads {
  /** Pods of Slurm, of the operator, and every other pod that references the live Secret. */
  pods(): Promise<readonly KeyPod[]>;
  workloads(): Promise<readonly Workload[]>;
  /** Scales it; in the same write sets the operator's hash, so that the operator finds nothing to restart. */
  scale(workload: string, replicas: number, keyHash?: string): Promise<void>;
  /** Deletes all pods of a component in one call, with the grace period that each has; none is fine. */
  deletePods(component: "worker" | "operator"): Promise<void>;
}

/** What to make of nodes: a reason is kept byte by byte. */
export type NodeChange =
  { readonly to: "drain" | "down"; readonly reason: string } | { readonly to: "resume" };

/** A job that keeps a node from being quiet. */
export interface BlockingJob {
  readonly id: number;
  readonly state: string;
  readonly nodes: string;
  /** Unix seconds at which its limit ends; undefined without a limit. */
  readonly endsAtSeconds: number | undefined;
}

/** Slurm's nodes and jobs, as slurmctld sees them. */
export interface Slurm {
  nodes(): Promise<readonly SlurmNode[]>;
  /** Jobs with resources: running, suspended or completing; `unknown` when the answer is not clear (R24). */
  blockingJobs(): Promise<readonly BlockingJob[] | "unknown">;
  /** Changes exactly these nodes; an empty list does nothing. */
  update(nodes: readonly string[], change: NodeChange): Promise<void>;
  /** Requeues jobs, or cancels the ones that cannot be requeued. */
  requeue(jobs: readonly number[]): Promise<void>;
}

/** The reservation that holds the queue. */
export interface QueueHold {
  isSet(): Promise<boolean>;
  set(): Promise<void>;
  release(): Promise<void>;
}

/** Evidence of which key is in use, asked from outside the daemons. */
export interface Probe {
  /** Fingerprint of the key file in a pod, computed there. */
  keyFile(pod: KeyPod): Promise<string>;
  /** An authenticated client call from inside a pod. @throws when it is not answered */
  clientCall(pod: KeyPod): Promise<void>;
  /** slurmdbd answers sacct; slurmrestd answers a request with a token. @throws when one does not */
  services(pods: readonly KeyPod[]): Promise<void>;
  /**
   * Starts a client with a staged key; whether slurmctld took it or refused its authentication. It takes some seconds,
   * so that an abort ends it early. What it needs stays until {@link Probe.end}.
   */
  tryKey(stagedSecret: string, signal?: AbortSignal): Promise<"accepted" | "refused">;
  /** Takes away what the tries with a staged key left; nothing is fine. */
  end(stagedSecret: string): Promise<void>;
}

/** Jobs of ours inside the reservation. */
export interface Canary {
  /** Submits once, however often it is called for one name, and returns the job's id. */
  submit(name: string, node: string): Promise<number>;
  /** The job's states, and what it printed once it has completed. */
  state(id: number, node: string): Promise<{ states: readonly string[]; output: string }>;
  cancel(id: number): Promise<void>;
}

/** Where the journal is kept. */
export interface JournalStore {
  read(): Promise<Journal | undefined>;
  /** Writes it if nobody else has written since the last read or write. @throws LeaseLost otherwise */
  write(journal: Journal): Promise<void>;
}

/** Mutual exclusion of rotations on one cluster. */
export interface Lease {
  /** Takes the Lease, or a stale one. @throws LeaseHeld naming the holder and since when */
  acquire(): Promise<void>;
  /** Renews it. @throws LeaseLost when somebody else has taken it */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** What the kubeconfig in use is allowed to do. */
export interface Access {
  /** Rights of a rotation that are missing, in words; empty when it may go ahead. */
  missing(): Promise<readonly string[]>;
}

/** Another process rotates this cluster's key. */
export class LeaseHeld extends Error {}

/** Somebody else took over; nothing may be written any more. */
export class LeaseLost extends Error {}

/** A call that failed for a passing reason; every call of a port may be repeated. */
export class PassingFailure extends Error {}

/** Takes one line for people. */
export type Log = (line: string) => void;

/** All ports of a rotation. */
export interface RotationPorts {
  readonly secrets: SecretStore;
  readonly workloads: Workloads;
  readonly slurm: Slurm;
  readonly hold: QueueHold;
  readonly probe: Probe;
  readonly canary: Canary;
  readonly journals: JournalStore;
  readonly lease: Lease;
  readonly access: Access;
}
