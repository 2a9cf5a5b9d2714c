import * as pulumi from "@pulumi/pulumi";
import { keyProvider } from "./provider.ts";
import { JWT_SECRET } from "./wireNames.ts";

/** Arguments of {@link JwtKey}. */
export interface JwtKeyArgs {
  /** Root of the key in base64, from random.RandomBytes; another root than the auth key's. Kept as a secret. */
  root: pulumi.Input<string>;
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
 * The key of Slurm's auth/jwt: an immutable Secret like the auth key's. It has no seed, because it is not rotated:
 * deleting it would delete every token Secret made from it (slurm-operator#248).
 */
export class JwtKey extends pulumi.dynamic.Resource {
  /** First 12 hex digits of the key's SHA-256. */
  declare readonly fingerprint: pulumi.Output<string>;
  /** How many keys the Secret has carried, from 1. */
  declare readonly generation: pulumi.Output<number>;
  /** UID of the Secret. */
  declare readonly secretUid: pulumi.Output<string>;
  /** UID of kube-system in the cluster that holds the Secret. */
  declare readonly clusterIdentity: pulumi.Output<string>;

  constructor(name: string, args: JwtKeyArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      keyProvider,
      name,
      {
        ...args,
        root: pulumi.secret(args.root),
        kubeconfig: pulumi.secret(args.kubeconfig),
        keySeed: "jwt",
        secretName: JWT_SECRET.name,
        dataKey: JWT_SECRET.key,
        deleteTimeoutSeconds: args.deleteTimeoutSeconds ?? 120,
        fingerprint: undefined,
        generation: undefined,
        secretUid: undefined,
        clusterIdentity: undefined,
      },
      { ...opts, additionalSecretOutputs: ["kubeconfig", "root"] },
      "rotation",
      "JwtKey",
    );
  }
}
