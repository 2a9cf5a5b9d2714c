import type { RawValues } from "./rawValues.ts";

/** A field that is true or false; a field that is not set takes `fallback`. */
export function readFlag(raw: RawValues, path: string, value: unknown, fallback = false): boolean {
  if (value === undefined) return fallback;
  if (typeof value === "boolean") return value;
  raw.problems.bad(path, value, "true or false");
  return fallback;
}
