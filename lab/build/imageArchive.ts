import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../shell.ts";

/** One image of an archive: layers from bottom to top and what to start. */
export interface Image {
  /** `name:tag`. */
  reference: string;
  /** Paths of uncompressed tar files. */
  layers: string[];
  entrypoint?: string[];
  /** `uid` or `uid:gid`. */
  user?: string;
  env?: Record<string, string>;
}

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
  }
  return hash.digest("hex");
}

/** The image configuration of the OCI image specification, as far as the lab needs it. */
export function imageConfig(image: Image, diffIds: string[]): object {
  const env = { PATH: defaultPath, ...image.env };
  return {
    architecture: "amd64",
    os: "linux",
    created: "1970-01-01T00:00:00Z",
    config: {
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...(image.entrypoint && { Entrypoint: image.entrypoint }),
      ...(image.user && { User: image.user }),
    },
    rootfs: { type: "layers", diff_ids: diffIds.map((id) => `sha256:${id}`) },
    history: diffIds.map(() => ({ created: "1970-01-01T00:00:00Z" })),
  };
}

/**
 * Writes images into one archive in the format of `docker save`, each layer once. No container
 * engine is involved, so the same inputs give the same image ids.
 */
export async function writeImageArchive(
  file: string,
  images: Image[],
  logFile: string,
): Promise<void> {
  const stage = `${file}.stage`;
  await mkdir(stage, { recursive: true });
  const diffIds = new Map<string, string>();
  for (const layer of new Set(images.flatMap((image) => image.layers))) {
    const id = await sha256OfFile(layer);
    diffIds.set(layer, id);
    await link(layer, join(stage, `${id}.tar`)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
  const manifest = [];
  for (const image of images) {
    const ids = image.layers.map((layer) => diffIds.get(layer) as string);
    const config = JSON.stringify(imageConfig(image, ids));
    const configName = `${createHash("sha256").update(config).digest("hex")}.json`;
    await writeFile(join(stage, configName), config);
    manifest.push({
      Config: configName,
      RepoTags: [image.reference],
      Layers: ids.map((id) => `${id}.tar`),
    });
  }
  await writeFile(join(stage, "manifest.json"), JSON.stringify(manifest));
  // manifest.json first: readers that only want the names need not walk over the layers.
  await run(
    "sh",
    [
      "-c",
      'tar -cf "$1" -C "$2" manifest.json $(cd "$2" && ls | grep -v ^manifest.json$)',
      "tar",
      file,
      stage,
    ],
    {
      logFile,
      timeoutSeconds: 600,
    },
  );
  await rm(stage, { recursive: true });
}

/** Packs `files` (path in the image -> path on disk) into an uncompressed layer. */
export async function writeLayer(
  layer: string,
  files: Record<string, { from: string; mode?: number }>,
  logFile: string,
): Promise<void> {
  const stage = `${layer}.stage`;
  for (const [target, { from, mode }] of Object.entries(files)) {
    const path = join(stage, target);
    await mkdir(join(path, ".."), { recursive: true });
    await run("cp", ["-r", from, path], { timeoutSeconds: 300 });
    if (mode !== undefined) await run("chmod", [mode.toString(8), path], { timeoutSeconds: 30 });
  }
  await run(
    "tar",
    [
      "--sort=name",
      "--mtime=@0",
      "--owner=0",
      "--group=0",
      "--numeric-owner",
      "-cf",
      layer,
      "-C",
      stage,
      ".",
    ],
    { logFile, timeoutSeconds: 600 },
  );
  await rm(stage, { recursive: true });
}
