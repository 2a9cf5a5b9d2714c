import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import type { PolicyInput } from "./policyServer.ts";
import { recordProgram } from "./pulumiMocks.ts";

/** A program's resources as the engine hands them to a pack. */
export interface RecordedStack {
  readonly resources: readonly PolicyInput[];
  /** The stack itself, with what the program exports. */
  readonly root: PolicyInput;
}

interface Monitor {
  registerResource(request: Registration, callback: unknown): Promise<void>;
}

interface Registration {
  getType(): string;
  getName(): string;
  getProtect(): boolean;
}

/** Runs index.ts anew: a module is evaluated once for each address. */
let runs = 0;

/** Runs the program with the configuration of a stack file and some more, and returns its resources. */
export async function recordStack(
  stack: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<RecordedStack> {
  const file = parse(readFileSync(`Pulumi.${stack}.yaml`, "utf8")) as {
    config: Record<string, unknown>;
  };
  const values = { ...file.config };
  for (const [key, value] of Object.entries(more)) values[`slinky-stack:${key}`] = value;
  const texts = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const isProtected = new Set<string>();
  let exported: Record<string, unknown> = {};
  const recorded = await recordProgram(
    async () => {
      watchProtection(isProtected);
      exported = { ...((await import(`../../index.ts?policy=${++runs}`)) as object) };
    },
    Object.fromEntries(texts) as Record<string, string>,
  );
  const byUrn = new Map<string, PolicyInput>();
  const resources = recorded.map(({ type, name, urn, inputs, secretOutputs, dependencies }) => {
    const protect = isProtected.has(`${type} ${name}`);
    const dependsOn = dependencies.flatMap((one) => byUrn.get(one) ?? []);
    const input = { type, name, stack, props: inputs, protect, secretOutputs, dependsOn };
    byUrn.set(urn, input);
    return input;
  });
  const root = { type: "pulumi:pulumi:Stack", name: `slinky-stack-${stack}`, stack };
  return { resources, root: { ...root, props: exported } };
}

/** Notes which resources are registered as protected. */
function watchProtection(isProtected: Set<string>): void {
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    if (request.getProtect()) isProtected.add(`${request.getType()} ${request.getName()}`);
    return register(request, callback);
  };
}
