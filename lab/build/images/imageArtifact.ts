import { join } from "node:path";
import type { Artifact } from "../../artifact.ts";
import { artifactFolder } from "../../artifact.ts";
import { run } from "../../shell.ts";
import { goToolArtifact } from "../goTool.ts";
import { writeLayer } from "../imageArchive.ts";
import { baseRoot, mariadbRoot, nodeRoot, slurmRoot } from "../roots.ts";
import { rootfsArtifact } from "../rootfs.ts";
import type { ToolName } from "../tools.ts";
import { goTools } from "../tools.ts";

/** An archive of images, with the artifacts that must exist before it is written. */
export interface ImageArchive extends Artifact {
  needs: Artifact[];
}

/** The artifact of a Go tool by name. */
export const tool = (name: ToolName): Artifact => goToolArtifact(goTools[name]);
const binary = (name: ToolName): string => join(artifactFolder(tool(name)), goTools[name].name);
/** The layer of a root file system. */
export const layerOf = (root: Artifact): string => join(artifactFolder(root), "layer.tar");
/** What an archive depends on, as inputs of its key. */
export const keys = (needs: Artifact[]): string[] => needs.map(artifactFolder);

/** The root file systems, as artifacts. */
export const base = rootfsArtifact(baseRoot);
export const node = rootfsArtifact(nodeRoot);
export const slurm = rootfsArtifact(slurmRoot);
export const mariadb = rootfsArtifact(mariadbRoot);

/** A layer that holds one tool's binary in /usr/local/bin. */
export async function toolLayer(folder: string, name: ToolName, log: string): Promise<string> {
  const layer = join(folder, `${name}.layer`);
  const target = `usr/local/bin/${goTools[name].name}`;
  await writeLayer(layer, { [target]: { from: binary(name), mode: 0o755 } }, log);
  return layer;
}

/** Layers live on inside the archive only. */
export async function removeLayers(folder: string): Promise<void> {
  await run("sh", ["-c", 'rm -f "$1"/*.layer', "sh", folder], { timeoutSeconds: 30 });
}
