import { basename } from "node:path";
import { type Bundle, type ImageArchive, listFiles, readBundle } from "../bundle.ts";
import {
  type ChartName,
  chartNames,
  chartVersions,
  defaultImages,
  type ImageName,
  imageNames,
  upstreamChartRegistries,
} from "../versions.ts";
import { type ConfigPlace, resolvePath } from "./cluster.ts";
import { isDnsLabel } from "./dnsLabel.ts";
import { imageBaseName, inRegistry, parseImageReference } from "./imageReference.ts";
import { type RawValues, unknownKeyMessage } from "./rawValues.ts";

/** Where one chart comes from. */
export interface ChartSource {
  /** An oci:// address or the absolute path of a .tgz. */
  readonly chart: string;
  readonly version: string;
}

/** Charts and images of a stack. */
export interface Sources {
  readonly charts: Readonly<Record<ChartName, ChartSource>>;
  readonly images: Readonly<Record<ImageName, string>>;
  /** Archives to load into KinD nodes; empty without a bundle. */
  readonly imageArchives: readonly ImageArchive[];
  readonly imagePullSecrets: readonly string[];
}

/** The word that stands for the bundle the lab builds, and the variable that names its folder. */
const labBundle = { word: "lab", variable: "SLINKY_LAB_BUNDLE" } as const;

/**
 * Reads `bundle`, `charts`, `images` and `imagePullSecrets`.
 * @param needed images that the stack starts; a bundle must hold these, others it may lack
 */
export async function readSources(
  raw: RawValues,
  place: ConfigPlace,
  needed: readonly ImageName[] = imageNames,
): Promise<Sources> {
  const bundle = await readBundleKey(raw, place);
  return {
    charts: await readCharts(raw, place, bundle),
    images: readImages(raw, bundle, needed),
    imageArchives: (bundle?.archives ?? []).filter((archive) => isWanted(archive, needed)),
    imagePullSecrets: raw.list("imagePullSecrets").flatMap((name, index) => {
      if (isDnsLabel(name)) return [name];
      raw.problems.bad(`imagePullSecrets[${index}]`, name, "the name of a Secret");
      return [];
    }),
  };
}

/** Whether an archive holds anything but images of containers that this stack does not start. */
function isWanted(archive: ImageArchive, needed: readonly ImageName[]): boolean {
  const unneeded = imageNames.filter((name) => !needed.includes(name));
  return archive.images.some(({ reference }) => {
    const parsed = parseImageReference(reference);
    return !parsed || !unneeded.some((name) => name === imageBaseName(parsed));
  });
}

async function readBundleKey(raw: RawValues, place: ConfigPlace): Promise<Bundle | undefined> {
  const text = raw.optional("bundle");
  if (text === undefined) return undefined;
  const folder = text === labBundle.word ? place.environment[labBundle.variable] : text;
  if (!folder) {
    raw.problems.add(
      "bundle",
      `is "lab", but ${labBundle.variable} is not set: build the lab with \`npm run lab:build\`, ` +
        'then run `eval "$(npm run -s lab:env)"` in this shell',
    );
    return undefined;
  }
  try {
    return await readBundle(resolvePath(folder, place));
  } catch (error) {
    raw.problems.add("bundle", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

async function readCharts(
  raw: RawValues,
  place: ConfigPlace,
  bundle: Bundle | undefined,
): Promise<Record<ChartName, ChartSource>> {
  const text =
    raw.optional("charts") ?? (raw.optional("bundle") === undefined ? "upstream" : undefined);
  if (text === "upstream") return everyChart((name) => `${upstreamChartRegistries[name]}/${name}`);
  if (text?.startsWith("oci://")) {
    return everyChart((name) => `${text.replace(/\/+$/, "")}/${name}`);
  }
  const folder = text === undefined ? undefined : resolvePath(text, place);
  const files = folder === undefined ? bundle?.charts : await listFiles(folder, ".tgz");
  return everyChart((name) => {
    const file = `${name}-${chartVersions[name]}.tgz`;
    const path = files?.[file];
    // A bundle that could not be read has been refused already.
    if (path === undefined && files !== undefined) {
      const where = folder ?? `the bundle ${bundle?.folder}`;
      raw.problems.add(
        text === undefined ? "bundle" : "charts",
        `chart ${name} is missing: ${where} has no ${file}; allowed: upstream, an oci:// folder, or a folder with every chart`,
      );
    }
    return path ?? file;
  });
}

function everyChart(locate: (name: ChartName) => string): Record<ChartName, ChartSource> {
  return Object.fromEntries(
    chartNames.map((name) => [name, { chart: locate(name), version: chartVersions[name] }]),
  ) as Record<ChartName, ChartSource>;
}

/**
 * Image of each container. A single name in `images` wins; then the bundle's image of the same base name;
 * then the default image, with `images.registry` in place of its registry host.
 */
function readImages(
  raw: RawValues,
  bundle: Bundle | undefined,
  needed: readonly ImageName[],
): Record<ImageName, string> {
  const { registry, ...single } = raw.object("images");
  const allowed = ["registry", ...imageNames];
  for (const [name, value] of Object.entries(single)) {
    if (!allowed.includes(name)) {
      raw.problems.add(`images.${name}`, unknownKeyMessage(name, allowed));
    } else if (!isPinnedImage(value)) {
      raw.problems.bad(
        `images.${name}`,
        value,
        "a full image reference with a tag other than latest, or with a digest",
      );
    }
  }
  const mirror = readRegistry(raw, registry);
  const image = (name: ImageName): string => {
    const given = single[name];
    if (typeof given === "string") return given;
    if (raw.optional("bundle") === undefined) {
      return mirror === undefined ? defaultImages[name] : inRegistry(mirror, defaultImages[name]);
    }
    const bundled = bundle?.images[name];
    if (bundle && bundled === undefined && needed.includes(name)) {
      raw.problems.add(
        "bundle",
        `image ${name} is missing: no archive in ${basename(bundle.folder)}/images holds it; add it or set images.${name}`,
      );
    }
    return bundled ?? defaultImages[name];
  };
  return Object.fromEntries(imageNames.map((name) => [name, image(name)])) as Record<
    ImageName,
    string
  >;
}

function readRegistry(raw: RawValues, registry: unknown): string | undefined {
  if (registry === undefined) return undefined;
  const text = typeof registry === "string" ? registry.replace(/\/+$/, "") : "";
  if (!parseImageReference(`${text}/name`) || !/[.:]|^localhost/.test(text.split("/")[0] ?? "")) {
    raw.problems.bad("images.registry", registry, "a registry host, with port and folder if any");
    return undefined;
  }
  if (raw.optional("bundle") !== undefined) {
    raw.problems.add("images.registry", "and bundle exclude each other; choose one of the two");
  }
  return text;
}

function isPinnedImage(value: unknown): boolean {
  const reference = typeof value === "string" ? parseImageReference(value) : undefined;
  if (!reference) return false;
  return reference.digest !== undefined || (reference.tag ?? "latest") !== "latest";
}
