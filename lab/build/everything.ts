import { join } from "node:path";
import type { Progress } from "../../progress.ts";
import type { Artifact } from "../artifact.ts";
import { artifactFolder, ensureArtifact } from "../artifact.ts";
import { pins } from "../pins.ts";
import { certManagerChart, standInCharts } from "./charts.ts";
import { goToolArtifact } from "./goTool.ts";
import { certManagerImages } from "./images/certManager.ts";
import { base, mariadb, node, slurm } from "./images/imageArtifact.ts";
import { kubernetesImages, nodeImage } from "./images/kubernetes.ts";
import { mariadbImage } from "./images/mariadb.ts";
import { operatorImages } from "./images/operator.ts";
import { slurmImages } from "./images/slurm.ts";
import type { ToolName } from "./tools.ts";
import { goTools } from "./tools.ts";

/** Tools that run on the host: what `pulumi up` needs on its PATH. */
const hostTools: ToolName[] = [
  "pulumi",
  "pulumiLanguageNodejs",
  "pulumiResourceKubernetes",
  "kind",
];

/** Tools that go into images, in the order of the fewest recompiled packages. */
const imageTools: ToolName[] = [
  "kubelet",
  "kubeadm",
  "kubeApiserver",
  "kubeControllerManager",
  "kubeScheduler",
  "kubeProxy",
  "kubectl",
  "coredns",
  "localPathProvisioner",
  "pause",
  "runcWithoutResource",
  "certManager",
];

const tool = (name: ToolName): Artifact => goToolArtifact(goTools[name]);

async function inOrder(artifacts: Artifact[], progress: Progress): Promise<void> {
  for (const artifact of artifacts) await ensureArtifact(artifact, progress);
}

/** Where the lab's parts were built. */
export interface BuiltLab {
  /** Folders of the host's tools, for PATH. */
  toolFolders: string[];
  /** Archive of the KinD node image. */
  nodeArchive: string;
  /** Chart packages and image archives of the bundle. */
  bundleFiles: string[];
  /** The runtime wrapper for machines without CAP_SYS_RESOURCE. */
  runtimeWrapper: string;
}

/**
 * Builds what is missing. Compilers cannot keep both cores busy all the time and the root file systems mostly wait for
 * the network, so these two run side by side; everything else follows in order.
 * @param more further tools for PATH
 */
export async function buildLab(progress: Progress, more: ToolName[]): Promise<BuiltLab> {
  const onPath = [...hostTools, ...more].map(tool);
  await Promise.all([
    inOrder([...onPath, ...imageTools.map(tool)], progress),
    inOrder([node, base, slurm, mariadb], progress),
  ]);
  const archives = [
    ...[kubernetesImages, nodeImage],
    ...[slurmImages, mariadbImage, certManagerImages, operatorImages],
  ];
  await inOrder([...archives, standInCharts, certManagerChart], progress);
  const at = (artifact: Artifact, file: string): string => join(artifactFolder(artifact), file);
  return {
    toolFolders: onPath.map(artifactFolder),
    nodeArchive: at(nodeImage, "node.tar"),
    runtimeWrapper: at(tool("runcWithoutResource"), goTools.runcWithoutResource.name),
    bundleFiles: [
      at(certManagerChart, `cert-manager-${pins.certManager}.tgz`),
      ...["slurm-operator-crds", "slurm-operator", "slurm"].map((name) =>
        at(standInCharts, `${name}-${pins.slinky}.tgz`),
      ),
      at(slurmImages, "slurm.tar"),
      at(mariadbImage, "mariadb.tar"),
      at(certManagerImages, "cert-manager.tar"),
      at(operatorImages, "slurm-operator.tar"),
    ],
  };
}
