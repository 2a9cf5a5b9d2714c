import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { PolicyInput } from "./policyServer.ts";
import { recordProgram, runProgram } from "./pulumiMocks.ts";

/** A program's resources as the engine hands them to a pack. */
export interface RecordedStack {
  readonly resources: readonly PolicyInput[];
  /** The stack itself, with what the program exports. */
  readonly root: PolicyInput;
}

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
  let exported: Record<string, unknown> = {};
  const recorded = await recordProgram(
    async () => {
      exported = { ...(await runProgram()) };
    },
    Object.fromEntries(texts) as Record<string, string>,
  );
  const byUrn = new Map<string, PolicyInput>();
  const resources = recorded.map((resource) => {
    const { type, name, urn, inputs, protect, secretOutputs, dependencies } = resource;
    const dependsOn = dependencies.flatMap((one) => byUrn.get(one) ?? []);
    const input = { type, name, stack, props: inputs, protect, secretOutputs, dependsOn };
    byUrn.set(urn, input);
    return input;
  });
  const root = { type: "pulumi:pulumi:Stack", name: `slinky-stack-${stack}`, stack };
  return { resources, root: { ...root, props: exported } };
}
