import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { projectFolder } from "../../../lab/paths.ts";
import { openLab, stackName } from "./lab.ts";

/** Sets keys of the suite's stack file; undefined takes a key away. */
export async function configure(values: Readonly<Record<string, unknown>>): Promise<void> {
  await openLab();
  const path = join(projectFolder, `Pulumi.${stackName}.yaml`);
  const file = parse(readFileSync(path, "utf8")) as { config: Record<string, unknown> };
  for (const [key, value] of Object.entries(values)) {
    const name = `slinky-stack:${key}`;
    if (value === undefined) delete file.config[name];
    else file.config[name] = value;
  }
  writeFileSync(path, stringify(file));
}
