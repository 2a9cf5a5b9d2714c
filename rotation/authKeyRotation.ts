import * as pulumi from "@pulumi/pulumi";
import type { RotationSettings } from "./context.ts";
import type { Report } from "./model.ts";
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
  /** How a rotation goes. */
  rotation: RotationSettings;
  /** Namespace of the slurm-operator. */
  operatorNamespace: pulumi.Input<string>;
  /** Name of the Controller, which is the Helm release's. */
  release: pulumi.Input<string>;
  /** Image with sackd and Slurm's clients, for the pod that tries the keys. */
  probeImage: pulumi.Input<string>;
}

/** Type token of the resource. */
const typeToken = "pulumi-nodejs:dynamic/rotation:AuthKeyRotation";

/**
 * The Slurm auth key of a cluster: an immutable Secret that only this resource creates, replaces and deletes. It
 * exists before the Slurm release, whose pods mount it. Another seed rotates the key (docs/rotation.md).
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
  /** Fingerprint before the last rotation; empty before the first. */
  declare readonly previousFingerprint: pulumi.Output<string>;
  /** Seed of the key that serves. */
  declare readonly servedSeed: pulumi.Output<string>;
  /** Seed of the key before; empty before the first rotation. */
  declare readonly previousSeed: pulumi.Output<string>;
  /** How keys are swapped. */
  declare readonly strategy: pulumi.Output<string>;
  /** When the last rotation began, ISO 8601; empty before the first. */
  declare readonly rotatedAt: pulumi.Output<string>;
  /** How the last rotation ended: completed, rolledBack, refused or needsHuman; empty before the first. */
  declare readonly outcome: pulumi.Output<string>;
  /** Figures of the last rotation. */
  declare readonly report: pulumi.Output<Partial<Report>>;

  constructor(name: string, args: AuthKeyRotationArgs, opts: pulumi.CustomResourceOptions = {}) {
    const { rotation, operatorNamespace, release, probeImage, ...key } = args;
    // Progress lines carry it; the provider process is not told which resource it works for (pulumi-facts, 2.6).
    // A promise, since an output would make the resource wait for its own parent's children.
    const progressUrn = new Promise<string>((resolve) => {
      pulumi.createUrn(name, typeToken, opts.parent).apply(resolve);
    });
    super(
      keyProvider,
      name,
      {
        ...key,
        rotation: { ...rotation, operatorNamespace, release, probeImage, progressUrn },
        root: pulumi.secret(args.root),
        kubeconfig: pulumi.secret(args.kubeconfig),
        secretName: AUTH_SECRET.name,
        dataKey: AUTH_SECRET.key,
        deleteTimeoutSeconds: args.deleteTimeoutSeconds ?? 120,
        fingerprint: undefined,
        generation: undefined,
        secretUid: undefined,
        clusterIdentity: undefined,
        servedSeed: undefined,
        previousSeed: undefined,
        previousFingerprint: undefined,
        strategy: undefined,
        rotatedAt: undefined,
        outcome: undefined,
        report: undefined,
      },
      { ...opts, additionalSecretOutputs: ["kubeconfig", "root"] },
      "rotation",
      "AuthKeyRotation",
    );
  }
}
