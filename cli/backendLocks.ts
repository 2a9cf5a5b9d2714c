/** The lock files of a file:// backend. Layout and content: Pulumi's diy backend (.pulumi/locks/<stack>/<id>.json). */

import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { BackendLock } from "./recoveryPlan.ts";

/** Folder of a file:// backend, undefined for any other; `file://~` is the home folder, as for Pulumi. */
export function backendFolder(url: string, home: string = homedir()): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  const rest = url.slice("file://".length);
  if (rest === "~" || rest.startsWith("~/")) return join(home, rest.slice(1));
  return rest.startsWith("/") ? fileURLToPath(url) : rest;
}

/**
 * The locks of a stack.
 * @throws Error when a lock file cannot be read: who holds it is then not known
 */
export async function readLocks(
  folder: string,
  project: string,
  stackName: string,
): Promise<BackendLock[]> {
  const locks = join(folder, ".pulumi", "locks", "organization", project, stackName);
  let names: string[];
  try {
    names = await readdir(locks);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const files = names.filter((name) => name.endsWith(".json"));
  return Promise.all(
    files.map(async (name) => {
      const path = join(locks, name);
      try {
        return toLock(JSON.parse(await readFile(path, "utf8")));
      } catch (error) {
        throw new Error(`the lock ${path} cannot be read; when no pulumi runs: pulumi cancel`, {
          cause: error,
        });
      }
    }),
  );
}

/** Whether a process of this machine runs and is Pulumi: ids are used again, so a live one alone proves nothing. */
export async function isPulumiProcess(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  try {
    return (await readFile(`/proc/${pid}/comm`, "utf8")).trim().startsWith("pulumi");
  } catch {
    return true;
  }
}

function toLock(content: unknown): BackendLock {
  const { pid, username, hostname, timestamp } = content as Partial<BackendLock>;
  if (typeof pid !== "number" || typeof hostname !== "string") {
    throw new Error("it names no pid and hostname");
  }
  return { pid, hostname, username: username ?? "?", timestamp: timestamp ?? "?" };
}
