import { join } from "node:path";
import type { Artifact } from "../artifact.ts";
import { run } from "../shell.ts";

/** A Debian root file system, made with mmdebstrap from the machine's own mirror. */
export interface Rootfs {
  name: string;
  suite: string;
  /** `minbase` configures packages; `extract` only unpacks them (small, no maintainer scripts). */
  variant: "minbase" | "extract";
  packages: string[];
  /** Shell commands run on the host once packages are unpacked (`extract` ends there); "$1" is the root. */
  extractHooks?: string[];
  /** Shell commands run on the host before essential packages are configured; "$1" is the root. */
  essentialHooks?: string[];
  /** Shell commands run on the host at the end, never for `extract`; "$1" is the root. */
  customizeHooks?: string[];
}

const rootfsTimeoutSeconds = 15 * 60;

/**
 * The Debian mirror that this machine's apt uses, so that no address is ever written down: the
 * site of the archive (not of the security archive) among the configured index targets.
 */
export async function debianMirror(): Promise<string> {
  const sites = await run(
    "apt-get",
    ["indextargets", "--format", "$(SITE)", "Identifier: Packages", "Origin: Debian"],
    { timeoutSeconds: 30 },
  );
  const mirror = sites
    .split("\n")
    .find((site) => site.endsWith("/debian") || site.endsWith("/debian/"));
  if (!mirror) {
    throw new Error(
      "apt knows no Debian archive on this machine: run `apt-get update`, or add a Debian source",
    );
  }
  return mirror;
}

/** apt knows the origin of its sources only after an update. */
async function refreshLists(): Promise<string> {
  await run("apt-get", ["update"], { timeoutSeconds: 300 });
  return debianMirror();
}

/** The artifact of a root file system: a folder that holds `layer.tar`. */
export function rootfsArtifact(rootfs: Rootfs): Artifact {
  return {
    name: `root-${rootfs.name}`,
    inputs: [JSON.stringify(rootfs)],
    async build(folder, logFile) {
      await run(
        "mmdebstrap",
        [
          `--variant=${rootfs.variant}`,
          `--include=${rootfs.packages.join(",")}`,
          // A testing suite's release file expires while the mirror's snapshot of it does not.
          '--aptopt=Acquire::Check-Valid-Until "false"',
          "--dpkgopt=path-exclude=/usr/share/doc/*",
          "--dpkgopt=path-exclude=/usr/share/man/*",
          "--dpkgopt=path-exclude=/usr/share/locale/*",
          // A killed build starts anew, so nothing here needs to survive a power cut.
          "--dpkgopt=force-unsafe-io",
          ...(rootfs.extractHooks ?? []).map((hook) => `--extract-hook=${hook}`),
          ...(rootfs.essentialHooks ?? []).map((hook) => `--essential-hook=${hook}`),
          ...(rootfs.customizeHooks ?? []).map((hook) => `--customize-hook=${hook}`),
          rootfs.suite,
          join(folder, "layer.tar"),
          await debianMirror().catch(refreshLists),
        ],
        { logFile, timeoutSeconds: rootfsTimeoutSeconds },
      );
    },
  };
}
