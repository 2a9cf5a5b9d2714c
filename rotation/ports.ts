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
