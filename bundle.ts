import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { imageBaseName, parseImageReference } from "./config/imageReference.ts";

/** Seconds that reading one archive's table of contents may take. */
const archiveTimeoutSeconds = 60;

/** An image archive (`docker save`) of a bundle. */
export interface ImageArchive {
  /** Absolute path of the .tar file. */
  readonly path: string;
  readonly images: readonly ArchivedImage[];
}

/** One image in an archive. */
export interface ArchivedImage {
  /** Reference as tagged, such as `lab/slurmctld:26.05.5`. */
  readonly reference: string;
  /** Image id: `sha256:` and the hex digits of the image's configuration. Changes with the image's content. */
  readonly id: string;
}

/** A folder with charts and images: everything a stack needs without a network. */
export interface Bundle {
  readonly folder: string;
  /** Absolute path of each chart archive by file name, such as `slurm-1.2.1.tgz`. */
  readonly charts: Readonly<Record<string, string>>;
  readonly archives: readonly ImageArchive[];
  /** Reference of each image by base name: `slurmctld` is `lab/slurmctld:26.05.5`. */
  readonly images: Readonly<Record<string, string>>;
}

/**
 * Reads a bundle: `charts/*.tgz` and `images/*.tar`.
 * @throws when the folder is missing, an archive cannot be read, or two images share a base name
 */
export async function readBundle(folder: string): Promise<Bundle> {
  const root = resolve(folder);
  if (!(await isFolder(root))) {
    throw new Error(`the bundle folder ${root} does not exist`);
  }
  const archivePaths = Object.values(await listFiles(join(root, "images"), ".tar"));
  const archives = await Promise.all(archivePaths.map(readImageArchive));
  return {
    folder: root,
    charts: await listFiles(join(root, "charts"), ".tgz"),
    archives,
    images: imagesByBaseName(archives),
  };
}

/** Files of a folder with one ending, by name, in alphabetical order; an absent folder is empty. */
export async function listFiles(folder: string, ending: string): Promise<Record<string, string>> {
  const names = (await isFolder(folder)) ? await readdir(folder) : [];
  const wanted = names.filter((name) => name.endsWith(ending)).sort();
  return Object.fromEntries(wanted.map((name) => [name, join(folder, name)]));
}

/**
 * Reads the table of contents of an image archive (manifest.json of the Docker image specification v1.2).
 * tar skips over the layers of a seekable file, so a large archive costs no more than a small one.
 */
async function readImageArchive(path: string): Promise<ImageArchive> {
  let manifest: unknown;
  try {
    const { stdout } = await promisify(execFile)("tar", ["-xOf", path, "manifest.json"], {
      timeout: archiveTimeoutSeconds * 1000,
      killSignal: "SIGKILL",
      maxBuffer: 16 * 1024 * 1024,
    });
    manifest = JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`${path} is no image archive: its manifest.json cannot be read`, { cause });
  }
  return { path, images: toArchivedImages(manifest, path) };
}

/** Pure: the images that a manifest.json names. */
export function toArchivedImages(manifest: unknown, path: string): ArchivedImage[] {
  if (!Array.isArray(manifest)) throw new Error(`${path}: manifest.json is not a list`);
  return (manifest as { Config?: unknown; RepoTags?: unknown }[]).flatMap((entry) => {
    const digits = /([0-9a-f]{64})(?:\.json)?$/.exec(String(entry.Config))?.[1];
    if (!digits) throw new Error(`${path}: manifest.json names an image without an id`);
    const tags = (entry.RepoTags ?? []) as string[];
    return tags.map((reference) => ({ reference, id: `sha256:${digits}` }));
  });
}

function imagesByBaseName(archives: readonly ImageArchive[]): Record<string, string> {
  const byName: Record<string, string> = {};
  for (const { path, images } of archives) {
    for (const { reference } of images) {
      const parsed = parseImageReference(reference);
      if (!parsed) throw new Error(`${path} holds an image with the unusable name ${reference}`);
      const name = imageBaseName(parsed);
      const other = byName[name];
      if (other !== undefined && other !== reference) {
        throw new Error(`the bundle holds two images named ${name}: ${other} and ${reference}`);
      }
      byName[name] = reference;
    }
  }
  return byName;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
