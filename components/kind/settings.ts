import type { ImageArchive } from "../../bundle.ts";

/** Environment variable that carries the settings of a child process, as JSON. It holds no secret. */
export const settingsVariable = "SLINKY_KIND_SETTINGS";

/** What creating and deleting a cluster needs to know. */
export interface KindSettings {
  readonly name: string;
  /** `<project>/<stack>`: the owner recorded for the cluster. */
  readonly stack: string;
  readonly workers: number;
  readonly nodeImage: string;
  readonly kubeadmPatches: readonly Readonly<Record<string, unknown>>[];
  readonly minimumFreeGiB: number;
  readonly timeoutSeconds: number;
}

/** What loading images needs to know. */
export interface ImageSettings {
  readonly name: string;
  readonly archives: readonly ImageArchive[];
  readonly timeoutSeconds: number;
}

/**
 * Settings of this child process.
 * @throws when the variable is missing or no JSON: the process was not started by the program
 */
export function settingsFrom(
  environment: Readonly<Record<string, string | undefined>>,
): KindSettings & ImageSettings {
  const text = environment[settingsVariable];
  if (!text) throw new Error(`${settingsVariable} is not set; \`pulumi up\` sets it`);
  return JSON.parse(text) as KindSettings & ImageSettings;
}
