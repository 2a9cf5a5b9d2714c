import * as pulumi from "@pulumi/pulumi";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import { RandomBytes } from "@pulumi/random/randomBytes.js";
import { RandomPassword } from "@pulumi/random/randomPassword.js";
import type { AccountingConfig } from "../config/accounting.ts";
import type { LoginSetConfig } from "../config/loginSets.ts";
import type { NodeSetConfig } from "../config/nodeSets.ts";
import type { PartitionConfig } from "../config/partitions.ts";
import type { Scripts } from "../config/scripts.ts";
import type { SecretReference } from "../config/secretReference.ts";
import type { ChartSource } from "../config/sources.ts";
import type { Storage } from "../config/storage.ts";
import { AuthKeyRotation } from "../rotation/authKeyRotation.ts";
import type { RotationSettings } from "../rotation/context.ts";
import type { RotationHistory } from "../rotation/keyProperties.ts";
import { JwtKey } from "../rotation/jwtKey.ts";
import { AUTH_SECRET, JWT_SECRET } from "../rotation/wireNames.ts";
import type { ImageName } from "../versions.ts";
import { childOptions } from "./childOptions.ts";
import { databaseReachable } from "./databaseReachable.ts";
import { KeyGuard } from "./keyGuard.ts";
import { MariaDb } from "./mariaDb.ts";
import { RotatorAccess } from "./rotatorAccess.ts";
import { operatorNamespace } from "./slurmOperator.ts";
import { toSlurmValues } from "./slurmValues.ts";
import { WebhookReady } from "./webhook/webhookReady.ts";

/** Namespace and Helm release of the Slurm cluster; with them Slurm's own cluster name is `slurm_slurm`. */
export const slurmNames = {
  namespace: "slurm",
  release: "slurm",
  /** `<namespace>_<name of the Controller>` (slinky-contract, generated slurm.conf). */
  clusterName: "slurm_slurm",
} as const;

/** What the auth key remembers of its last rotation, as the program exports it. */
export type KeyRotationOutput = { readonly generation: number } & RotationHistory;

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
  /** Partitions over several NodeSets, by name. */
  partitions: Readonly<Record<string, PartitionConfig>>;
  /** LoginSets by name. */
  loginSets: Readonly<Record<string, LoginSetConfig>>;
  /** Secret with the sssd.conf of all login pods; the chart's own where undefined. */
  sssdSecret: SecretReference | undefined;
  /** slurmdbd and its database; undefined for none. */
  accounting: AccountingConfig | undefined;
  /** Extra parameters of slurm.conf. */
  slurmConf: Readonly<Record<string, string>>;
  /** Extra files in /etc/slurm. */
  configFiles: Readonly<Record<string, string>>;
  /** Prolog and epilog scripts. */
  scripts: Scripts;
  /** Volume of slurmctld's state. */
  controllerStorage: Storage;
  /** Seed of the auth key: another seed is another key. */
  keySeed: string;
  /** How another seed reaches a running cluster. */
  rotation: RotationSettings;
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
 * A Slurm cluster: its namespace, its two key Secrets, its database and its chart. The keys are put in place by resources that
 * can be trusted with a live key; neither the chart nor a Secret resource owns them.
 */
export class SlurmCluster extends pulumi.ComponentResource {
  /** First 12 hex digits of the SHA-256 of the auth key. */
  readonly keyFingerprint: pulumi.Output<string>;
  /** What the auth key remembers of its last rotation. */
  readonly keyRotation: pulumi.Output<KeyRotationOutput>;
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

    const guard = new KeyGuard(
      `${name}-key-guard`,
      { namespace: namespace.metadata.name },
      childOptions(this, opts),
    );
    new RotatorAccess(
      `${name}-rotator`,
      { namespace: namespace.metadata.name, operatorNamespace },
      childOptions(this, opts),
    );
    const root = (suffix: string) =>
      new RandomBytes(`${name}-${suffix}`, { length: rootBytes }, childOptions(this, opts)).base64;
    // Protected: without its key a running cluster stops. `npm run down` lifts that first.
    const authKey = new AuthKeyRotation(
      `${name}-auth-key`,
      {
        ...target,
        root: root("auth-root"),
        keySeed: args.keySeed,
        rotation: args.rotation,
        operatorNamespace,
        release: slurmNames.release,
        // The one image that is made to hold sackd.
        probeImage: args.images.login,
      },
      childOptions(this, opts, { dependsOn: [webhook, guard], protect: true }),
    );
    const jwtKey = new JwtKey(
      `${name}-jwt-key`,
      { ...target, root: root("jwt-root") },
      childOptions(this, opts, { dependsOn: [webhook, guard] }),
    );
    const database = this.#database(name, args, namespace.metadata.name, opts);

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
      childOptions(this, opts, { dependsOn: [authKey, jwtKey, ...database] }),
    );
    this.keyFingerprint = authKey.fingerprint;
    const { generation, strategy, servedSeed, previousSeed, previousFingerprint } = authKey;
    const { rotatedAt, outcome, report } = authKey;
    this.keyRotation = pulumi.output({
      ...{ generation, strategy, servedSeed, previousSeed, previousFingerprint },
      ...{ rotatedAt, outcome, report },
    });
    this.jwtFingerprint = jwtKey.fingerprint;
    this.registerOutputs({
      keyFingerprint: this.keyFingerprint,
      keyRotation: this.keyRotation,
      jwtFingerprint: this.jwtFingerprint,
    });
  }

  /**
   * What must answer before slurmdbd starts. The password exists whether accounting is on or off: the volume outlives
   * a time without accounting, and its tables know the first password only.
   */
  #database(
    name: string,
    args: SlurmClusterArgs,
    namespace: pulumi.Output<string>,
    opts: pulumi.ComponentResourceOptions,
  ): pulumi.Resource[] {
    const password = new RandomPassword(
      `${name}-database-password`,
      { length: 32, special: false },
      childOptions(this, opts),
    );
    const { accounting, imagePullSecrets } = args;
    if (accounting === undefined) return [];
    if ("database" in accounting) {
      const { host, port } = accounting.database;
      const image = args.images.slurmctld;
      const check = { host, port, namespace, image, imagePullSecrets };
      return [databaseReachable(name, check, childOptions(this, opts))];
    }
    return [
      new MariaDb(
        `${name}-database`,
        {
          image: args.images.mariadb,
          imagePullSecrets,
          namespace,
          storage: accounting.storage,
          password: password.result,
          timeoutSeconds: args.timeoutSeconds,
        },
        childOptions(this, opts),
      ),
    ];
  }
}
