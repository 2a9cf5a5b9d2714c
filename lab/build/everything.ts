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

/** Builds the host's tools; returns their folders, for PATH. */
export async function buildHostTools(progress: Progress, more: ToolName[] = []): Promise<string[]> {
  const artifacts = [...hostTools, ...more].map(tool);
  await inOrder(artifacts, progress);
  return artifacts.map(artifactFolder);
}

/** Where the parts that need a running engine or a bundle were built. */
export interface BuiltParts {
  /** Archive of the KinD node image. */
  nodeArchive: string;
  /** Chart packages and image archives of the bundle. */
  bundleFiles: string[];
  /** The runtime wrapper for machines without CAP_SYS_RESOURCE. */
  runtimeWrapper: string;
}

/**
 * Builds images and charts. Compilers keep both cores busy while the root file systems mostly wait
 * for the network, so these two run side by side; everything else follows in order.
 */
export async function buildParts(progress: Progress): Promise<BuiltParts> {
  await Promise.all([
    inOrder(imageTools.map(tool), progress),
    inOrder([node, base, slurm, mariadb], progress),
  ]);
  const archives = [
    ...[kubernetesImages, nodeImage],
    ...[slurmImages, mariadbImage, certManagerImages, operatorImages],
  ];
  await inOrder([...archives, standInCharts, certManagerChart], progress);
  const at = (artifact: Artifact, file: string): string => join(artifactFolder(artifact), file);
  return {
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
