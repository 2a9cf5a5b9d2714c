import { settingsVariable } from "../../components/kind/settings.ts";
import { parseImageReference } from "../../config/imageReference.ts";
import type { SeenResource } from "../rule.ts";
import { installs, installsChart, mayBeHybrid } from "./charts.ts";
import { at, entriesOf, everything, isAbsent, type Path, UNKNOWN } from "./known.ts";
import { kubernetesObjects } from "./kubernetesObjects.ts";
import { rotationType } from "./rotations.ts";

/** How firmly an image is named; `open` is for the chart to complete, and `unknown` for the update to know. */
export type ImagePin = "digest" | "tag" | "latest" | "untagged" | "open" | "unknown";

/** An image that a resource names, or leaves to a moving default. */
export interface SeenImage {
  readonly path: Path;
  readonly pin: ImagePin;
}

/** Every image of a resource: of pods, of Slinky's objects, of charts, of the key's probe and of KinD's nodes. */
export function imagesOf(resource: SeenResource): readonly SeenImage[] {
  const { type, props } = resource;
  if (installsChart(resource)) {
    const values = at(props, "values");
    const defaults = installs("slurm", resource) ? movingDefaults(values) : [];
    return [...chartImages(values), ...defaults].map(({ path, pin }) => ({
      path: ["values", ...path],
      pin,
    }));
  }
  if (type === rotationType) return literal(props, ["rotation", "probeImage"]);
  if (type === "command:local:Command") return nodeImage(props);
  return kubernetesObjects(resource).flatMap(({ group, object, path }) =>
    objectImages(object, group === "slinky.slurm.net").map((image) => ({
      path: [...path, ...image.path],
      pin: image.pin,
    })),
  );
}

/** Images of containers and of volumes made from images; in Slinky's objects every field called image. */
function objectImages(object: unknown, isSlinky: boolean): SeenImage[] {
  return [...everything(object)].flatMap(([path, value]) => {
    const [field, holder] = [path.at(-1), path.at(-2)];
    if (field === "reference" && holder === "image") return [{ path, pin: pinOf(value) }];
    if (field !== "image" || (typeof value === "object" && value !== null)) return [];
    return isSlinky || isContainer(path) ? [{ path, pin: pinOf(value) }] : [];
  });
}

/** Whether the last step of a path is a field of a container. */
function isContainer(path: Path): boolean {
  return typeof path.at(-2) === "number" && /containers$/i.test(String(path.at(-3)));
}

/**
 * Images in a chart's values. Outside of containers a chart completes what is left out, with defaults that are
 * pinned with the chart, and only a moving tag that is spelled out counts.
 */
function chartImages(values: unknown): SeenImage[] {
  return [...everything(values)].flatMap(([path, value]) => {
    if (!/image$/i.test(String(path.at(-1)))) return [];
    if (isContainer(path)) return [{ path, pin: pinOf(value) }];
    if (typeof value === "string") {
      const parent = path.slice(0, -1).reduce((here: unknown, step) => at(here, step), values);
      const hasOwnTag = entriesOf(parent).some(([key]) => /^(image)?(tag|digest)$/i.test(key));
      const pin = pinOf(value);
      return [{ path, pin: pin === "untagged" || hasOwnTag ? "open" : pin }];
    }
    if (at(value, "repository") === undefined && at(value, "tag") === undefined) return [];
    return [{ path, pin: pinOfParts(value) }];
  });
}

/**
 * The Slurm chart's log sidecars, where they are left to a default that moves: they are not on the chart's own version
 * (slinky-contract, chart values).
 */
function movingDefaults(values: unknown): SeenImage[] {
  if (values === UNKNOWN) return [];
  const shared = at(values, "nodesetDefaults", "logfile", "image");
  const places: Path[] = mayBeHybrid(values) ? [] : [["controller", "logfile", "image"]];
  for (const [name, nodeSet] of entriesOf(at(values, "nodesets"))) {
    const enabled = at(nodeSet, "enabled");
    if (enabled === false || enabled === UNKNOWN) continue;
    places.push(["nodesets", name, "logfile", "image"]);
  }
  return places.flatMap((path): SeenImage[] => {
    const image = at(values, ...path);
    const own = pinOfParts(image);
    const pin = own === "open" && path[0] === "nodesets" ? pinOfParts(shared) : own;
    return pin === "open" ? [{ path, pin: "untagged" }] : [];
  });
}

/** An image in the form of charts: repository, tag, digest. */
function pinOfParts(image: unknown): ImagePin {
  if (typeof image === "string") return pinOf(image);
  const [tag, digest] = [at(image, "tag"), at(image, "digest")];
  if (image === UNKNOWN || tag === UNKNOWN || digest === UNKNOWN) return "unknown";
  if (!isAbsent(digest) || /@sha256:/.test(String(tag))) return "digest";
  if (isAbsent(tag)) return "open";
  return String(tag).toLowerCase() === "latest" ? "latest" : "tag";
}

/** An image as one text. What is no reference at all is refused by whoever pulls it. */
function pinOf(reference: unknown): ImagePin {
  const parts = typeof reference === "string" ? parseImageReference(reference) : undefined;
  if (!parts) return "unknown";
  if (parts.digest) return "digest";
  if (!parts.tag) return "untagged";
  return parts.tag.toLowerCase() === "latest" ? "latest" : "tag";
}

function literal(props: unknown, path: Path): SeenImage[] {
  return [{ path, pin: pinOf(at(props, ...path)) }];
}

/** The node image among the settings of the process that makes a KinD cluster. */
function nodeImage(props: unknown): SeenImage[] {
  const path: Path = ["environment", settingsVariable];
  const settings = at(props, ...path);
  if (typeof settings !== "string") return [];
  try {
    return [{ path: [...path, "nodeImage"], pin: pinOf(at(JSON.parse(settings), "nodeImage")) }];
  } catch {
    return [];
  }
}
