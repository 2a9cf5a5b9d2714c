import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KindSettings } from "./settings.ts";

/** The properties of a cluster that cannot change while it lives. */
export type ClusterShape = Pick<KindSettings, "workers" | "nodeImage" | "kubeadmPatches">;

/** What the program keeps about one KinD cluster, in `.slinky/kind/<name>/` of the checkout. */
export interface ClusterFolder {
  /** The folder mounted into every node; its path is the mark of ownership. */
  readonly owner: string;
  readonly kubeconfig: string;
  /** Makes the folder and records whose the cluster is. */
  claim(stack: string): Promise<void>;
  /** The stack that claimed the cluster; undefined when nothing is recorded. */
  claimedBy(): Promise<string | undefined>;
  /** Records that the cluster was created to the end. */
  markComplete(shape: ClusterShape): Promise<void>;
  /** The shape of the completed cluster; undefined while it is not complete. */
  completedShape(): Promise<ClusterShape | undefined>;
  /** Takes the record back, before the cluster is deleted or created. */
  markIncomplete(): Promise<void>;
  remove(): Promise<void>;
}

/** Opens the folder of a cluster below the state folder (`<project>/.slinky/kind`), which it creates. */
export async function openClusterFolder(stateFolder: string, name: string): Promise<ClusterFolder> {
  await mkdir(stateFolder, { recursive: true });
  // Docker reports mounts by their real path.
  const folder = join(await realpath(stateFolder), name);
  const owner = join(folder, "owner");
  const ownerFile = join(owner, "stack");
  const completeFile = join(folder, "complete.json");
  return {
    owner,
    kubeconfig: join(folder, "kubeconfig"),
    async claim(stack) {
      await mkdir(owner, { recursive: true });
      await writeFile(ownerFile, `${stack}\n`);
    },
    async claimedBy() {
      return (await readIfThere(ownerFile))?.trim();
    },
    async markComplete({ workers, nodeImage, kubeadmPatches }) {
      await writeFile(completeFile, JSON.stringify({ workers, nodeImage, kubeadmPatches }));
    },
    async completedShape() {
      const text = await readIfThere(completeFile);
      return text === undefined ? undefined : (JSON.parse(text) as ClusterShape);
    },
    async markIncomplete() {
      await rm(completeFile, { force: true });
    },
    async remove() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
