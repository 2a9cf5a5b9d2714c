import * as pulumi from "@pulumi/pulumi";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import { RandomBytes } from "@pulumi/random/randomBytes.js";
import type { ChartSource } from "../config/sources.ts";
import type { ControllerStorage } from "../config/stackConfig.ts";
import type { NodeSetConfig } from "../config/nodeSets.ts";
import { AuthKeyRotation } from "../rotation/authKeyRotation.ts";
import { JwtKey } from "../rotation/jwtKey.ts";
import { AUTH_SECRET, JWT_SECRET } from "../rotation/wireNames.ts";
import type { ImageName } from "../versions.ts";
import { childOptions } from "./childOptions.ts";
import { toSlurmValues } from "./slurmValues.ts";
import { WebhookReady } from "./webhook/webhookReady.ts";

/** Namespace and Helm release of the Slurm cluster; with them Slurm's own cluster name is `slurm_slurm`. */
export const slurmNames = {
  namespace: "slurm",
  release: "slurm",
  /** `<namespace>_<name of the Controller>` (slinky-contract, generated slurm.conf). */
  clusterName: "slurm_slurm",
} as const;

/** Bytes of randomness under each key. */
const rootBytes = 64;

/** Arguments of {@link SlurmCluster}. */
export interface SlurmClusterArgs {
  /** Chart and version. */
  chart: ChartSource;
  /** Image of each container by base name. */
  images: Readonly<Record<ImageName, string>>;
  /** Names of image pull Secrets in the namespace. */
  imagePullSecrets: readonly string[];
  /** NodeSets by name. */
  nodeSets: Readonly<Record<string, NodeSetConfig>>;
  /** Extra parameters of slurm.conf. */
  slurmConf: Readonly<Record<string, string>>;
  /** Extra files in /etc/slurm. */
  configFiles: Readonly<Record<string, string>>;
  /** Volume of slurmctld's state. */
  controllerStorage: ControllerStorage;
  /** Seed of the auth key: another seed is another key. */
  keySeed: string;
  /** kubeconfig text for the resources that speak to the cluster themselves; secret. */
  kubeconfig: pulumi.Input<string>;
  /** Context of that kubeconfig. */
  context: pulumi.Input<string>;
  /** Helm revision of the operator; a new one makes the webhook prove itself again. */
  operatorRevision: pulumi.Input<number>;
  /** How long until all objects of the chart are ready. */
  timeoutSeconds: number;
  /** How long until the operator's webhook answers. */
  webhookTimeoutSeconds: number;
}

/**
 * A Slurm cluster: its namespace, its two key Secrets and its chart. The keys are put in place by resources that
 * can be trusted with a live key; neither the chart nor a Secret resource owns them.
 */
export class SlurmCluster extends pulumi.ComponentResource {
  /** First 12 hex digits of the SHA-256 of the auth key. */
  readonly keyFingerprint: pulumi.Output<string>;
  /** The same of the JWT key. */
  readonly jwtFingerprint: pulumi.Output<string>;

  constructor(name: string, args: SlurmClusterArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:SlurmCluster", name, {}, opts);
    const namespace = new Namespace(
      `${name}-namespace`,
      { metadata: { name: slurmNames.namespace } },
      childOptions(this, opts),
    );
    const target = {
      kubeconfig: args.kubeconfig,
      context: args.context,
      namespace: namespace.metadata.name,
    };
    const webhook = new WebhookReady(
      `${name}-webhook-ready`,
      {
        ...target,
        operatorRevision: args.operatorRevision,
        timeoutSeconds: args.webhookTimeoutSeconds,
      },
      childOptions(this, opts),
    );

    const root = (suffix: string) =>
      new RandomBytes(`${name}-${suffix}`, { length: rootBytes }, childOptions(this, opts)).base64;
    const authKey = new AuthKeyRotation(
      `${name}-auth-key`,
      { ...target, root: root("auth-root"), keySeed: args.keySeed },
      childOptions(this, opts, { dependsOn: [webhook] }),
    );
    const jwtKey = new JwtKey(
      `${name}-jwt-key`,
      { ...target, root: root("jwt-root") },
      childOptions(this, opts, { dependsOn: [webhook] }),
    );

    new Release(
      name,
      {
        name: slurmNames.release,
        namespace: namespace.metadata.name,
        ...args.chart,
        values: toSlurmValues(args, { auth: AUTH_SECRET, jwt: JWT_SECRET }),
        timeout: args.timeoutSeconds,
        atomic: false,
      },
      childOptions(this, opts, { dependsOn: [authKey, jwtKey] }),
    );
    this.keyFingerprint = authKey.fingerprint;
    this.jwtFingerprint = jwtKey.fingerprint;
    this.registerOutputs({
      keyFingerprint: this.keyFingerprint,
      jwtFingerprint: this.jwtFingerprint,
    });
  }
}
