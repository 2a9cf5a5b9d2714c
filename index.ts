import { openCluster } from "./components/cluster.ts";
import { CertManager } from "./components/certManager.ts";
import { SlurmCluster, slurmNames } from "./components/slurmCluster.ts";
import { SlurmOperator } from "./components/slurmOperator.ts";
import { loadConfig } from "./config.ts";

const config = await loadConfig();
const { charts, images, imageArchives, imagePullSecrets } = config.sources;
const shared = { images, imagePullSecrets, timeoutSeconds: config.helmTimeoutSeconds };

const { placement: inCluster, kubeconfig, context } = openCluster(config.cluster, imageArchives);

const certManager = new CertManager(
  "cert-manager",
  { chart: charts["cert-manager"], ...shared },
  inCluster,
);

const operator = new SlurmOperator(
  "slurm-operator",
  { chart: charts["slurm-operator"], crdsChart: charts["slurm-operator-crds"], ...shared },
  { ...inCluster, dependsOn: [certManager] },
);

const slurm = new SlurmCluster(
  "slurm",
  {
    chart: charts.slurm,
    ...shared,
    nodeSets: config.nodeSets,
    partitions: config.partitions,
    loginSets: config.loginSets,
    sssdSecret: config.sssdSecret,
    accounting: config.accounting,
    slurmConf: config.slurmConf,
    configFiles: config.configFiles,
    scripts: config.scripts,
    controllerStorage: config.controllerStorage,
    keySeed: config.keySeed,
    rotation: config.rotation,
    kubeconfig,
    context,
    operatorRevision: operator.revision,
    webhookTimeoutSeconds: config.webhookTimeoutSeconds,
  },
  { ...inCluster, dependsOn: [operator] },
);

export { kubeconfig, context };
export const clusterKind = config.cluster.kind;
export const kindName = config.cluster.kind === "kind" ? config.cluster.name : undefined;
export const slurmNamespace = slurmNames.namespace;
export const operatorNamespace = operator.namespace;
export const slurmRelease = slurmNames.release;
export const slurmClusterName = slurmNames.clusterName;
export const nodeSets = Object.fromEntries(
  Object.entries(config.nodeSets).map(([name, { replicas, replicasOwnedBy, partition }]) => [
    name,
    { replicas, replicasOwnedBy, partition },
  ]),
);
export const loginSets = Object.keys(config.loginSets);
export const accounting = config.accounting !== undefined;
export const keyFingerprint = slurm.keyFingerprint;
export const keyRotation = slurm.keyRotation;
export const jwtFingerprint = slurm.jwtFingerprint;
export const versions = { charts, images };
