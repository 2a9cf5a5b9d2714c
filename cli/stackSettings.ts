import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { parse } from "yaml";

/** The few settings of a stack that a command needs before the program runs; the program itself validates them. */
export interface StackSettings {
  readonly cluster: "kind" | "existing";
  readonly kindName: string;
  /** Node image of the KinD cluster, where the stack names one. */
  readonly kindNodeImage: string | undefined;
  /** Seed of the auth key that is asked for. */
  readonly keySeed: string;
  /** `lab` or a folder; undefined for upstream or registry stacks. */
  readonly bundle: string | undefined;
  /** Where charts come from, if not from upstream or the bundle. */
  readonly charts: string | undefined;
  /** Mirror registry of the images, where the stack names one. */
  readonly imageRegistry: string | undefined;
  /** Single images the stack sets, by base name. */
  readonly images: Readonly<Record<string, string>>;
}

/** The folder of the Pulumi program: the parent of this one. */
export const projectFolder = join(import.meta.dirname, "..");

/** Project name, as in Pulumi.yaml. */
export const projectName = "slinky-stack";

/**
 * Reads Pulumi.<stack>.yaml; a stack without a file has the project's defaults.
 * @throws Error when the file is not YAML
 */
export async function readStackSettings(
  stackName: string,
  folder: string = projectFolder,
): Promise<StackSettings> {
  const path = join(folder, `Pulumi.${stackName}.yaml`);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    text = "";
  }
  try {
    return toStackSettings(parse(text));
  } catch (error) {
    throw new Error(`Pulumi.${stackName}.yaml cannot be read; correct it and run again`, {
      cause: error,
    });
  }
}

/** Settings from the parsed file; a key that is not set takes the default that Pulumi.yaml states. */
export function toStackSettings(file: unknown): StackSettings {
  const config = asRecord(asRecord(file)["config"]);
  const text = (key: string): string | undefined => {
    const value = config[`${projectName}:${key}`];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const images = Object.entries(asRecord(config[`${projectName}:images`])).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    cluster: text("cluster") === "existing" ? "existing" : "kind",
    kindName: text("kindName") ?? "slinky",
    kindNodeImage: text("kindNodeImage"),
    keySeed: text("keySeed") ?? "initial",
    bundle: text("bundle"),
    charts: text("charts"),
    imageRegistry: images.find(([name]) => name === "registry")?.[1],
    images: Object.fromEntries(images.filter(([name]) => name !== "registry")),
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
