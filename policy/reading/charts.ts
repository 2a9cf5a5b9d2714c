import type { SeenResource } from "../rule.ts";
import { at, UNKNOWN } from "./known.ts";

/** Types of resources that install a chart. */
const chartTypes: readonly string[] = [
  "kubernetes:helm.sh/v3:Release",
  "kubernetes:helm.sh/v4:Chart",
  "kubernetes:helm.sh/v3:Chart",
];

/** Whether a resource installs a chart. */
export function installsChart({ type }: SeenResource): boolean {
  return chartTypes.includes(type);
}

/** Whether a resource installs the chart of this name, from a registry, a repository, a folder or an archive. */
export function installs(chart: "slurm" | "slurm-operator", resource: SeenResource): boolean {
  if (!installsChart(resource)) return false;
  const source = at(resource.props, "chart");
  if (typeof source !== "string") return false;
  const pattern = new RegExp(String.raw`(^|/)${chart}(-v?\d[^/]*\.tgz)?(:[^/@]+)?(@[^/]+)?/?$`);
  return pattern.test(source);
}

/**
 * Whether a Slurm release has, or may turn out to have, its slurmctld outside Kubernetes: keys and slurm.conf are made
 * there then.
 */
export function mayBeHybrid(values: unknown): boolean {
  const external = at(values, "controller", "external");
  return external === true || external === UNKNOWN;
}
