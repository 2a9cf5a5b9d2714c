import type { Problems } from "./problems.ts";

/**
 * Typed reading of configuration texts. Pulumi hands every value over as text: objects and lists as JSON.
 * A reader that meets a bad value records it and returns a harmless stand-in, so that later checks can go on.
 */
export class RawValues {
  readonly #values: Readonly<Record<string, string>>;
  readonly problems: Problems;

  constructor(values: Readonly<Record<string, string>>, problems: Problems) {
    this.#values = values;
    this.problems = problems;
  }

  /** The text as given, or undefined when the key is not set. */
  text(key: string): string | undefined {
    return this.#values[key];
  }

  /** The text of a key whose default in Pulumi.yaml is the empty text, which means that it is not set. */
  optional(key: string): string | undefined {
    return this.text(key) || undefined;
  }

  /** One of a few words. */
  choice<T extends string>(key: string, choices: readonly T[], fallback: T): T {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const match = choices.find((choice) => choice === text);
    if (match === undefined) this.problems.bad(key, text, choices.join(" or "));
    return match ?? fallback;
  }

  /** A whole number within bounds, both included. */
  integer(key: string, fallback: number, minimum: number, maximum: number): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const value = /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    this.problems.bad(key, text, `a whole number from ${minimum} to ${maximum}`);
    return fallback;
  }

  /** A map; an unset key is an empty map. */
  object(key: string): Readonly<Record<string, unknown>> {
    const value = this.#json(key, "a map");
    if (value === undefined) return {};
    if (isRecord(value)) return value;
    this.problems.bad(key, value, "a map");
    return {};
  }

  /** A list; an unset key is an empty list. */
  list(key: string): readonly unknown[] {
    const value = this.#json(key, "a list");
    if (value === undefined) return [];
    if (Array.isArray(value)) return value as unknown[];
    this.problems.bad(key, value, "a list");
    return [];
  }

  #json(key: string, allowed: string): unknown {
    const text = this.text(key);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.problems.bad(key, text, allowed);
      return undefined;
    }
  }
}

/** Whether a parsed value is a map. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Refuses keys of a map that nothing reads, naming the nearest one that exists. */
export function refuseUnknownFields(
  path: string,
  value: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
  problems: Problems,
): void {
  for (const field of Object.keys(value)) {
    if (!allowed.includes(field)) {
      problems.add(`${path}.${field}`, unknownKeyMessage(field, allowed));
    }
  }
}

/** Sentence for a key that does not exist: the nearest one that does, and the whole list. */
export function unknownKeyMessage(key: string, allowed: readonly string[]): string {
  const [nearest] = [...allowed].sort((a, b) => editDistance(key, a) - editDistance(key, b));
  return `there is no such key; did you mean "${nearest}"? Allowed: ${allowed.join(", ")}`;
}

/** Levenshtein distance, letters compared without case. */
function editDistance(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
