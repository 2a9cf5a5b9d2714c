import { isDnsLabel } from "./dnsLabel.ts";
import { readFlag } from "./flag.ts";
import { isPartitionName, partitionNameRule, reservedWords } from "./partitionName.ts";
import { type Placement, readPlacement } from "./placement.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { readResources, type ResourceAmounts } from "./resourceAmounts.ts";
import { readParameters } from "./slurmConf.ts";
import { readUpdateStrategy, type UpdateStrategy } from "./updateStrategy.ts";

/** One NodeSet: a group of equal slurmd pods, and the partition that holds it. */
export interface NodeSetConfig extends Placement {
  /** Number of slurmd pods; where an autoscaler owns it, the number that the NodeSet starts with. */
  readonly replicas: number;
  /** Who sets the number of pods once the NodeSet exists. */
  readonly replicasOwnedBy: "stack" | "autoscaler";
  /** Name of the partition of this NodeSet. */
  readonly partition: string;
  /** Whether jobs that name no partition run here. */
  readonly isDefault: boolean;
  /** Whether several slurmd pods may share a Kubernetes node. */
  readonly oversubscribe: boolean;
  /** Node parameters for slurmd's --conf, such as Weight. */
  readonly extraConf: Readonly<Record<string, string>>;
  /** Features that jobs can ask for with --constraint, besides the NodeSet's own name. */
  readonly features: readonly string[];
  /** Requests and limits of the slurmd container. */
  readonly resources: ResourceAmounts;
  readonly updateStrategy: UpdateStrategy;
  /** Whether a PodDisruptionBudget protects pods that run jobs. */
  readonly pdb: boolean;
}

/**
 * Longest NodeSet name: `slurm-worker-<name>-<10 characters of hash>` is a label value of at most 63 characters,
 * and pod `slurm-worker-<name>-<up to 4 digits>` and Slurm node `<name>-<i>` are shorter.
 */
const longestName = 63 - "slurm-worker-".length - 1 - 10;

/** The operator writes MaxNodeCount=1024 into slurm.conf, for all NodeSets together. */
const mostNodes = 1024;

const fields = [
  "replicas",
  "replicasOwnedBy",
  "partition",
  "default",
  "oversubscribe",
  "extraConf",
  "features",
  "resources",
  "nodeSelector",
  "tolerations",
  "updateStrategy",
  "pdb",
];

/**
 * Reads `nodeSets`.
 * @param schedulableNodes nodes that take slurmd pods, where the stack creates them; undefined when unknown
 */
export function readNodeSets(
  raw: RawValues,
  schedulableNodes: number | undefined,
): Readonly<Record<string, NodeSetConfig>> {
  const given = raw.text("nodeSets") === undefined ? defaultNodeSets : raw.object("nodeSets");
  const nodeSets: Record<string, NodeSetConfig> = {};
  for (const [name, value] of Object.entries(given)) {
    nodeSets[name] = readNodeSet(raw, name, value);
  }
  if (Object.keys(given).length === 0) {
    raw.problems.bad("nodeSets", given, "at least one NodeSet");
  }
  refuseClashes(raw, nodeSets);
  refuseTooMany(raw, nodeSets, schedulableNodes);
  return nodeSets;
}

/** What a stack without `nodeSets` gets; Pulumi.yaml states the same default. */
const defaultNodeSets: Readonly<Record<string, unknown>> = {
  compute: { replicas: 2, default: true },
};

