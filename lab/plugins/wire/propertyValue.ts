/**
 * Property values as the engine sends them to a plugin: JSON in which a marker object wraps a secret and a fixed
 * string stands for a value that is not known yet (pulumi `developer-docs/providers/implementers-guide`, "Property
 * values"; the constants are those of the SDK's `runtime/rpc`).
 */

/** A value on the wire, markers included. */
export type PropertyValue =
  null | boolean | number | string | PropertyValue[] | { [key: string]: PropertyValue };

/** Named properties of a resource or the arguments of a function. */
export type PropertyMap = Record<string, PropertyValue>;

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Stands for a value that is only known after an update has run. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Marks a value as secret, so that the engine encrypts it in the state; an already marked value stays as it is. */
export function markSecret(value: PropertyValue): PropertyValue {
  return asMarked(value, SECRET_SIGNATURE) ?? { [SIGNATURE_KEY]: SECRET_SIGNATURE, value };
}

/** The value with every secret and output marker taken off; unknown parts become {@link UNKNOWN}. */
export function plainValue(value: PropertyValue): PropertyValue {
  const marked = asMarked(value, SECRET_SIGNATURE) ?? asMarked(value, OUTPUT_SIGNATURE);
  if (marked !== undefined) return plainValue(marked["value"] ?? UNKNOWN);
  if (Array.isArray(value)) return value.map(plainValue);
  return isMap(value) ? plainMap(value) : value;
}

/** {@link plainValue} of every property; properties that are null count as not given and are left out. */
export function plainMap(map: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, plainValue(value)]),
  );
}

/** True when the value is secret or holds a secret anywhere. */
export function containsSecret(value: PropertyValue): boolean {
  return isSecret(value) || parts(value).some(containsSecret);
}

/** True when the value is unknown or holds an unknown part anywhere. */
export function containsUnknown(value: PropertyValue): boolean {
  const output = asMarked(value, OUTPUT_SIGNATURE);
  if (output !== undefined) return containsUnknown(output["value"] ?? UNKNOWN);
  return value === UNKNOWN || parts(value).some(containsUnknown);
}

/** Every string inside the secret parts of the value, for keeping them out of logs and errors. */
export function secretStrings(value: PropertyValue): string[] {
  if (isSecret(value)) return strings(plainValue(value));
  return parts(value).flatMap(secretStrings);
}

function strings(value: PropertyValue): string[] {
  return typeof value === "string" ? [value] : parts(value).flatMap(strings);
}

function isSecret(value: PropertyValue): boolean {
  const output = asMarked(value, OUTPUT_SIGNATURE);
  return asMarked(value, SECRET_SIGNATURE) !== undefined || output?.["secret"] === true;
}

function parts(value: PropertyValue): PropertyValue[] {
  if (Array.isArray(value)) return value;
  return isMap(value) ? Object.values(value) : [];
}

function isMap(value: PropertyValue): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asMarked(value: PropertyValue, signature: string): PropertyMap | undefined {
  return isMap(value) && value[SIGNATURE_KEY] === signature ? value : undefined;
}
