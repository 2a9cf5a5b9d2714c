import { toAccountingValues, waitForSlurmdbd } from "./accountingValues.ts";
import { imageParts } from "./imageParts.ts";
import { toLoginSetsValues } from "./loginSetValues.ts";
import { toNodeSetsValues, toPartitionsValues } from "./nodeSetValues.ts";
import type { SlurmClusterArgs } from "./slurmCluster.ts";

/** Name and data key of a Secret that holds a key. */
export interface KeySecret {
  readonly name: string;
  readonly key: string;
}

/** The part of {@link SlurmClusterArgs} that the chart's values are made of. */
export type SlurmValuesArgs = Pick<
  SlurmClusterArgs,
  | "images"
  | "imagePullSecrets"
  | "nodeSets"
  | "partitions"
  | "loginSets"
  | "sssdSecret"
  | "accounting"
  | "slurmConf"
  | "configFiles"
  | "scripts"
  | "controllerStorage"
>;

/**
 * Pure: values of the slurm chart (slinky-contract, chart values).
 * Each sidecar runs in the image of its daemon, because the chart's default there is a moving tag.
 */
export function toSlurmValues(
  args: SlurmValuesArgs,
  secrets: { readonly auth: KeySecret; readonly jwt: KeySecret },
): Record<string, unknown> {
  const { images, controllerStorage, scripts } = args;
  const slurmctld = { image: imageParts(images.slurmctld) };
  const initContainers = waitForSlurmdbd(args.accounting, images.slurmctld);
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
      ...(initContainers.length > 0 && { podSpec: { initContainers } }),
    },
    configFiles: { ...args.configFiles },
    prologScripts: { ...scripts.prolog },
    epilogScripts: { ...scripts.epilog },
    prologSlurmctldScripts: { ...scripts.prologSlurmctld },
    epilogSlurmctldScripts: { ...scripts.epilogSlurmctld },
    // One slurmrestd is needed: without it the operator takes every node for drained (slinky-contract, 4.2).
    restapi: { replicas: 1, slurmrestd: { image: imageParts(images.slurmrestd) } },
    accounting: toAccountingValues(args.accounting, images),
    nodesets: toNodeSetsValues(args.nodeSets, images.slurmd),
    partitions: toPartitionsValues(args.nodeSets, args.partitions),
    loginsets: toLoginSetsValues(args.loginSets, images.login),
    ...(args.sssdSecret && { sssd: { secretRef: { ...args.sssdSecret } } }),
  };
}
