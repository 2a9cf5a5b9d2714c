import type { Accounting, Controller, NodeSet } from "../crds.ts";
import { namespaceOf, nameOf } from "../kube/object.ts";
import { names, ports } from "../names.ts";

/** What slurm.conf depends on besides the Controller. */
export interface SlurmConfInputs {
  controller: Controller;
  accounting?: Accounting | undefined;
  nodeSets: NodeSet[];
  /** File names of the script ConfigMaps, by slurm.conf parameter. */
  scripts?: Partial<Record<ScriptParameter, string[]>>;
}

/** Parameters of slurm.conf that name scripts. */
export type ScriptParameter = "Prolog" | "Epilog" | "PrologSlurmctld" | "EpilogSlurmctld";

/** Parameters that the operator and the user both set: one line with all values (contract §3.2). */
const mergedParameters = ["AuthInfo", "SlurmctldParameters", "AuthAltParameters"] as const;

/** cgroup.conf when no configuration file of the user's replaces it. */
export const CGROUP_CONF = "CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n";

/** Slurm's ClusterName: given, or namespace and name of the Controller joined. */
export function clusterName(controller: Controller): string {
  return controller.spec.clusterName || `${namespaceOf(controller)}_${nameOf(controller)}`;
}

/** Name of a NodeSet inside Slurm: its pods' hostname prefix, or the resource's name. */
export function slurmNodeSetName(nodeSet: NodeSet): string {
  return hostnamePrefix(nodeSet).replace(/-+$/, "");
}

/** Hostname (and Slurm node name) prefix of a NodeSet's pods; the ordinal follows. */
export function hostnamePrefix(nodeSet: NodeSet): string {
  return nodeSet.spec.template?.spec?.hostname || `${nameOf(nodeSet)}-`;
}

/** Host and port where slurmctld answers. */
export function controllerAddress(controller: Controller): string {
  const external = controller.spec.external === true ? controller.spec.externalConfig : undefined;
  const host =
    external?.host ?? `${names.controller(nameOf(controller))}.${namespaceOf(controller)}`;
  return `${host}:${String(external?.port ?? ports.slurmctld)}`;
}

/** The generated slurm.conf, in the operator's order (contract §3.2). */
export function toSlurmConf(inputs: SlurmConfInputs): string {
  const { controller, accounting, nodeSets } = inputs;
  const cluster = clusterName(controller);
  const service = names.controller(nameOf(controller));
  const jwks = controller.spec.jwksKeyRef ? ",jwks=/etc/slurm/jwks.json" : "";
  const lines: string[] = [
    "#",
    "### GENERAL ###",
    `ClusterName=${cluster}`,
    "SlurmUser=slurm",
    `SlurmctldHost=${service}-0(${service}.${namespaceOf(controller)})`,
    `SlurmctldPort=${String(ports.slurmctld)}`,
    `StateSaveLocation=/var/spool/slurmctld/${cluster}`,
    "SlurmdUser=root",
    `SlurmdPort=${String(ports.slurmd)}`,
    "SlurmdSpoolDir=/var/spool/slurmd",
    "MaxNodeCount=1024",
    "#",
    "### LOGGING ###",
    "SlurmctldLogFile=/var/log/slurm/slurmctld.log",
    "SlurmSchedLogFile=/var/log/slurm/slurmctld.log",
    "SlurmdLogFile=/var/log/slurm/slurmd.log",
    "#",
    "### PLUGINS & PARAMETERS ###",
    "AuthType=auth/slurm",
    "CredType=cred/slurm",
    "AuthAltTypes=auth/jwt",
    `AuthAltParameters=jwt_key=/etc/slurm/jwt.key${jwks}`,
    "AuthInfo=use_client_ids",
    "SlurmctldParameters=enable_configless,reconfig_on_restart",
    ...(controller.spec.metrics?.enabled === true ? ["MetricsType=metrics/openmetrics"] : []),
    "#",
    "### ACCOUNTING ###",
    ...accountingLines(accounting),
    ...scriptLines(inputs.scripts ?? {}),
    ...nodeSetLines(nodeSets),
  ];
  return mergeExtraConf(lines, controller.spec.extraConf ?? "");
}

function accountingLines(accounting: Accounting | undefined): string[] {
  if (accounting === undefined) {
    return ["AccountingStorageType=accounting_storage/none"];
  }
  const external = accounting.spec.external === true ? accounting.spec.externalConfig : undefined;
  return [
    "AccountingStorageType=accounting_storage/slurmdbd",
    `AccountingStorageHost=${external?.host ?? names.accounting(nameOf(accounting))}`,
    `AccountingStoragePort=${String(external?.port ?? ports.slurmdbd)}`,
  ];
}

/**
 * Scripts of nodes are named without a folder: slurmctld then sends them to configless slurmds. Its own are read from
 * where they are mounted (contract §3.2).
 */
function scriptLines(scripts: Partial<Record<ScriptParameter, string[]>>): string[] {
  const lines = (folder: string, parameters: readonly ScriptParameter[]): string[] =>
    parameters.flatMap((parameter) =>
      [...(scripts[parameter] ?? [])].sort().map((file) => `${parameter}=${folder}${file}`),
    );
  const ofSlurmctld = lines("/etc/slurm/", ["PrologSlurmctld", "EpilogSlurmctld"]);
  const ofNodes = lines("", ["Prolog", "Epilog"]);
  return [
    ...(ofSlurmctld.length === 0 ? [] : ["#", "### SLURMCTLD PROLOG & EPILOG ###", ...ofSlurmctld]),
    ...(ofNodes.length === 0 ? [] : ["#", "### PROLOG & EPILOG ###", ...ofNodes]),
  ];
}

function nodeSetLines(nodeSets: NodeSet[]): string[] {
  const sorted = [...nodeSets].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const lines = sorted.flatMap((nodeSet) => {
    const name = slurmNodeSetName(nodeSet);
    const { partition } = nodeSet.spec;
    const config = partition?.config?.trim() ? ` ${partition.config.trim()}` : "";
    const partitionLine = `PartitionName=${name} Nodes=${name}${config}`;
    return [
      `NodeSet=${name} Feature=${name}`,
      ...(partition?.enabled === true ? [partitionLine] : []),
    ];
  });
  return lines.length === 0 ? [] : ["#", "### COMPUTE & PARTITION ###", ...lines];
}

/** Appends the user's lines; values of a merged parameter go, lower-cased, into the operator's own line. */
function mergeExtraConf(lines: string[], extraConf: string): string {
  const merged = [...lines];
  const extra: string[] = [];
  for (const line of extraConf.split("\n")) {
    const [name = "", ...rest] = line.split("=");
    const parameter = mergedParameters.find(
      (known) => known.toLowerCase() === name.trim().toLowerCase(),
    );
    const at = merged.findIndex(
      (own) => parameter !== undefined && own.startsWith(`${parameter}=`),
    );
    if (at < 0) {
      extra.push(line);
      continue;
    }
    const own = merged[at] ?? "";
    const present = own.slice(own.indexOf("=") + 1).split(",");
    const added = rest.join("=").trim().toLowerCase().split(",");
    merged[at] = `${String(parameter)}=${[...new Set([...present, ...added])].join(",")}`;
  }
  const tail = extra.join("\n").trim();
  const section = tail === "" ? [] : ["#", "### EXTRA CONFIG ###", tail];
  return [...merged, ...section].join("\n") + "\n";
}
