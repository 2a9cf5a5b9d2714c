import { plainMap, UNKNOWN } from "./propertyValue.ts";
import type { PropertyMap, PropertyValue } from "./propertyValue.ts";

/** The kinds of value the two plugins take and give. */
export type PropertyKind = "string" | "boolean" | "integer" | "strings" | "stringMap" | "list";

/** One input property: its kind and what else must hold for it. */
export interface PropertySpec {
  readonly kind: PropertyKind;
  readonly required?: boolean;
  /** Smallest allowed integer. */
  readonly minimum?: number;
  /** The allowed strings. */
  readonly oneOf?: readonly string[];
  /** Reason why a property of the real plugin is refused here. */
  readonly refused?: string;
}

/** The input properties of a resource or function, by name. */
export type PropertySpecs = Readonly<Record<string, PropertySpec>>;

/** A failed check in the form the engine shows: the property and why it is wrong. */
export interface PropertyFailure {
  readonly property: string;
  readonly reason: string;
}

/** Holds the inputs against their specification; unknown values pass, since they are checked again once known. */
export function checkProperties(specs: PropertySpecs, inputs: PropertyMap): PropertyFailure[] {
  const given = plainMap(inputs);
  const failures = Object.entries(specs).flatMap(([property, spec]) => {
    const value = given[property];
    if (value !== undefined) return checkValue(property, spec, value);
    return spec.required
      ? [{ property, reason: `required property '${property}' is missing` }]
      : [];
  });
  // Names with two underscores in front are the engine's own.
  const strangers = Object.keys(given).filter((key) => !(key in specs) && !key.startsWith("__"));
  return [
    ...failures,
    ...strangers.map((property) => ({
      property,
      reason: `unknown property '${property}'; known are ${Object.keys(specs).join(", ")}`,
    })),
  ];
}

function checkValue(property: string, spec: PropertySpec, value: PropertyValue): PropertyFailure[] {
  if (value === UNKNOWN) return [];
  if (spec.refused !== undefined) return [{ property, reason: `'${property}' ${spec.refused}` }];
  const misfit = findMisfit(property, spec.kind, value);
  if (misfit !== undefined) {
    return [{ property: misfit.path, reason: `'${misfit.path}' must be ${misfit.expected}` }];
  }
  if (spec.minimum !== undefined && (value as number) < spec.minimum) {
    return [{ property, reason: `'${property}' must be at least ${spec.minimum}` }];
  }
  if (spec.oneOf !== undefined && !spec.oneOf.includes(value as string)) {
    return [{ property, reason: `'${property}' must be one of ${spec.oneOf.join(", ")}` }];
  }
  return [];
}

function findMisfit(
  path: string,
  kind: PropertyKind,
  value: PropertyValue,
): { path: string; expected: string } | undefined {
  if (value === UNKNOWN) return undefined;
  switch (kind) {
    case "string":
      return typeof value === "string" ? undefined : { path, expected: "a string" };
    case "boolean":
      return typeof value === "boolean" ? undefined : { path, expected: "true or false" };
    case "integer":
      return Number.isInteger(value) ? undefined : { path, expected: "a whole number" };
    case "list":
      return Array.isArray(value) ? undefined : { path, expected: "a list" };
    case "strings":
      if (!Array.isArray(value)) return { path, expected: "a list of strings" };
      return value
        .map((item, index) => findMisfit(`${path}[${index}]`, "string", item))
        .find((misfit) => misfit !== undefined);
    case "stringMap":
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return { path, expected: "a map of strings" };
      }
      return Object.entries(value)
        .map(([key, item]) => findMisfit(`${path}.${key}`, "string", item))
        .find((misfit) => misfit !== undefined);
  }
}
