import * as pulumi from "@pulumi/pulumi";
import { keyProvider } from "./provider.ts";
import { AUTH_SECRET } from "./wireNames.ts";

/** Arguments of {@link AuthKeyRotation}. */
export interface AuthKeyRotationArgs {
  /** Root of the key in base64, from random.RandomBytes. Kept as a secret; never an output. */
  root: pulumi.Input<string>;
  /** Info of the key derivation: the same root and seed are the same key. */
  keySeed: pulumi.Input<string>;
  /** Namespace of the Secret. */
  namespace: pulumi.Input<string>;
  /** kubeconfig text. Kept as a secret. */
  kubeconfig: pulumi.Input<string>;
  /** Context of that kubeconfig. */
  context: pulumi.Input<string>;
  /** Seconds that a deletion waits until no pod uses the key. Default 120. */
  deleteTimeoutSeconds?: pulumi.Input<number>;
}

/**
 * The Slurm auth key of a cluster: an immutable Secret that only this resource creates and deletes. It exists before
 * the Slurm release, whose pods mount it.
 */
export class AuthKeyRotation extends pulumi.dynamic.Resource {
  /** First 12 hex digits of the key's SHA-256. */
  declare readonly fingerprint: pulumi.Output<string>;
  /** How many keys the Secret has carried, from 1. */
  declare readonly generation: pulumi.Output<number>;
  /** UID of the Secret. */
  declare readonly secretUid: pulumi.Output<string>;
  /** UID of kube-system in the cluster that holds the Secret. */
  declare readonly clusterIdentity: pulumi.Output<string>;

  constructor(name: string, args: AuthKeyRotationArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      keyProvider,
      name,
      {
        ...args,
        root: pulumi.secret(args.root),
        kubeconfig: pulumi.secret(args.kubeconfig),
        secretName: AUTH_SECRET.name,
        dataKey: AUTH_SECRET.key,
        deleteTimeoutSeconds: args.deleteTimeoutSeconds ?? 120,
        fingerprint: undefined,
        generation: undefined,
        secretUid: undefined,
        clusterIdentity: undefined,
      },
      { ...opts, additionalSecretOutputs: ["kubeconfig", "root"] },
      "rotation",
      "AuthKeyRotation",
    );
  }
}
