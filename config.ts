import { homedir } from "node:os";
import * as pulumi from "@pulumi/pulumi";
import { readStackConfig, type StackConfig } from "./config/stackConfig.ts";

/**
 * The configuration of the current stack, validated: the only place where the program reads it.
 * @throws one error that lists every bad value, before any resource is registered
 */
export async function loadConfig(): Promise<StackConfig> {
  const prefix = `${pulumi.getProject()}:`;
  const entries = Object.entries(pulumi.runtime.allConfig() as Record<string, string>);
  const own = entries
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value] as const);
  return readStackConfig(Object.fromEntries(own), {
    projectFolder: import.meta.dirname,
    stack: pulumi.getStack(),
    homeFolder: homedir(),
    environment: process.env,
  });
}
