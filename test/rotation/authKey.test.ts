import { strict as assert } from "node:assert";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { deriveKey, fingerprint, keyBytes, sameKey } from "../../rotation/authKey.ts";

const root = Buffer.alloc(64, 9).toString("base64");

describe("deriveKey", () => {
  it("RFC 5869 parameters => the key that HKDF-SHA256 of another implementation gives", () => {
    assert.equal(Buffer.from(deriveKey(root, "initial")).toString("hex"), hkdfByHand("initial"));
  });

  it("the same root and seed => the same key; another seed or root => another key", () => {
    const other = Buffer.alloc(64, 10).toString("base64");
    assert.ok(sameKey(deriveKey(root, "a"), deriveKey(root, "a")));
    assert.ok(!sameKey(deriveKey(root, "a"), deriveKey(root, "b")));
    assert.ok(!sameKey(deriveKey(root, "a"), deriveKey(other, "a")));
  });

  it("R08: any root of 32 bytes or more => 64 bytes; any shorter one => refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = Buffer.from(bytes).toString("base64");
        if (bytes.length >= 32) assert.equal(deriveKey(text, "s").length, keyBytes);
        else assert.throws(() => deriveKey(text, "s"), /at least 32 are needed/);
      }),
    );
  });

  for (const [situation, mangled] of [
    ["a trailing line break", `${root}\n`],
    ["a missing character", root.slice(1)],
    ["base64url letters", Buffer.alloc(64, 0xff).toString("base64url")],
    ["text that is no base64", "not a root at all, just some words to make it long"],
  ] as const) {
    it(`R08: a root with ${situation} => refused without repeating it`, () => {
      assert.throws(
        () => deriveKey(mangled, "s"),
        (error: Error) =>
          /canonical base64/.test(error.message) && !error.message.includes(mangled),
      );
    });
  }

  it("an empty seed => refused", () => {
    assert.throws(() => deriveKey(root, ""), /seed is empty/);
  });
});

describe("fingerprint", () => {
  it("a key => the first 12 hex digits of its SHA-256", () => {
    assert.equal(fingerprint(new TextEncoder().encode("abc")), "ba7816bf8f01");
  });
});

/** HKDF-SHA256 written from RFC 5869 with HMAC alone: extract with a zero salt, then two rounds of expand. */
function hkdfByHand(info: string): string {
  const zeroSalt = new Uint8Array(32);
  const extracted = hmac(zeroSalt, Buffer.from(root, "base64"));
  const first = hmac(extracted, Buffer.concat([Buffer.from(info), Buffer.of(1)]));
  const second = hmac(extracted, Buffer.concat([first, Buffer.from(info), Buffer.of(2)]));
  return Buffer.concat([first, second]).toString("hex");
}

function hmac(key: Uint8Array, message: Uint8Array): Buffer {
  return createHmac("sha256", key).update(message).digest();
}
