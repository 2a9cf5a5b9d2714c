import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Progress } from "../progress.ts";
import { cacheFolder } from "./paths.ts";

/** Something the lab builds once and keeps in the cache under a key made of all its inputs. */
export interface Artifact {
  /** Short name; also the step's name in the progress lines. */
  name: string;
  /** Everything the result depends on: versions, other artifacts' keys, contents of sources. */
  inputs: string[];
  /** Writes the result into `folder`, which exists and is empty. `logFile` takes the noise. */
  build(folder: string, logFile: string): Promise<void>;
}

const digest = (parts: string[]): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 12);

/** The folder an artifact has, or will have, in the cache. */
export function artifactFolder(artifact: Artifact): string {
  return join(cacheFolder(), "artifacts", `${artifact.name}-${digest(artifact.inputs)}`);
}

/** The text of every file below `folder`, in a fixed order, as inputs of an artifact. */
export function sourcesOf(folder: string, skip: (path: string) => boolean = () => false): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !skip(path))
    .flatMap((path) => [path.slice(folder.length), readFileSync(path, "utf8")]);
}

/**
 * Returns the artifact's folder, building it first where the cache lacks it. A build happens beside
 * its final place and is renamed at the end, so a killed build leaves nothing that counts as built.
 */
export async function ensureArtifact(artifact: Artifact, progress: Progress): Promise<string> {
  const folder = artifactFolder(artifact);
  if (existsSync(folder)) return folder;
  await progress.step(`build ${artifact.name}`, async () => {
    const draft = `${folder}.draft-${process.pid}`;
    const logs = join(cacheFolder(), "logs");
    await mkdir(logs, { recursive: true });
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    const logFile = join(logs, `${artifact.name}.log`);
    await writeFile(logFile, "");
    try {
      await artifact.build(draft, logFile);
      await rename(draft, folder);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(folder)) throw error; // else somebody else built the same thing meanwhile
    }
  });
  return folder;
}
