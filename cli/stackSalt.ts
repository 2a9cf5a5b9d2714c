/**
 * The salt that Pulumi writes into Pulumi.<stack>.yaml. The lab's passphrase is made on each machine, so a salt in a
 * committed file would refuse every other machine ("incorrect passphrase"). The state keeps a salt of its own, and
 * Pulumi makes a new one where the file has none; only `secure:` values in the file would need the old one.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { projectFolder } from "./stackSettings.ts";
import type { StackSettings } from "./stackSettings.ts";

/** The file without its salt; unchanged when it has none or when a secure value depends on it. */
export function withoutSalt(text: string): string {
  return /^\s*(-\s+)?secure:/m.test(text) ? text : text.replace(/^encryptionsalt:.*\n?/m, "");
}

/** Takes the salt out of the file of a stack of the lab; a stack without a file has none. */
export async function dropSalt(
  { name, settings }: { name: string; settings: Pick<StackSettings, "bundle"> },
  folder: string = projectFolder,
): Promise<void> {
  if (settings.bundle !== "lab") return;
  const path = join(folder, `Pulumi.${name}.yaml`);
  const text = await readFile(path, "utf8").catch(() => "");
  const clean = withoutSalt(text);
  if (clean !== text) await writeFile(path, clean);
}
