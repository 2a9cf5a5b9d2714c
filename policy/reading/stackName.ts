import type { SeenResource } from "../rule.ts";

/** Stacks of this project that live in a cluster of one machine and go with it. */
export const localStacks: readonly string[] = ["dev", "lab", "e2e"];

/** Name of the stack that a resource belongs to. */
export function stackName({ urn }: Pick<SeenResource, "urn">): string {
  return /^urn:pulumi:(.*?)::/.exec(urn)?.[1] ?? "";
}

/** A parameter that is a list of names of stacks. */
export function stacksParameter(description: string, fallback: readonly string[]) {
  return {
    type: "array",
    items: { type: "string" },
    description,
    default: [...fallback],
  } as const;
}

/** The stacks that a policy configuration names, or else the given ones. */
export function stacksOf(configured: unknown, fallback: readonly string[]): readonly string[] {
  return Array.isArray(configured) ? configured.map(String) : fallback;
}
