/** What `up` is about to install, and where it comes from: said before anything is touched. */

import {
  chartNames,
  chartVersions,
  defaultImages,
  kindNodeImage,
  upstreamChartRegistries,
} from "../versions.ts";
import type { StackSettings } from "./stackSettings.ts";

/** Images of a bundle by base name, as bundle.ts reads them, and its folder. */
export interface BundleContents {
  readonly folder: string;
  readonly images: Readonly<Record<string, string>>;
}

/** One line a thing: cluster, charts, images, Slurm. */
export function describeInstallation(
  settings: StackSettings,
  bundle: BundleContents | undefined,
): string[] {
  const chartSource = settings.charts ?? (bundle ? bundle.folder : "their upstream registries");
  const imageOf = (name: string): string => {
    const own = settings.images[name] ?? bundle?.images[name];
    if (own !== undefined) return own;
    const upstream =
      (defaultImages as Readonly<Record<string, string>>)[name] ?? "not in the bundle";
    if (settings.imageRegistry === undefined) return upstream;
    return `${settings.imageRegistry.replace(/\/+$/, "")}${upstream.slice(upstream.indexOf("/"))}`;
  };
  const nodeImage = settings.kindNodeImage ?? kindNodeImage;
  const charts = chartNames.map((name) => {
    const from = settings.charts ?? (bundle ? bundle.folder : upstreamChartRegistries[name]);
    return `  chart    ${name} ${chartVersions[name]}  from ${from}`;
  });
  return [
    `This installs, charts from ${chartSource}:`,
    settings.cluster === "kind"
      ? `  cluster  KinD "${settings.kindName}", Kubernetes ${versionOf(nodeImage)}  (${nodeImage})`
      : "  cluster  the existing one this stack names; it is not created and not deleted",
    ...charts,
    ...Object.keys(defaultImages).map((name) => `  image    ${imageOf(name)}`),
    `  Slurm    ${versionOf(imageOf("slurmctld"))}`,
  ];
}

/** Tag of an image reference, without its digest. */
export function versionOf(image: string): string {
  const [name = ""] = image.split("@");
  return /:([^:/]+)$/.exec(name)?.[1] ?? "without a tag";
}
