import * as pulumi from "@pulumi/pulumi";

/** Copies of a value, each with another one of the values inside it replaced. */
export function* replaced(value: unknown, by: unknown): Generator<unknown> {
  if (!isContainer(value)) return;
  for (const [key, item] of Object.entries(value)) {
    for (const other of [by, ...replaced(item, by)]) {
      yield Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    }
  }
}

/** Whether a value holds others; an output is a value by itself. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !pulumi.Output.isInstance(value);
}
