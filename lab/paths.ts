import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The lab's own folder in the checkout. */
export const labFolder = dirname(fileURLToPath(import.meta.url));

/** The checkout. */
export const projectFolder = dirname(labFolder);

/**
 * Everything the lab builds or runs, outside the checkout: SLINKY_STACK_CACHE, else
 * `$XDG_CACHE_HOME/slinky-stack`, else `~/.cache/slinky-stack`. Nothing in it is precious.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return (
    env["SLINKY_STACK_CACHE"] ??
    join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "slinky-stack")
  );
}

/** Run-time files of the lab's Docker engine. On a tmpfs, so a reboot clears them. */
export const runFolder = "/run/slinky-stack";
