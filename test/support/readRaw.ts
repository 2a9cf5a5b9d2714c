import { Problems } from "../../config/problems.ts";
import { RawValues } from "../../config/rawValues.ts";

/**
 * Reads a part of the configuration from values, as Pulumi hands them over: everything but texts as JSON.
 * @throws the error that lists every refused value
 */
export async function readRaw<T>(
  values: Readonly<Record<string, unknown>>,
  reader: (raw: RawValues) => T | Promise<T>,
): Promise<T> {
  const problems = new Problems();
  const texts = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const result = await reader(
    new RawValues(Object.fromEntries(texts) as Record<string, string>, problems),
  );
  problems.throwIfAny();
  return result;
}
