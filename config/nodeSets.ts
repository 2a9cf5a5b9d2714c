import { isDnsLabel } from "./dnsLabel.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { readParameters } from "./slurmConf.ts";

/** One NodeSet: a group of equal slurmd pods, and the partition that holds it. */
export interface NodeSetConfig {
  readonly replicas: number;
  /** Name of the partition of this NodeSet. */
  readonly partition: string;
  /** Whether jobs that name no partition run here. */
  readonly isDefault: boolean;
  /** Whether several slurmd pods may share a Kubernetes node. */
  readonly oversubscribe: boolean;
  /** Node parameters for slurmd's --conf, such as Weight. */
  readonly extraConf: Readonly<Record<string, string>>;
  /** Requests and limits of the slurmd container. */
  readonly resources: ResourceAmounts;
}

/** Kubernetes resource requirements, amounts as quantities such as 500m or 2Gi. */
export interface ResourceAmounts {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/**
 * Longest NodeSet name: `slurm-worker-<name>-<10 characters of hash>` is a label value of at most 63 characters,
 * and pod `slurm-worker-<name>-<up to 4 digits>` and Slurm node `<name>-<i>` are shorter.
 */
const longestName = 63 - "slurm-worker-".length - 1 - 10;

/** The operator writes MaxNodeCount=1024 into slurm.conf, for all NodeSets together. */
const mostNodes = 1024;

const fields = ["replicas", "partition", "default", "oversubscribe", "extraConf", "resources"];

/** Slurm reads these words as all nodes and as defaults for the lines that follow. */
const reservedWords = ["all", "default"];

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
  if (
    !/^[A-Za-z0-9][-_A-Za-z0-9]{0,62}$/.test(partitionName) ||
    reservedWords.includes(partitionName.toLowerCase())
  ) {
    problems.bad(
      `${path}.partition`,
      partition,
      `up to 63 letters, digits, - and _, other than ${reservedWords.join(" and ")}`,
    );
  }
  if (!isRecord(extraConf)) problems.bad(`${path}.extraConf`, extraConf, "a map");
  return {
    replicas: Number(replicas),
    partition: partitionName,
    isDefault: readFlag(raw, `${path}.default`, entry.default),
    oversubscribe: readFlag(raw, `${path}.oversubscribe`, entry.oversubscribe),
    extraConf: readParameters(raw, `${path}.extraConf`, isRecord(extraConf) ? extraConf : {}, true),
    resources: readResources(raw, `${path}.resources`, resources),
  };
}

function readFlag(raw: RawValues, path: string, value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  raw.problems.bad(path, value, "true or false");
  return false;
}

function readResources(raw: RawValues, path: string, value: unknown): ResourceAmounts {
  const allowed = ["requests", "limits"];
  if (!isRecord(value)) {
    raw.problems.bad(path, value, "a map of requests and limits");
    return {};
  }
  refuseUnknownFields(path, value, allowed, raw.problems);
  const amounts = (part: string): Record<string, Record<string, string>> => {
    const given = value[part];
    if (given === undefined) return {};
    const entries = isRecord(given) ? Object.entries(given) : [];
    if (!isRecord(given) || entries.some(([, amount]) => !isQuantity(amount))) {
      raw.problems.bad(`${path}.${part}`, given, "a map of quantities such as 500m or 2Gi");
    }
    return { [part]: Object.fromEntries(entries.map(([name, amount]) => [name, String(amount)])) };
  };
  return { ...amounts("requests"), ...amounts("limits") };
}

/** Whether a value is a Kubernetes quantity such as 4Gi, 500m or 2. */
export function isQuantity(value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  return /^\d+(\.\d+)?(m|k|[KMGTPE]i?)?$/.test(String(value));
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
