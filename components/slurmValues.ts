import type { NodeSetConfig } from "../config/nodeSets.ts";
import { imageParts } from "./imageParts.ts";
import type { SlurmClusterArgs } from "./slurmCluster.ts";

/** Name and data key of a Secret that holds a key. */
export interface KeySecret {
  readonly name: string;
  readonly key: string;
}

/** The part of {@link SlurmClusterArgs} that the chart's values are made of. */
export type SlurmValuesArgs = Pick<
  SlurmClusterArgs,
  "images" | "imagePullSecrets" | "nodeSets" | "slurmConf" | "configFiles" | "controllerStorage"
>;

/**
 * Pure: values of the slurm chart (slinky-contract, chart values).
 * Each sidecar runs in the image of its daemon, because the chart's default there is a moving tag.
 */
export function toSlurmValues(
  args: SlurmValuesArgs,
  secrets: { readonly auth: KeySecret; readonly jwt: KeySecret },
): Record<string, unknown> {
  const { images, controllerStorage } = args;
  const slurmctld = { image: imageParts(images.slurmctld) };
  const nodeSets = Object.entries(args.nodeSets);
  return {
    imagePullSecrets: args.imagePullSecrets.map((name) => ({ name })),
    // Keys are ours: a chart that makes them would make new ones on every offline render (R06).
    slurmKey: { create: false, secretRef: { ...secrets.auth } },
    jwtKey: { create: false, secretRef: { ...secrets.jwt } },
    controller: {
      slurmctld,
      reconfigure: slurmctld,
      logfile: slurmctld,
      persistence: {
        enabled: true,
        ...(controllerStorage.storageClass && { storageClassName: controllerStorage.storageClass }),
        resources: { requests: { storage: controllerStorage.size } },
      },
      // Without 2 a replaced slurmd pod on the same node stays DOWN for ever (slinky-contract, 4.2).
      extraConfMap: { ...args.slurmConf, ReturnToService: "2" },
    },
    configFiles: { ...args.configFiles },
    // One slurmrestd is needed: without it the operator takes every node for drained (slinky-contract, 4.2).
    restapi: { replicas: 1, slurmrestd: { image: imageParts(images.slurmrestd) } },
    nodesets: Object.fromEntries(
      nodeSets.map(([name, nodeSet]) => [name, toNodeSetValues(name, nodeSet, images.slurmd)]),
    ),
    partitions: Object.fromEntries(
      nodeSets
        .filter(([name, { partition }]) => partition !== name)
        .map(([name, nodeSet]) => [
          nodeSet.partition,
          { enabled: true, nodesets: [name], configMap: toPartition(nodeSet) },
        ]),
    ),
  };
}

/** The chart names a NodeSet's own partition after the NodeSet; any other name is an entry of `partitions`. */
function toNodeSetValues(
  name: string,
  nodeSet: NodeSetConfig,
  slurmdImage: string,
): Record<string, unknown> {
  const image = imageParts(slurmdImage);
  return {
    enabled: true,
    replicas: nodeSet.replicas,
    oversubscribeNode: nodeSet.oversubscribe,
    slurmd: { image, resources: nodeSet.resources },
    logfile: { image },
    extraConfMap: { ...nodeSet.extraConf },
    partition:
      nodeSet.partition === name
        ? { enabled: true, configMap: toPartition(nodeSet) }
        : { enabled: false },
  };
}

function toPartition(nodeSet: NodeSetConfig): Record<string, string> {
  return {
    State: "UP",
    MaxTime: "UNLIMITED",
    ...(nodeSet.isDefault && { Default: "YES" }),
  };
}
