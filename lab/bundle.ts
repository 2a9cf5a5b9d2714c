import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Bundle } from "../bundle.ts";
import { readBundle } from "../bundle.ts";
import { imageBaseName, parseImageReference } from "../config/imageReference.ts";
import { cacheFolder } from "./paths.ts";

/** Name of a chart package without version and ending. */
export function chartName(file: string): string {
  return basename(file).replace(/-v?\d+\.\d+\.\d+[^/]*\.tgz$/, "");
}

/** Base names of the images of one archive. */
function imageNames(archive: Bundle["archives"][number]): string[] {
  return archive.images.map(({ reference }) => {
    const parsed = parseImageReference(reference);
    if (!parsed)
      throw new Error(`${archive.path} holds an image with the unusable name ${reference}`);
    return imageBaseName(parsed);
  });
}

/**
 * What of the lab stays when `override` comes on top: charts it does not bring, and archives none
 * of whose images it brings. Pure, for tests.
 * @throws Error when the override replaces only some images of one archive of the lab.
 */
export function filesUnderOverride(lab: Bundle, override: Bundle): string[] {
  const charts = new Set(Object.values(override.charts).map(chartName));
  const keptCharts = Object.values(lab.charts).filter((file) => !charts.has(chartName(file)));
  const keptArchives = lab.archives.filter((archive) => {
    const names = imageNames(archive);
    const lacking = names.filter((name) => !(name in override.images));
    if (lacking.length > 0 && lacking.length < names.length) {
      throw new Error(
        `the bundle ${override.folder} replaces only some images of ${basename(archive.path)}: it lacks ${lacking.join(", ")}`,
      );
    }
    return lacking.length > 0;
  });
  return [...keptCharts, ...keptArchives.map((archive) => archive.path)];
}

/** Makes a bundle folder of links, once for the same set of files. */
async function layOut(files: string[]): Promise<string> {
  const key = createHash("sha256").update(files.join("\0")).digest("hex").slice(0, 12);
  const folder = join(cacheFolder(), "bundles", key);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.draft-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(join(draft, "charts"), { recursive: true });
  await mkdir(join(draft, "images"));
  for (const file of files) {
    const place = file.endsWith(".tgz") ? "charts" : "images";
    await symlink(file, join(draft, place, basename(file)));
  }
  await rename(draft, folder);
  return folder;
}

/**
 * The bundle of the lab: what it built, with the files of `override` (LAB_BUNDLE: charts/*.tgz and
 * images/*.tar, real parts for stand-ins) taking the place of those with the same names.
 * @param files chart packages and image archives that the lab built.
 */
export async function composeBundle(files: string[], override?: string): Promise<string> {
  const lab = await layOut(files);
  if (!override) return lab;
  const over = await readBundle(override);
  const brought = [...Object.values(over.charts), ...over.archives.map((archive) => archive.path)];
  if (brought.length === 0) {
    throw new Error(`LAB_BUNDLE=${override} holds neither charts/*.tgz nor images/*.tar`);
  }
  return layOut([...filesUnderOverride(await readBundle(lab), over), ...brought]);
}
