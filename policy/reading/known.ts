import { Secret } from "@pulumi/policy";

/**
 * Stands for a value that a preview does not know yet. Rules decide on what is known and stay silent about the rest;
 * the update asks them again with everything known.
 */
export const UNKNOWN = Symbol("unknown");

/** Where in a value. */
export type Path = readonly (string | number)[];

/** Values that the engine puts in the place of unknown ones (@pulumi/policy, proxy), by type. */
const unknownValues: readonly unknown[] = [
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];

/** Marks of wrapped values and of their kinds (@pulumi/pulumi, runtime/rpc). */
const signature = "4dabf18193072939515e22adb298388d";
const wrappers: readonly unknown[] = [
  "1b47061264138c4ac30d75fd1eb44270", // a secret
  "d0e6a833031e9bbcd3f4e8bde6ca49a4", // an output; without a value it is unknown
];

/**
 * A plain copy: secrets and outputs unwrapped, {@link UNKNOWN} in the place of what is unknown. Reading the pack
 * server's proxies directly throws at the first unknown value, and a rule would be given up for all the others.
 */
export function known(value: unknown): unknown {
  if (unknownValues.includes(value)) return UNKNOWN;
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Secret) return read(value, "value");
  if (Array.isArray(value)) {
    return Array.from({ length: value.length }, (_, index) => read(value, index));
  }
  if (wrappers.includes(read(value, signature))) {
    return Object.hasOwn(value, "value") ? read(value, "value") : UNKNOWN;
  }
  return Object.fromEntries(Object.keys(value).map((key) => [key, read(value, key)]));
}

/** The known part of a field. */
function read(container: object, key: string | number): unknown {
  try {
    return known((container as Record<string | number, unknown>)[key]);
  } catch (error) {
    // The proxies' UnknownValueError, whose type the package keeps to itself.
    if (error instanceof Error && "unknownTypeSentinel" in error) return UNKNOWN;
    throw error;
  }
}

/** What stands at a path: undefined where nothing or null does, {@link UNKNOWN} below anything unknown. */
export function at(value: unknown, ...path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (here === UNKNOWN) return UNKNOWN;
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here ?? undefined;
}

/** The entries of a map; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** The items of a list; none of anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Whether nothing is there: what providers write for a field that was left out counts as nothing. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** Every value inside a value, itself included, with its path; containers before what they hold. */
export function* everything(value: unknown, path: Path = []): Generator<[Path, unknown]> {
  yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    yield* everything(item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** A path as people write it: `spec.containers[0].image`, `data["slurm.key"]`. */
export function fieldPath(path: Path): string {
  return path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join("")
    .replace(/^\./, "");
}