function readNodeSet(raw: RawValues, name: string, value: unknown): NodeSetConfig {
  const { problems } = raw;
  const path = `nodeSets.${name}`;
  if (!isDnsLabel(name, longestName) || reservedWords.includes(name)) {
    problems.bad(
      path,
      name,
      `an RFC 1123 label of at most ${longestName} characters, other than ${reservedWords.join(" and ")}`,
    );
  }
  if (!isRecord(value)) problems.bad(path, value, `a map of ${fields.join(", ")}`);
  const entry = isRecord(value) ? value : { replicas: 0 };
  refuseUnknownFields(path, entry, fields, problems);

  const { replicas, partition = name, extraConf = {}, resources = {} } = entry;
  if (!Number.isInteger(replicas) || Number(replicas) < 0 || Number(replicas) > mostNodes) {
    problems.bad(`${path}.replicas`, replicas, `a whole number from 0 to ${mostNodes}`);
  }
  const partitionName = String(partition);
  if (!isPartitionName(partitionName)) {
    problems.bad(`${path}.partition`, partition, partitionNameRule);
  }
  if (!isRecord(extraConf)) problems.bad(`${path}.extraConf`, extraConf, "a map");
  const features = readFeatures(raw, `${path}.features`, entry.features);
  const parameters = readParameters(
    raw,
    `${path}.extraConf`,
    isRecord(extraConf) ? extraConf : {},
    true,
  );
  const twin = Object.keys(parameters).find((key) => /^features?$/i.test(key));
  if (twin !== undefined) {
    problems.add(`${path}.extraConf.${twin}`, "is set by features; allowed: that field");
  }
  return {
    replicas: Number(replicas),
    replicasOwnedBy: readOwner(raw, `${path}.replicasOwnedBy`, entry.replicasOwnedBy),
    partition: partitionName,
    isDefault: readFlag(raw, `${path}.default`, entry.default),
    oversubscribe: readFlag(raw, `${path}.oversubscribe`, entry.oversubscribe),
    extraConf: parameters,
    features,
    resources: readResources(raw, `${path}.resources`, resources),
    ...readPlacement(raw, path, entry),
    updateStrategy: readUpdateStrategy(raw, `${path}.updateStrategy`, entry.updateStrategy),
    pdb: readFlag(raw, `${path}.pdb`, entry.pdb, true),
  };
}

function readOwner(raw: RawValues, path: string, value: unknown): "stack" | "autoscaler" {
  if (value === undefined || value === "stack") return "stack";
  if (value !== "autoscaler") raw.problems.bad(path, value, "stack or autoscaler");
  return "autoscaler";
}

function readFeatures(raw: RawValues, path: string, value: unknown): string[] {
  if (value === undefined) return [];
  const words = Array.isArray(value) ? (value as unknown[]) : [];
  if (!Array.isArray(value) || words.some((word) => !/^[A-Za-z0-9][-.\w]*$/.test(String(word)))) {
    raw.problems.bad(path, value, "a list of words of letters, digits, -, . and _");
  }
  return words.map(String);
}

function refuseClashes(raw: RawValues, nodeSets: Readonly<Record<string, NodeSetConfig>>): void {
  const owners = new Map<string, string>();
  for (const [name, { partition }] of Object.entries(nodeSets)) {
    const folded = partition.toLowerCase();
    const other = owners.get(folded);
    if (other !== undefined) {
      raw.problems.add(
        `nodeSets.${name}`,
        `claims partition ${partition}, which NodeSet ${other} has already; allowed: a partition of its own`,
      );
    }
    owners.set(folded, name);
  }
  const defaults = Object.keys(nodeSets).filter((name) => nodeSets[name]?.isDefault);
  if (defaults.length > 1) {
    raw.problems.add("nodeSets", `${defaults.join(" and ")} are both default; allowed: one`);
  }
}

function refuseTooMany(
  raw: RawValues,
  nodeSets: Readonly<Record<string, NodeSetConfig>>,
  schedulableNodes: number | undefined,
): void {
  const total = Object.values(nodeSets).reduce((sum, { replicas }) => sum + replicas, 0);
  if (total > mostNodes) {
    raw.problems.add("nodeSets", `ask for ${total} nodes together; allowed: at most ${mostNodes}`);
  }
  for (const [name, { replicas, oversubscribe }] of Object.entries(nodeSets)) {
    if (schedulableNodes !== undefined && !oversubscribe && replicas > schedulableNodes) {
      raw.problems.bad(
        `nodeSets.${name}.replicas`,
        replicas,
        `at most ${schedulableNodes} on this KinD cluster (one slurmd pod a node), more kindWorkers, or oversubscribe: true`,
      );
    }
  }
}
