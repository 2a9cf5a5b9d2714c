import { isDnsLabel } from "./dnsLabel.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";

/** One entry of a Secret that somebody else keeps in the namespace of Slurm. */
export interface SecretReference {
  readonly name: string;
  readonly key: string;
}

/** Names that this program gives to Secrets of its own, keys among them. */
const ownSecrets: readonly string[] = ["slurm-auth", "slurm-jwt", "slurm-database"];

/**
 * Reads a map of `name` and `key`.
 * @param defaultKey entry of the Secret when `key` is not set
 */
export function readSecretReference(
  raw: RawValues,
  path: string,
  value: unknown,
  defaultKey: string,
): SecretReference {
  const given = isRecord(value) ? value : {};
  if (!isRecord(value)) raw.problems.bad(path, value, "a map of name and key");
  refuseUnknownFields(path, given, ["name", "key"], raw.problems);
  const { name = "", key = defaultKey } = given;
  if (!isDnsLabel(name) || ownSecrets.includes(name)) {
    raw.problems.bad(
      `${path}.name`,
      given.name,
      `the name of a Secret other than ${ownSecrets.join(", ")}`,
    );
  }
  if (typeof key !== "string" || !/^[-._a-zA-Z0-9]{1,253}$/.test(key)) {
    raw.problems.bad(`${path}.key`, key, "the name of an entry of that Secret");
  }
  return { name: String(name), key: String(key) };
}
