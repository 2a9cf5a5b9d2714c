import { readFile, statfs } from "node:fs/promises";
import type { CommandRunner } from "./commandRunner.ts";
import { docker } from "./dockerNodes.ts";

/** What the machine says about itself. */
export interface Machine {
  /** Free bytes for ordinary users of the file system that holds a folder; undefined when the folder is not here. */
  freeBytes(folder: string): Promise<number | undefined>;
  /** Value of a kernel parameter by its path below /proc/sys; undefined when there is none. */
  kernelParameter(path: string): Promise<number | undefined>;
}

/** This machine. */
export const systemMachine: Machine = {
  async freeBytes(folder) {
    const stats = await statfs(folder).catch(() => undefined);
    return stats && stats.bavail * stats.bsize;
  },
  async kernelParameter(path) {
    const text = await readFile(`/proc/sys/${path}`, "utf8").catch(() => undefined);
    return text === undefined ? undefined : Number(text);
  },
};

const gib = 1024 ** 3;

/** inotify limits below which KinD nodes run out of watches (kind, known issues: too many open files). */
const inotifyLimits = [
  { path: "fs/inotify/max_user_watches", least: 65_536 },
  { path: "fs/inotify/max_user_instances", least: 256 },
];

/**
 * Refuses early what would fail late.
 * @throws when Docker does not answer or the disk is too full
 * @returns the folder Docker keeps its data in
 */
export async function requireDocker(runner: CommandRunner): Promise<string> {
  try {
    const root = await docker(runner, "info", "--format", "{{.DockerRootDir}}");
    return root.trim();
  } catch (cause) {
    throw new Error(
      "Docker does not answer; KinD needs it. Start Docker, and check DOCKER_HOST and your permission to use it " +
        `(\`docker info\`): ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * Checks that there is room for the nodes.
 * @param folders folders to look at; the first that exists on this machine counts (Docker's may be elsewhere)
 */
export async function requireFreeDisk(
  machine: Machine,
  folders: readonly string[],
  minimumGiB: number,
): Promise<void> {
  for (const folder of folders) {
    const free = await machine.freeBytes(folder);
    if (free === undefined) continue;
    if (free < minimumGiB * gib) {
      throw new Error(
        `only ${(free / gib).toFixed(1)} GiB are free at ${folder}; a KinD cluster needs ${minimumGiB} GiB. ` +
          "Free some space (`docker system df` shows Docker's share) or lower kindMinimumFreeGiB.",
      );
    }
    return;
  }
}

/** Warnings about kernel limits that make pods fail with "too many open files" (R28). */
export async function inotifyWarnings(machine: Machine): Promise<string[]> {
  const warnings: string[] = [];
  for (const { path, least } of inotifyLimits) {
    const value = await machine.kernelParameter(path);
    if (value !== undefined && value < least) {
      const name = path.replaceAll("/", ".");
      warnings.push(
        `warning: ${name} is ${value}; KinD wants ${least}: sysctl -w ${name}=${least}`,
      );
    }
  }
  return warnings;
}
