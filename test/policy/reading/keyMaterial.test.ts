import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { looksLikeHexKey, looksLikeKey } from "../../../policy/reading/keyMaterial.ts";
import { certificate, privateKey, randomKey } from "../../support/policyKeys.ts";

const der = Buffer.from(certificate.replace(/-----.*-----|\n/g, ""), "base64");
const words = "The quick brown fox jumps over the lazy dog, and nobody minds. ";

describe("key material", () => {
  for (const [bytes, least] of [
    [32, 97],
    [48, 99],
    [64, 100],
    [128, 100],
    [1024, 100],
    [4096, 100],
  ] as const) {
    it(`100 times ${bytes} random bytes => at least ${least} are keys`, () => {
      const all = Array.from({ length: 100 }, (_, run) => randomKey(bytes, `run ${run}`));
      assert.ok(all.filter(looksLikeKey).length >= least);
      const forAddresses = all.map((key) => Buffer.from(key, "base64").toString("base64url"));
      assert.ok(forAddresses.filter(looksLikeKey).length >= least);
    });
  }

  const keys: [string, string][] = [
    ["32 bytes", randomKey(32)],
    ["with a line break at the end", `${randomKey(64)}\n`],
    ["in lines of 64", (randomKey(256).match(/.{1,64}/g) ?? []).join("\n")],
    ["without padding", randomKey(64).replace(/=+$/, "")],
    ["in base64 twice", Buffer.from(randomKey(64)).toString("base64")],
    ["a private key", privateKey],
    ["a private key of RSA's old form", "-----BEGIN RSA PRIVATE KEY-----\nMIIE"],
    ["an encrypted private key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIE"],
    ["a private key within a text", `# mine\n${privateKey}`],
    ["a private key in base64", Buffer.from(privateKey).toString("base64")],
    ["a ring", JSON.stringify({ keys: [{ kty: "oct", kid: "1", k: "a".repeat(43) }] })],
    ["a private key in JWK", JSON.stringify({ kty: "OKP", crv: "Ed25519", d: "a".repeat(43) })],
  ];
  for (const [name, text] of keys) {
    it(`${name} => a key`, () => assert.equal(looksLikeKey(text), true));
  }

  const others: [string, string][] = [
    ["an empty text", ""],
    ["31 random bytes", randomKey(31)],
    ["a certificate", certificate],
    ["a certificate in base64", Buffer.from(certificate).toString("base64")],
    ["a certificate in DER", der.toString("base64")],
    ["a public key of SSH", `ssh-ed25519 ${randomKey(51)} me`],
    ["a checksum in hex", createHash("sha256").update("x").digest("hex")],
    ["a checksum of an npm package", `sha512-${createHash("sha512").update("x").digest("base64")}`],
    ["an image's digest", `sha256:${createHash("sha256").update("x").digest("hex")}`],
    ["words in base64", Buffer.from(words.repeat(3)).toString("base64")],
    ["an archive in base64", gzipSync(randomKey(200)).toString("base64")],
    ["zeros in base64", Buffer.alloc(64).toString("base64")],
    ["a file of 5000 random bytes", randomKey(5000)],
    ["a script", "#!/bin/bash\nset -euo pipefail\nexec slurmd -D\n"],
    ["names in lines", Array.from({ length: 40 }, (_, index) => `node${index}`).join("\n")],
    ["a long name", "KubernetesClusterAutoscalerDeploymentForRegionEuWest1Production"],
    ["a kebab name", "slurm-operator-webhook-service-in-namespace-slinky-of-cluster-production-1"],
    ["a path", "/usr/local/share/Applications/KubernetesDashboard/Assets9/Index"],
    ["a UUID", "3f1d5f0e-6a0b-4a57-9a63-2f6f0e1f7c11"],
    [
      "a ring of public keys",
      JSON.stringify({ keys: [{ kty: "RSA", n: "a".repeat(300), e: "AQAB" }] }),
    ],
    ["a big text without blanks", "Ab1".repeat(100_000)],
  ];
  for (const [name, text] of others) {
    it(`${name} => no key`, () => assert.equal(looksLikeKey(text), false));
  }

  it("hex => a key from 64 bytes on, and no checksum of 32", () => {
    const hex = Buffer.from(randomKey(64), "base64").toString("hex");
    assert.equal(looksLikeHexKey(hex), true);
    assert.equal(looksLikeHexKey(hex.toUpperCase()), true);
    assert.equal(looksLikeHexKey(hex.slice(0, 64)), false);
    assert.equal(looksLikeHexKey("0".repeat(128)), false);
  });
});
