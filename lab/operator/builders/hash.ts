import { createHash } from "node:crypto";

/** SHA-256 of the text in hex; of nothing for an absent source. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Checksum over all entries of a Secret or ConfigMap, whatever their order. An absent object counts as empty, so a
 * deleted key Secret changes the hash too (contract §4.1).
 */
export function dataHash(object: { data?: Record<string, string> } | undefined): string {
  const entries = Object.entries(object?.data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(entries.map(([key, value]) => `${key}=${value}\n`).join(""));
}

/** Letters and digits that cannot form words, as Kubernetes uses them in generated names. */
const SAFE_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** Short name-safe hash of a JSON value, in the shape of a controller revision hash. */
export function revisionHash(value: unknown): string {
  const digest = createHash("sha256").update(stableJson(value)).digest();
  return [...digest.subarray(0, 10)]
    .map((byte) => SAFE_ALPHABET[byte % SAFE_ALPHABET.length])
    .join("");
}

/** JSON with sorted keys, so that equal values give equal text. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === "object" && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
