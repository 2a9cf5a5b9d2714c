import { isUtf8 } from "node:buffer";
import { AUTH_SECRET, JWT_SECRET } from "../../rotation/wireNames.ts";

/** Names under which Slurm's daemons find their keys: the key, the ring of keys, the key of tokens. */
const keyEntries: readonly string[] = [AUTH_SECRET.key, "slurm.jwks", JWT_SECRET.key];

/** Whether an entry of a Secret, a ConfigMap or a map of files has the name of a Slurm key. */
export function isKeyEntry(name: string): boolean {
  return keyEntries.includes(name.toLowerCase());
}

/** Sizes of a key in bytes: below is no key worth the name, above is a file. The chart makes keys of 1024. */
const leastBytes = 32;
const mostBytes = 4096;

/** Characters of a text that may be such a key in base64, or a private key in PEM in base64. */
const mostCharacters = 16_384;

/**
 * Whether a text is a key by its content: a private key in PEM or JWK, or 32 random bytes or more in base64.
 * Certificates, checksums in hex, public keys, scripts and configuration are none.
 */
export function looksLikeKey(text: string): boolean {
  return isPrivateKey(text) || isEncodedKey(text);
}

/** The same, or 64 random bytes or more in hex: for places where no checksum of that size belongs. */
export function looksLikeKeyOrHex(text: string): boolean {
  return looksLikeKey(text) || looksLikeHexKey(text);
}

/** Whether a text is 64 random bytes or more in hex, the size of this stack's keys. Checksums of that size exist too. */
export function looksLikeHexKey(text: string): boolean {
  const digits = text.trim();
  if (!/^([0-9a-f]{128,8192}|[0-9A-F]{128,8192})$/.test(digits)) return false;
  return isRandom(Buffer.from(digits, "hex"));
}

function isPrivateKey(text: string): boolean {
  return (
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(text) ||
    (/"kty"\s*:/.test(text) && /"(k|d)"\s*:\s*"[\w-]{22,}/.test(text))
  );
}

function isEncodedKey(text: string): boolean {
  // Wrapped lines are one text; words with blanks between them are not.
  if (text.length > mostCharacters || /\S[ \t]+\S/.test(text)) return false;
  const characters = text.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(characters) || /^[0-9a-f]+$/i.test(characters)) return false;
  const bytes = Buffer.from(characters, "base64");
  const plain = characters.replace(/=+$/, "");
  const encodings = [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  if (!encodings.includes(plain)) return false;
  if (isUtf8(bytes)) return isPrivateKey(bytes.toString()) || isDoubleEncoded(bytes.toString());
  return bytes.length <= mostBytes && isMixed(plain) && isRandom(bytes);
}

/** Secrets get encoded twice by mistake. Shorter every time, so this ends. */
function isDoubleEncoded(text: string): boolean {
  return text.length > leastBytes && isEncodedKey(text);
}

/**
 * Whether characters change between capitals, small letters, digits and signs as they do in base64 of random bytes,
 * in 64 % of places. Names made of words change in less than half, and paths have more signs.
 */
function isMixed(text: string): boolean {
  const classes: readonly string[] = Array.from(text, (one) => {
    if (/[a-z]/.test(one)) return "small";
    if (/[A-Z]/.test(one)) return "capital";
    return /[0-9]/.test(one) ? "digit" : "sign";
  });
  if (!["small", "capital", "digit"].every((one) => classes.includes(one))) return false;
  const changes = classes.filter((one, index) => index > 0 && one !== classes[index - 1]).length;
  const signs = classes.filter((one) => one === "sign").length;
  return changes / (text.length - 1) >= 0.45 && signs / text.length <= 0.12;
}

function isRandom(bytes: Buffer): boolean {
  if (bytes.length < leastBytes || isStructured(bytes)) return false;
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) {
    entropy -= (count / bytes.length) * Math.log2(count / bytes.length);
  }
  // Random bytes reach 87 % of what so many bytes can have at most (20 000 samples of every size).
  return entropy >= 0.85 * Math.log2(Math.min(bytes.length, 256));
}

/** Compressed files, pictures and certificates are as dense as random bytes, and say what they are. */
function isStructured(bytes: Buffer): boolean {
  const starts = ["1f8b", "504b0304", "89504e47", "ffd8ff", "fd377a585a", "28b52ffd", "425a68"];
  if (starts.some((start) => bytes.toString("hex", 0, 5).startsWith(start))) return true;
  // DER: a sequence that is as long as it says.
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0x3082
    ? bytes.readUInt16BE(2) + 4 === bytes.length
    : false;
}
