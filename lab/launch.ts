import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Progress } from "../progress.ts";
import { buildLab } from "./build/everything.ts";
import type { ToolName } from "./build/tools.ts";
import { composeBundle } from "./bundle.ts";
import { ensureDebianPackages } from "./debian.ts";
import { ensureDocker, stopDocker } from "./docker.ts";
import { cacheFolder, labFolder, projectFolder } from "./paths.ts";
import { pins } from "./pins.ts";
import { run } from "./shell.ts";

/** The stack state of this checkout: the file backend and the passphrase that encrypts it. */
async function ensureState(): Promise<{ backend: string; passphraseFile: string }> {
  const state = join(projectFolder, ".slinky", "state");
  const passphraseFile = join(projectFolder, ".slinky", "passphrase");
  await mkdir(state, { recursive: true });
  await mkdir(join(cacheFolder(), "pulumi-home"), { recursive: true });
  if (!existsSync(passphraseFile)) {
    await writeFile(passphraseFile, randomBytes(32).toString("base64url"), { mode: 0o600 });
  }
  return { backend: `file://${state}`, passphraseFile };
}

/** Loads the KinD node image into the engine where it is not there yet. */
async function ensureNodeImage(
  archive: string,
  host: string | undefined,
  progress: Progress,
): Promise<void> {
  const env = host === undefined ? process.env : { ...process.env, DOCKER_HOST: host };
  const manifest = await run("tar", ["-xOf", archive, "manifest.json"], { timeoutSeconds: 60 });
  const [image] = JSON.parse(manifest) as [{ Config: string }];
  const wanted = `sha256:${image.Config.replace(".json", "")}`;
  const reference = `lab/node:${pins.kubernetes}`;
  const present = await run("docker", ["image", "inspect", "--format", "{{.Id}}", reference], {
    env,
    timeoutSeconds: 30,
  }).catch(() => "");
  if (present.trim() === wanted) return;
  await progress.step("load the KinD node image", () =>
    run("docker", ["load", "--quiet", "--input", archive], { env, timeoutSeconds: 300 }),
  );
}

/**
 * Makes everything that a stack of the lab needs, building and starting what is missing, and
 * returns the environment in which the Pulumi CLI, kind and their plugins work.
 * @param more further tools to have on PATH, such as helm for tests.
 */
export async function prepareLab(
  progress: Progress,
  more: ToolName[] = [],
): Promise<NodeJS.ProcessEnv> {
  await ensureDebianPackages(progress);
  const parts = await buildLab(progress, more);
  const host = await ensureDocker(parts.runtimeWrapper, progress);
  await ensureNodeImage(parts.nodeArchive, host, progress);
  const bundle = await composeBundle(parts.bundleFiles, process.env["LAB_BUNDLE"]);
  const { backend, passphraseFile } = await ensureState();
  const path = [
    join(projectFolder, "node_modules", ".bin"),
    ...parts.toolFolders,
    join(labFolder, "plugins", "bin"),
    join(projectFolder, "node_modules", "@pulumi", "pulumi"),
    process.env["PATH"] ?? "",
  ];
  return {
    ...process.env,
    ...(host !== undefined && { DOCKER_HOST: host }),
    PATH: path.join(delimiter),
    PULUMI_HOME: join(cacheFolder(), "pulumi-home"),
    PULUMI_BACKEND_URL: backend,
    PULUMI_CONFIG_PASSPHRASE_FILE: passphraseFile,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    SLINKY_LAB_BUNDLE: bundle,
  };
}

/** Stops what the lab started on this machine: the Docker engine, once no container runs in it. */
export async function stopLab(progress: Progress): Promise<void> {
  await stopDocker(progress);
}
