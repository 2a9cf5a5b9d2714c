import { createHash, hkdfSync, timingSafeEqual } from "node:crypto";

/** Bytes of a key. Slurm's auth/slurm and auth/jwt (HS256) take any length from 16; 64 is HMAC-SHA256's block. */
export const keyBytes = 64;

/** Fewest bytes of randomness a key may be derived from. */
export const leastRootBytes = 32;

/**
 * Derives a key: HKDF-SHA256(root, salt empty, info = seed), 64 bytes (RFC 5869). The same root and seed always give
 * the same key, so putting an old seed back is putting the old key back.
 * @param rootBase64 the root in canonical base64; at least 32 bytes
 * @throws when the root is no canonical base64 or too short, or the seed is empty; messages hold no key material
 */
export function deriveKey(rootBase64: string, seed: string): Uint8Array {
  const root = Buffer.from(rootBase64, "base64");
  // Buffer skips what it cannot read, so compare: mangled text must not become a shorter root (R08).
  if (root.toString("base64") !== rootBase64) {
    throw new Error("the key root is not canonical base64; it must come from random.RandomBytes");
  }
  if (root.length < leastRootBytes) {
    throw new Error(`the key root has ${root.length} bytes; at least ${leastRootBytes} are needed`);
  }
  if (seed.length === 0) throw new Error("the key seed is empty; set keySeed");
  return new Uint8Array(hkdfSync("sha256", root, new Uint8Array(), Buffer.from(seed), keyBytes));
}

/** What people see of a key: the first 12 hex digits of its SHA-256. */
export function fingerprint(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 12);
}

/** Whether two keys have the same bytes, compared in constant time. */
export function sameKey(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
