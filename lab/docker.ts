import { spawn } from "node:child_process";
import { existsSync, openSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Progress } from "../progress.ts";
import { cacheFolder, runFolder } from "./paths.ts";
import { run } from "./shell.ts";

const socket = `unix://${runFolder}/docker.sock`;
const pidFile = join(runFolder, "docker.pid");
const startSeconds = 60;
const stopSeconds = 60;

/** Whether a Docker engine answers at `host` (undefined: wherever the client looks by itself). */
export async function dockerAnswers(host: string | undefined): Promise<boolean> {
  const env = host === undefined ? process.env : { ...process.env, DOCKER_HOST: host };
  try {
    await run("docker", ["version", "--format", "{{.Server.Version}}"], {
      env,
      timeoutSeconds: 15,
    });
    return true;
  } catch {
    return false;
  }
}

/** CAP_SYS_RESOURCE is bit 24 of the effective set (capabilities(7)). */
export function lacksSysResource(status: string): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return effective !== undefined && (BigInt(`0x${effective}`) & (1n << 24n)) === 0n;
}

/**
 * Returns the DOCKER_HOST of an engine that answers: the machine's own where there is one, else
 * the lab's, which is started with its data in the lab's cache.
 * @param wrapper path of runc-nosr, the default runtime on machines without CAP_SYS_RESOURCE.
 */
export async function ensureDocker(
  wrapper: string,
  progress: Progress,
): Promise<string | undefined> {
  if (await dockerAnswers(undefined)) return undefined;
  if (await dockerAnswers(socket)) return socket;
  await progress.step("start the Docker engine", () => startDocker(wrapper));
  return socket;
}

async function startDocker(wrapper: string): Promise<void> {
  // docker.io of Debian bookworm writes legacy rules; beside nft rules they are not seen.
  for (const tool of ["iptables", "ip6tables"]) {
    await run("update-alternatives", ["--set", tool, `/usr/sbin/${tool}-legacy`], {
      timeoutSeconds: 30,
    });
  }
  await mkdir(runFolder, { recursive: true });
  await rm(pidFile, { force: true });
  const logFile = join(cacheFolder(), "logs", "dockerd.log");
  await mkdir(join(cacheFolder(), "logs"), { recursive: true });
  const runtime = lacksSysResource(await readFile("/proc/self/status", "utf8"))
    ? ["--add-runtime", `nosr=${wrapper}`, "--default-runtime", "nosr"]
    : [];
  const log = openSync(logFile, "a");
  const engine = spawn(
    "dockerd",
    [
      ...["--host", socket, "--pidfile", pidFile, "--log-level", "warn"],
      ...["--data-root", join(cacheFolder(), "docker")],
      ...["--exec-root", join(runFolder, "docker")],
      ...runtime,
    ],
    { detached: true, stdio: ["ignore", log, log] },
  );
  engine.unref();
  let failure: string | undefined;
  engine.once("error", (error) => (failure = error.message));
  engine.once("exit", (code) => (failure = `it exited with code ${code}`));
  const deadline = Date.now() + startSeconds * 1000;
  while (!(await dockerAnswers(socket))) {
    if (failure ?? Date.now() > deadline) {
      throw new Error(
        `the Docker engine did not start: ${failure ?? `no answer in ${startSeconds} s`}; see ${logFile}`,
      );
    }
    await delay(300);
  }
  engine.removeAllListeners();
}

/** The pid of the lab's engine, if the lab started one that still runs. */
export function labEnginePid(): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, "utf8").trim());
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "dockerd" ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Stops the engine that the lab started, unless containers still run in it. */
export async function stopDocker(progress: Progress): Promise<void> {
  const pid = labEnginePid();
  if (pid === undefined) return;
  const env = { ...process.env, DOCKER_HOST: socket };
  const containers = (await run("docker", ["ps", "--quiet"], { env, timeoutSeconds: 30 })).trim();
  if (containers) {
    progress.note(`the lab's Docker engine stays: ${containers.split("\n").length} containers run`);
    return;
  }
  await progress.step("stop the Docker engine", async () => {
    process.kill(pid, "SIGTERM");
    const deadline = Date.now() + stopSeconds * 1000;
    while (labEnginePid() !== undefined) {
      if (Date.now() > deadline) {
        throw new Error(`dockerd (pid ${pid}) did not stop in ${stopSeconds} s`);
      }
      await delay(200);
    }
    await rm(runFolder, { recursive: true, force: true });
    await run("ip", ["link", "delete", "docker0"], { timeoutSeconds: 10 }).catch(() => undefined);
  });
}
