import { readFlag } from "./flag.ts";
import type { NodeSetConfig } from "./nodeSets.ts";
import { isPartitionName, partitionNameRule } from "./partitionName.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { readParameters } from "./slurmConf.ts";

/** A partition over one or more NodeSets, besides the one that each NodeSet has of its own. */
export interface PartitionConfig {
  /** NodeSets of this stack; the one word ALL stands for every Slurm node. */
  readonly nodeSets: readonly string[];
  /** Whether jobs that name no partition run here. */
  readonly isDefault: boolean;
  /** State, MaxTime and further parameters of the partition's line. */
  readonly parameters: Readonly<Record<string, string>>;
}

const fields = ["nodeSets", "default", "state", "maxTime", "extra"];
const states: readonly unknown[] = ["UP", "DOWN", "DRAIN", "INACTIVE"];

/** Parameters of a partition's line that have a field of their own. Lower case: Slurm does not tell case apart. */
const ownParameters: Readonly<Record<string, string>> = {
  partitionname: "its name in partitions",
  nodes: "nodeSets",
  default: "default",
  state: "state",
  maxtime: "maxTime",
};

/** A run time as slurm.conf takes it: minutes, hours:minutes:seconds, with days, or UNLIMITED. */
const timeLimit = /^(UNLIMITED|\d+|(\d+-)?\d+:\d{1,2}(:\d{1,2})?|\d+-\d+)$/;

/** Reads `partitions`, and refuses what contradicts the NodeSets. */
export function readPartitions(
  raw: RawValues,
  nodeSets: Readonly<Record<string, NodeSetConfig>>,
): Readonly<Record<string, PartitionConfig>> {
  const partitions: Record<string, PartitionConfig> = {};
  const taken = new Map(
    Object.entries(nodeSets).map(([name, { partition }]) => [
      partition.toLowerCase(),
      `NodeSet ${name}`,
    ]),
  );
  for (const [name, value] of Object.entries(raw.object("partitions"))) {
    const owner = taken.get(name.toLowerCase());
    if (owner !== undefined) {
      raw.problems.add(
        `partitions.${name}`,
        `is a partition of ${owner} already; allowed: another name`,
      );
    }
    taken.set(name.toLowerCase(), `partitions.${name}`);
    partitions[name] = readPartition(raw, name, value, Object.keys(nodeSets));
  }
  refuseTwoDefaults(raw, nodeSets, partitions);
  return partitions;
}

function readPartition(
  raw: RawValues,
  name: string,
  value: unknown,
  known: readonly string[],
): PartitionConfig {
  const { problems } = raw;
  const path = `partitions.${name}`;
  if (!isPartitionName(name)) problems.bad(path, name, partitionNameRule);
  if (!isRecord(value)) problems.bad(path, value, `a map of ${fields.join(", ")}`);
  const entry = isRecord(value) ? value : {};
  refuseUnknownFields(path, entry, fields, problems);
  const { state = "UP", maxTime = "UNLIMITED", extra = {} } = entry;
  if (!states.includes(state)) problems.bad(`${path}.state`, state, states.join(", "));
  if (!timeLimit.test(String(maxTime))) {
    problems.bad(`${path}.maxTime`, maxTime, "minutes, hh:mm:ss, d-hh:mm:ss or UNLIMITED");
  }
  if (!isRecord(extra)) problems.bad(`${path}.extra`, extra, "a map of partition parameters");
  const more = readParameters(raw, `${path}.extra`, isRecord(extra) ? extra : {}, true);
  for (const parameter of Object.keys(more)) {
    const field = ownParameters[parameter.toLowerCase()];
    if (field !== undefined) problems.add(`${path}.extra.${parameter}`, `is set by ${field}`);
  }
  return {
    nodeSets: readMembers(raw, `${path}.nodeSets`, entry.nodeSets, known),
    isDefault: readFlag(raw, `${path}.default`, entry.default),
    parameters: { State: String(state), MaxTime: String(maxTime), ...more },
  };
}

function readMembers(
  raw: RawValues,
  path: string,
  value: unknown,
  known: readonly string[],
): string[] {
  const members = Array.isArray(value) ? (value as unknown[]) : [];
  if (members.length === 0) {
    raw.problems.bad(path, value, "a list of at least one NodeSet, or [ALL]");
  }
  if (members.length > 1 && members.includes("ALL")) {
    raw.problems.add(path, "ALL stands for every NodeSet; allowed: [ALL] alone");
  }
  for (const member of members) {
    if (member !== "ALL" && !known.some((name) => name === member)) {
      const names = known.length > 0 ? known.join(", ") : "none";
      raw.problems.bad(path, member, `a NodeSet of this stack (${names}) or ALL`);
    }
  }
  return [...new Set(members.map(String))];
}

function refuseTwoDefaults(
  raw: RawValues,
  nodeSets: Readonly<Record<string, NodeSetConfig>>,
  partitions: Readonly<Record<string, PartitionConfig>>,
): void {
  const ofNodeSets = Object.keys(nodeSets).filter((name) => nodeSets[name]?.isDefault);
  const ofPartitions = Object.keys(partitions).filter((name) => partitions[name]?.isDefault);
  // Two defaults among the NodeSets alone are refused with the NodeSets.
  if (ofPartitions.length > 0 && ofNodeSets.length + ofPartitions.length > 1) {
    const names = [
      ...ofNodeSets.map((name) => `nodeSets.${name}`),
      ...ofPartitions.map((name) => `partitions.${name}`),
    ];
    raw.problems.add("partitions", `${names.join(" and ")} are both default; allowed: one`);
  }
}
