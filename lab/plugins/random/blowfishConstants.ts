const WORDS = 18 + 4 * 256;

let words: Uint32Array | undefined;

/**
 * The start values of Blowfish's subkeys and S-boxes: the fraction of pi in binary, 32 bits a word (B. Schneier,
 * "Description of a New Variable-Length Key, 64-Bit Block Cipher", 1993). Worked out once, by Machin's formula, in
 * place of a table of a thousand numbers.
 */
export function blowfishConstants(): Uint32Array {
  words ??= piFraction();
  return words;
}

function piFraction(): Uint32Array {
  const guardBits = 64n;
  const bits = BigInt(WORDS) * 32n;
  const one = 1n << (bits + guardBits);
  const pi = 4n * (4n * arcTangentOfInverse(5n, one) - arcTangentOfInverse(239n, one));
  const fraction = (pi - 3n * one) >> guardBits;
  const hex = fraction.toString(16).padStart(WORDS * 8, "0");
  return Uint32Array.from({ length: WORDS }, (_, i) => parseInt(hex.slice(i * 8, i * 8 + 8), 16));
}

/** arctan(1/x) in units of 1/one, by its power series. */
function arcTangentOfInverse(x: bigint, one: bigint): bigint {
  const square = x * x;
  let power = one / x;
  let sum = power;
  for (let n = 3n, sign = -1n; power !== 0n; n += 2n, sign = -sign) {
    power /= square;
    sum += (sign * power) / n;
  }
  return sum;
}
