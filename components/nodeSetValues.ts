import type { NodeSetConfig } from "../config/nodeSets.ts";
import type { PartitionConfig } from "../config/partitions.ts";
import { imageParts } from "./imageParts.ts";

/** Pure: the chart's values of NodeSets. */
export function toNodeSetsValues(
  nodeSets: Readonly<Record<string, NodeSetConfig>>,
  slurmdImage: string,
): Record<string, unknown> {
  const entries = Object.entries(nodeSets);
  return Object.fromEntries(
    entries.map(([name, nodeSet]) => [name, toNodeSetValues(name, nodeSet, slurmdImage)]),
  );
}

/** The chart names a NodeSet's own partition after the NodeSet; any other name is an entry of `partitions`. */
function toNodeSetValues(
  name: string,
  nodeSet: NodeSetConfig,
  slurmdImage: string,
): Record<string, unknown> {
  const image = imageParts(slurmdImage);
  const { features, nodeSelector, tolerations, updateStrategy } = nodeSet;
  const { type, maxUnavailable } = updateStrategy;
  return {
    enabled: true,
    // Helm patches a custom resource by the difference between the old and the new manifest, whatever the live
    // object says: a number that stays the same here leaves alone what an autoscaler has set since.
    replicas: nodeSet.replicas,
    oversubscribeNode: nodeSet.oversubscribe,
    workloadDisruptionProtection: nodeSet.pdb,
    updateStrategy: {
      type,
      ...(maxUnavailable !== undefined && { rollingUpdate: { maxUnavailable } }),
    },
    slurmd: { image, resources: nodeSet.resources },
    logfile: { image },
    // The operator adds the NodeSet's name to the features: partitions find their nodes by it.
    extraConfMap: {
      ...nodeSet.extraConf,
      ...(features.length > 0 && { Features: features.join(",") }),
    },
    partition:
      nodeSet.partition === name
        ? { enabled: true, configMap: toOwnPartition(nodeSet) }
        : { enabled: false },
    podSpec: {
      ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...nodeSelector } }),
      ...(tolerations.length > 0 && { tolerations: tolerations.map((each) => ({ ...each })) }),
    },
  };
}

/** Pure: the chart's values of partitions: renamed ones of single NodeSets, and those over several. */
export function toPartitionsValues(
  nodeSets: Readonly<Record<string, NodeSetConfig>>,
  partitions: Readonly<Record<string, PartitionConfig>>,
): Record<string, unknown> {
  const renamed = Object.entries(nodeSets)
    .filter(([name, { partition }]) => partition !== name)
    .map(([name, nodeSet]) => [
      nodeSet.partition,
      { enabled: true, nodesets: [name], configMap: toOwnPartition(nodeSet) },
    ]);
  const further = Object.entries(partitions).map(([name, partition]) => [
    name,
    {
      enabled: true,
      nodesets: [...partition.nodeSets],
      configMap: { ...partition.parameters, ...(partition.isDefault && { Default: "YES" }) },
    },
  ]);
  return Object.fromEntries([...renamed, ...further]) as Record<string, unknown>;
}

function toOwnPartition(nodeSet: NodeSetConfig): Record<string, string> {
  return {
    State: "UP",
    MaxTime: "UNLIMITED",
    ...(nodeSet.isDefault && { Default: "YES" }),
  };
}
