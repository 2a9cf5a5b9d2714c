import { type AccountingConfig, readAccounting } from "./accounting.ts";
import {
  type ConfigPlace,
  type ExistingClusterConfig,
  type KindClusterConfig,
  readCluster,
} from "./cluster.ts";
import { type LoginSetConfig, readLogin } from "./loginSets.ts";
import { type NodeSetConfig, readNodeSets } from "./nodeSets.ts";
import { type PartitionConfig, readPartitions } from "./partitions.ts";
import { Problems } from "./problems.ts";
import { RawValues, unknownKeyMessage } from "./rawValues.ts";
import { readRotation } from "./rotation.ts";
import { readScripts, type Scripts } from "./scripts.ts";
import type { SecretReference } from "./secretReference.ts";
import { readConfigFiles, readSlurmConf } from "./slurmConf.ts";
import { readSources, type Sources } from "./sources.ts";
import { readStorage, type Storage } from "./storage.ts";
import type { RotationSettings } from "../rotation/context.ts";
import { type ImageName, imageNames } from "../versions.ts";

/** Everything a stack can choose, validated. Pulumi.yaml documents each key. */
export interface StackConfig {
  readonly cluster: KindClusterConfig | ExistingClusterConfig;
  readonly sources: Sources;
  /** Info of the key derivation: another seed is another Slurm auth key. */
  readonly keySeed: string;
  /** How another seed reaches a running cluster. */
  readonly rotation: RotationSettings;
  readonly nodeSets: Readonly<Record<string, NodeSetConfig>>;
  readonly partitions: Readonly<Record<string, PartitionConfig>>;
  readonly loginSets: Readonly<Record<string, LoginSetConfig>>;
  /** sssd.conf of every login pod; the chart's own where absent. */
  readonly sssdSecret: SecretReference | undefined;
  /** Absent where accounting is off. */
  readonly accounting: AccountingConfig | undefined;
  readonly slurmConf: Readonly<Record<string, string>>;
  readonly configFiles: Readonly<Record<string, string>>;
  readonly scripts: Scripts;
  /** Volume of slurmctld's state. It is always persistent: without it a restart forgets nodes and jobs. */
  readonly controllerStorage: Storage;
  readonly helmTimeoutSeconds: number;
  readonly webhookTimeoutSeconds: number;
}

/** Every key of this project, as in Pulumi.yaml. */
export const configKeys = [
  "cluster",
  "kindName",
  "kindWorkers",
  "kindNodeImage",
  "kindKubeadmPatches",
  "kindMinimumFreeGiB",
  "kubeconfig",
  "context",
  "bundle",
  "charts",
  "images",
  "imagePullSecrets",
  "keySeed",
  "rotation",
  "nodeSets",
  "partitions",
  "loginSets",
  "sssdSecret",
  "accounting",
  "slurmConf",
  "configFiles",
  "scripts",
  "controllerStorage",
  "helmTimeoutSeconds",
  "kindTimeoutSeconds",
  "webhookTimeoutSeconds",
] as const;

/**
 * Validates the raw texts of a stack's configuration.
 * @param values text of each key, without the project's prefix
 * @param place where paths start
 * @throws one error that lists every bad value with its key and what is allowed
 */
export async function readStackConfig(
  values: Readonly<Record<string, string>>,
  place: ConfigPlace,
): Promise<StackConfig> {
  const problems = new Problems();
  const raw = new RawValues(values, problems);
  for (const key of Object.keys(values)) {
    if (!configKeys.some((known) => known === key)) {
      problems.add(key, unknownKeyMessage(key, configKeys));
    }
  }
  const cluster = await readCluster(raw, place);
  // KinD lets pods onto the control plane only when there is no worker.
  const schedulableNodes = cluster.kind === "kind" ? Math.max(cluster.workers, 1) : undefined;
  const nodeSets = readNodeSets(raw, schedulableNodes);
  const login = readLogin(raw);
  const accounting = await readAccounting(raw);
  const scripts = await readScripts(raw, place, readConfigFiles(raw));
  const config: StackConfig = {
    cluster,
    sources: await readSources(raw, place, neededImages(accounting)),
    keySeed: readKeySeed(raw),
    rotation: readRotation(raw),
    nodeSets,
    partitions: readPartitions(raw, nodeSets),
    ...login,
    accounting,
    slurmConf: readSlurmConf(raw),
    configFiles: scripts.configFiles,
    scripts: scripts.scripts,
    controllerStorage: readStorage(
      raw,
      "controllerStorage",
      raw.object("controllerStorage"),
      "4Gi",
    ),
    helmTimeoutSeconds: raw.integer("helmTimeoutSeconds", 600, 30, 7200),
    webhookTimeoutSeconds: raw.integer("webhookTimeoutSeconds", 120, 5, 3600),
  };
  problems.throwIfAny();
  return config;
}

/**
 * Images of the containers that this configuration starts: a bundle may lack the others. The login image is among
 * them even without login pods: a rotation tries its keys with it.
 */
function neededImages(accounting: AccountingConfig | undefined): ImageName[] {
  const unneeded: ImageName[] = [
    ...(accounting === undefined ? (["slurmdbd"] as const) : []),
    ...(accounting !== undefined && "storage" in accounting ? [] : (["mariadb"] as const)),
  ];
  return imageNames.filter((name) => !unneeded.includes(name));
}

function readKeySeed(raw: RawValues): string {
  const seed = raw.text("keySeed") ?? "initial";
  // ASCII only: the same-looking letter in two Unicode forms would be two different keys.
  if (!/^[\x20-\x7e]{1,128}$/.test(seed) || seed.trim() !== seed) {
    raw.problems.bad("keySeed", seed, "1 to 128 printable ASCII characters, no blank at the ends");
  }
  return seed;
}
