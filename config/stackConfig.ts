import {
  type ConfigPlace,
  type ExistingClusterConfig,
  type KindClusterConfig,
  readCluster,
} from "./cluster.ts";
import { isQuantity, type NodeSetConfig, readNodeSets } from "./nodeSets.ts";
import { Problems } from "./problems.ts";
import { RawValues, refuseUnknownFields, unknownKeyMessage } from "./rawValues.ts";
import { readConfigFiles, readSlurmConf } from "./slurmConf.ts";
import { readSources, type Sources } from "./sources.ts";

/** Everything a stack can choose, validated. Pulumi.yaml documents each key. */
export interface StackConfig {
  readonly cluster: KindClusterConfig | ExistingClusterConfig;
  readonly sources: Sources;
  /** Info of the key derivation: another seed is another Slurm auth key. */
  readonly keySeed: string;
  readonly nodeSets: Readonly<Record<string, NodeSetConfig>>;
  readonly slurmConf: Readonly<Record<string, string>>;
  readonly configFiles: Readonly<Record<string, string>>;
  readonly controllerStorage: ControllerStorage;
  readonly helmTimeoutSeconds: number;
  readonly webhookTimeoutSeconds: number;
}

/** Volume of slurmctld's state. It is always persistent: without it a restart forgets nodes and jobs. */
export interface ControllerStorage {
  /** Kubernetes quantity. */
  readonly size: string;
  /** StorageClass; the cluster's default when absent. */
  readonly storageClass?: string;
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
  "nodeSets",
  "slurmConf",
  "configFiles",
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
  const config: StackConfig = {
    cluster,
    sources: await readSources(raw, place),
    keySeed: readKeySeed(raw),
    nodeSets: readNodeSets(raw, schedulableNodes),
    slurmConf: readSlurmConf(raw),
    configFiles: readConfigFiles(raw),
    controllerStorage: readStorage(raw),
    helmTimeoutSeconds: raw.integer("helmTimeoutSeconds", 600, 30, 7200),
    webhookTimeoutSeconds: raw.integer("webhookTimeoutSeconds", 120, 5, 3600),
  };
  problems.throwIfAny();
  return config;
}

function readKeySeed(raw: RawValues): string {
  const seed = raw.text("keySeed") ?? "initial";
  // ASCII only: the same-looking letter in two Unicode forms would be two different keys.
  if (!/^[\x20-\x7e]{1,128}$/.test(seed) || seed.trim() !== seed) {
    raw.problems.bad("keySeed", seed, "1 to 128 printable ASCII characters, no blank at the ends");
  }
  return seed;
}

function readStorage(raw: RawValues): ControllerStorage {
  const given = raw.object("controllerStorage");
  refuseUnknownFields("controllerStorage", given, ["size", "storageClass"], raw.problems);
  const { size = "4Gi", storageClass } = given;
  if (!isQuantity(size)) {
    raw.problems.bad("controllerStorage.size", size, "a quantity such as 4Gi");
  }
  if (storageClass === undefined) return { size: String(size) };
  if (typeof storageClass !== "string" || !/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(storageClass)) {
    raw.problems.bad("controllerStorage.storageClass", storageClass, "the name of a StorageClass");
    return { size: String(size) };
  }
  return { size: String(size), storageClass };
}
