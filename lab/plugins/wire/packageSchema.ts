import type { PropertyKind, PropertySpecs } from "./propertySpec.ts";

/** What the schema says of one resource or function. */
export interface SchemaEntry {
  readonly inputs: PropertySpecs;
  /** Names of the string properties that are outputs only. */
  readonly outputs: readonly string[];
  /** Those of the outputs that are secret. */
  readonly secretOutputs?: readonly string[];
}

/** The parts of a package that its schema names, by token. */
export interface SchemaParts {
  readonly resources: Readonly<Record<string, SchemaEntry>>;
  readonly functions?: Readonly<Record<string, SchemaEntry>>;
}

/** The package schema in JSON (Pulumi metaschema), enough for `pulumi package get-schema` to read. */
export function packageSchema(name: string, version: string, parts: SchemaParts): string {
  return JSON.stringify({
    name,
    version,
    description: `Stand-in for the ${name} plugin, for a lab that reaches no plugin server.`,
    resources: mapValues(parts.resources, (entry) => ({
      inputProperties: inputSchema(entry.inputs),
      requiredInputs: requiredOf(entry.inputs),
      properties: { ...inputSchema(entry.inputs), ...outputSchema(entry) },
      required: [...requiredOf(entry.inputs), ...entry.outputs],
    })),
    functions: mapValues(parts.functions ?? {}, (entry) => ({
      inputs: {
        type: "object",
        properties: inputSchema(entry.inputs),
        required: requiredOf(entry.inputs),
      },
      outputs: {
        type: "object",
        properties: { ...inputSchema(entry.inputs), ...outputSchema(entry) },
        required: [...requiredOf(entry.inputs), ...entry.outputs],
      },
    })),
  });
}

const TYPES: Readonly<Record<PropertyKind, object>> = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  integer: { type: "integer" },
  strings: { type: "array", items: { type: "string" } },
  stringMap: { type: "object", additionalProperties: { type: "string" } },
  list: { type: "array", items: { $ref: "pulumi.json#/Any" } },
};

function inputSchema(specs: PropertySpecs): Record<string, object> {
  return mapValues(specs, (spec) => TYPES[spec.kind]);
}

function outputSchema(entry: SchemaEntry): Record<string, object> {
  return Object.fromEntries(
    entry.outputs.map((name) => [
      name,
      { type: "string", ...(entry.secretOutputs?.includes(name) ? { secret: true } : {}) },
    ]),
  );
}

function requiredOf(specs: PropertySpecs): string[] {
  return Object.keys(specs).filter((name) => specs[name]?.required);
}

function mapValues<V, R>(record: Readonly<Record<string, V>>, to: (value: V) => R) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
