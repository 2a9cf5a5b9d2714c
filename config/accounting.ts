import { whyUnreachable } from "./databaseCheck.ts";
import { readFlag } from "./flag.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { readSecretReference, type SecretReference } from "./secretReference.ts";
import { readStorage, type Storage } from "./storage.ts";

/** Accounting: slurmdbd, and a database of the stack's own or one that exists. */
export type AccountingConfig =
  { readonly storage: Storage } | { readonly database: ExternalDatabase };

/** A MariaDB or MySQL that somebody else runs. */
export interface ExternalDatabase {
  /** DNS name or IPv4 address, as pods of the cluster reach it. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  /** Entry of a Secret in the namespace of Slurm that holds the password. */
  readonly passwordSecret: SecretReference;
}

const fields = ["enabled", "storage", "database"];
const databaseFields = ["host", "port", "database", "username", "passwordSecret", "check"];

/**
 * Reads `accounting`.
 * @returns undefined where accounting is off
 */
export async function readAccounting(raw: RawValues): Promise<AccountingConfig | undefined> {
  const given = raw.object("accounting");
  refuseUnknownFields("accounting", given, fields, raw.problems);
  const { enabled, storage = {}, database } = given;
  const isOn = readFlag(raw, "accounting.enabled", enabled);
  if (database !== undefined && given.storage !== undefined) {
    raw.problems.add(
      "accounting.storage",
      "is the volume of the stack's own database, but accounting.database names another one; keep one of the two",
    );
  }
  const own = readStorage(raw, "accounting.storage", storage, "4Gi");
  if (database === undefined) return isOn ? { storage: own } : undefined;
  const external = await readDatabase(raw, database, isOn);
  return isOn ? { database: external } : undefined;
}

async function readDatabase(
  raw: RawValues,
  value: unknown,
  isOn: boolean,
): Promise<ExternalDatabase> {
  const { problems } = raw;
  const path = "accounting.database";
  if (!isRecord(value)) problems.bad(path, value, `a map of ${databaseFields.join(", ")}`);
  const entry = isRecord(value) ? value : {};
  refuseUnknownFields(path, entry, databaseFields, problems);
  const { host, port = 3306, database = "slurm_acct_db", username = "slurm" } = entry;
  const before = problems.count;
  if (typeof host !== "string" || !/^[A-Za-z0-9]([-.A-Za-z0-9]{0,251}[A-Za-z0-9])?$/.test(host)) {
    problems.bad(`${path}.host`, host, "a DNS name or an IPv4 address");
  }
  if (!Number.isInteger(port) || Number(port) < 1 || Number(port) > 65_535) {
    problems.bad(`${path}.port`, port, "a whole number from 1 to 65535");
  }
  const hasAddress = problems.count === before;
  for (const [field, text] of Object.entries({ database, username })) {
    // Both become words of slurmdbd.conf.
    if (typeof text !== "string" || !/^[A-Za-z0-9_][-A-Za-z0-9_]{0,63}$/.test(text)) {
      problems.bad(`${path}.${field}`, text, "up to 64 letters, digits, - and _");
    }
  }
  const secretPath = `${path}.passwordSecret`;
  const passwordSecret = readSecretReference(raw, secretPath, entry.passwordSecret, "password");
  const wantsCheck = readFlag(raw, `${path}.check`, entry.check);
  if (wantsCheck && isOn && hasAddress) {
    const why = await whyUnreachable(String(host), Number(port));
    if (why !== undefined) {
      problems.add(
        path,
        `${String(host)}:${String(port)} cannot be reached from this machine (${why}); ` +
          "start the database, correct host and port, or leave check out where only the cluster reaches it",
      );
    }
  }
  return {
    host: String(host),
    port: Number(port),
    database: String(database),
    username: String(username),
    passwordSecret,
  };
}
