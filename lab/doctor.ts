import { existsSync, readFileSync } from "node:fs";
import { mkdir, statfs } from "node:fs/promises";
import { debianMirror } from "./build/rootfs.ts";
import { dockerAnswers, labEnginePid, lacksSysResource } from "./docker.ts";
import { cacheFolder } from "./paths.ts";
import { run } from "./shell.ts";

/** One thing the lab needs of the machine. `fix` says what to do when it is missing. */
export interface Finding {
  name: string;
  ok: boolean;
  detail: string;
  fix: string;
}

/** Free disk, in GiB, for the Go caches, the artifacts and the engine's data. */
const neededDiskGiB = 40;
const neededMemoryGiB = 8;

const asText = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

async function check(name: string, fix: string, probe: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, detail: await probe(), fix };
  } catch (error) {
    return { name, ok: false, detail: asText(error), fix };
  }
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

function kernelFeatures(): Promise<string> {
  const known = read("/proc/filesystems");
  const missing = ["overlay", "cgroup"].filter((name) => !known.includes(name));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(", ")}`);
  const cgroup = existsSync("/sys/fs/cgroup/cgroup.controllers") ? "v2" : "v1";
  return Promise.resolve(`overlay, cgroup ${cgroup}`);
}

async function diskSpace(): Promise<string> {
  await mkdir(cacheFolder(), { recursive: true });
  const { bavail, bsize } = await statfs(cacheFolder());
  const free = (bavail * bsize) / 2 ** 30;
  const built = existsSync(`${cacheFolder()}/artifacts`);
  if (!built && free < neededDiskGiB) {
    throw new Error(`${free.toFixed(0)} GiB free for ${cacheFolder()}, ${neededDiskGiB} needed`);
  }
  return `${free.toFixed(0)} GiB free${built ? ", toolchain partly or wholly built" : ""}`;
}

function memory(): Promise<string> {
  const kib = Number(/MemTotal:\s+(\d+)/.exec(read("/proc/meminfo"))?.[1] ?? 0);
  const gib = kib / 2 ** 20;
  if (gib < neededMemoryGiB) throw new Error(`${gib.toFixed(1)} GiB, ${neededMemoryGiB} needed`);
  return Promise.resolve(`${gib.toFixed(0)} GiB`);
}

const version = (command: string, args: string[]) => async (): Promise<string> =>
  (await run(command, args, { timeoutSeconds: 20 })).split("\n")[0] ?? "";

/** Looks at the machine; changes nothing. */
export async function diagnose(): Promise<Finding[]> {
  return [
    await check("Linux on x86_64", "use the dev stack on other machines", () => {
      if (process.platform === "linux" && process.arch === "x64") return Promise.resolve("yes");
      throw new Error(`${process.platform} ${process.arch}`);
    }),
    await check("root", "run as root: nodes are privileged containers", () => {
      if (process.getuid?.() === 0) return Promise.resolve("yes");
      throw new Error(`user id ${process.getuid?.()}`);
    }),
    await check("disk", "free disk, or set SLINKY_STACK_CACHE to a larger one", diskSpace),
    await check("memory", "use a machine with more memory", memory),
    await check("kernel", "use a kernel with overlayfs and cgroups", async () => kernelFeatures()),
    await check("capabilities", "", () =>
      Promise.resolve(
        lacksSysResource(read("/proc/self/status"))
          ? "no CAP_SYS_RESOURCE: containers run through runc-nosr"
          : "complete",
      ),
    ),
    await check("Go", "install Go 1.26 or newer", version("go", ["version"])),
    await check("Go module proxy", "set GOPROXY to a proxy this machine reaches", () =>
      run("go", ["list", "-m", "-versions", "sigs.k8s.io/kind"], {
        cwd: "/",
        timeoutSeconds: 60,
      }).then(() => "answers"),
    ),
    await check("Debian archive", "add a Debian source and run apt-get update", () =>
      debianMirror().then(() => "configured"),
    ),
    await check("npm registry", "set npm's registry to one this machine reaches", () =>
      run("npm", ["ping"], { timeoutSeconds: 60 }).then(() => "answers"),
    ),
    await check("Docker engine", "", async () => {
      if (await dockerAnswers(undefined)) return "the machine's own answers";
      return labEnginePid() === undefined ? "none runs: the lab starts one" : "the lab's runs";
    }),
  ];
}

/** Prints one line a finding; returns the exit code. */
export function printDiagnosis(findings: Finding[]): number {
  for (const { name, ok, detail, fix } of findings) {
    console.log(`  ${ok ? "ok     " : "MISSING"} ${name.padEnd(18)} ${detail}`);
    if (!ok && fix) console.log(`${" ".repeat(29)}-> ${fix}`);
  }
  return findings.every((finding) => finding.ok) ? 0 : 1;
}
