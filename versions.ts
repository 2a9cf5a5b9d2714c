/**
 * Every pinned chart and image of the stack. A change here is a release note: nothing else in the program names a version.
 * Upstream addresses only; a stack may point them at a private registry or at a bundle (config `charts`, `images`, `bundle`).
 */

/** Version of each chart the program installs, as it stands in the chart's own Chart.yaml. */
export const chartVersions = {
  "cert-manager": "v1.21.2",
  "slurm-operator-crds": "1.2.1",
  "slurm-operator": "1.2.1",
  slurm: "1.2.1",
} as const;

/** Name of a chart, as in Chart.yaml. */
export type ChartName = keyof typeof chartVersions;

/** Chart names in installation order. */
export const chartNames = Object.keys(chartVersions) as ChartName[];

/** OCI registry folder that publishes each chart upstream; the chart's name is appended. */
export const upstreamChartRegistries: Readonly<Record<ChartName, string>> = {
  "cert-manager": "oci://quay.io/jetstack/charts",
  "slurm-operator-crds": "oci://ghcr.io/slinkyproject/charts",
  "slurm-operator": "oci://ghcr.io/slinkyproject/charts",
  slurm: "oci://ghcr.io/slinkyproject/charts",
};

/** Image of each container the program starts, by base name. A bundle and the config `images` use the same names. */
export const defaultImages = {
  "cert-manager-controller": "quay.io/jetstack/cert-manager-controller:v1.21.2",
  "cert-manager-webhook": "quay.io/jetstack/cert-manager-webhook:v1.21.2",
  "cert-manager-cainjector": "quay.io/jetstack/cert-manager-cainjector:v1.21.2",
  "cert-manager-startupapicheck": "quay.io/jetstack/cert-manager-startupapicheck:v1.21.2",
  "slurm-operator": "ghcr.io/slinkyproject/slurm-operator:1.2.1",
  "slurm-operator-webhook": "ghcr.io/slinkyproject/slurm-operator-webhook:1.2.1",
  slurmctld: "ghcr.io/slinkyproject/slurmctld:26.05-ubuntu26.04",
  slurmd: "ghcr.io/slinkyproject/slurmd:26.05-ubuntu26.04",
  slurmrestd: "ghcr.io/slinkyproject/slurmrestd:26.05-ubuntu26.04",
  slurmdbd: "ghcr.io/slinkyproject/slurmdbd:26.05-ubuntu26.04",
  login: "ghcr.io/slinkyproject/login:26.05-ubuntu26.04",
  mariadb: "docker.io/library/mariadb:11.8.3",
} as const;

/** Base name of an image the program starts. */
export type ImageName = keyof typeof defaultImages;

/** Image names in groups: cert-manager, operator, Slurm, database. */
export const imageNames = Object.keys(defaultImages) as ImageName[];

/** Node image of KinD clusters: the one that kind v0.33.0 was released with (kind, pkg/apis/config/defaults). */
export const kindNodeImage =
  "kindest/node:v1.37.0@sha256:a1ed56cfb0e7b93589bdf97c8cd566405a265939e3620fc4f5de89adff580ae5";
