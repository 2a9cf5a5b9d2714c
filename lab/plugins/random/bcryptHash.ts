import { blowfishConstants } from "./blowfishConstants.ts";

const STANDARD_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BCRYPT_ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const PLAINTEXT = "OrpheanBeholderScryDoubt";
const P_WORDS = 18;

/** Passwords count up to here, in bytes. */
const LONGEST = 72;

/**
 * bcrypt hash in the form `$2a$<cost>$<salt><hash>` (N. Provos and D. Mazières, "A Future-Adaptable Password Scheme",
 * 1999; version 2a is what Go's bcrypt, used by the real plugin, writes).
 *
 * @param salt 16 random bytes
 * @param cost logarithm of the number of rounds, 4 to 31; each step doubles the time
 */
export function bcryptHash(password: string, salt: Buffer, cost: number): string {
  const key = Buffer.concat([Buffer.from(password, "utf8").subarray(0, LONGEST), Buffer.alloc(1)]);
  const cipher = new Blowfish();
  const noSalt = Buffer.alloc(16);
  cipher.expandKey(key, salt);
  for (let round = 2 ** cost; round > 0; round--) {
    cipher.expandKey(key, noSalt);
    cipher.expandKey(salt, noSalt);
  }
  const text = Buffer.from(PLAINTEXT);
  for (let block = 0; block < text.length; block += 8) {
    let left = text.readUInt32BE(block);
    let right = text.readUInt32BE(block + 4);
    for (let i = 0; i < 64; i++) [left, right] = cipher.encrypt(left, right);
    text.writeUInt32BE(left, block);
    text.writeUInt32BE(right, block + 4);
  }
  // The definition drops the last byte.
  const hash = text.subarray(0, text.length - 1);
  return `$2a$${String(cost).padStart(2, "0")}$${encode(salt)}${encode(hash)}`;
}

/** Blowfish with the key schedule of bcrypt. */
class Blowfish {
  /** Subkeys, then the four S-boxes. */
  readonly #words = blowfishConstants().slice();

  /** Mixes the key into the subkeys, then replaces all words by the chained encryption of the salt. */
  expandKey(key: Buffer, salt: Buffer): void {
    const words = this.#words;
    for (let i = 0, at = 0; i < P_WORDS; i++, at += 4) {
      words[i] = words[i]! ^ wordAt(key, at);
    }
    let left = 0;
    let right = 0;
    for (let i = 0; i < words.length; i += 2) {
      left ^= wordAt(salt, i * 4);
      right ^= wordAt(salt, i * 4 + 4);
      [left, right] = this.encrypt(left, right);
      words[i] = left;
      words[i + 1] = right;
    }
  }

  /** Encrypts one block, given and returned as two words. */
  encrypt(left: number, right: number): [number, number] {
    const words = this.#words;
    for (let i = 0; i < 16; i += 2) {
      left ^= words[i]!;
      right ^= this.#mix(left);
      right ^= words[i + 1]!;
      left ^= this.#mix(right);
    }
    return [(right ^ words[17]!) >>> 0, (left ^ words[16]!) >>> 0];
  }

  #mix(x: number): number {
    const words = this.#words;
    const sum = (words[18 + (x >>> 24)]! + words[274 + ((x >>> 16) & 255)]!) | 0;
    return ((sum ^ words[530 + ((x >>> 8) & 255)]!) + words[786 + (x & 255)]!) | 0;
  }
}

/** The four bytes from `at` on, going round at the end. */
function wordAt(bytes: Buffer, at: number): number {
  let word = 0;
  for (let i = 0; i < 4; i++) word = (word << 8) | bytes[(at + i) % bytes.length]!;
  return word;
}

function encode(bytes: Buffer): string {
  return bytes
    .toString("base64")
    .replace(/=+$/, "")
    .replace(/./g, (digit) => BCRYPT_ALPHABET.charAt(STANDARD_ALPHABET.indexOf(digit)));
}
