import { createHash, generateKeyPairSync } from "node:crypto";

/** Bytes that look random and are the same in every run, in base64. */
export function randomKey(bytes: number, seed = "key"): string {
  const blocks = Array.from({ length: Math.ceil(bytes / 64) }, (_, index) =>
    createHash("sha512").update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes).toString("base64");
}

/** A private key in PEM; nobody's. */
export const privateKey = generateKeyPairSync("ed25519").privateKey.export({
  type: "pkcs8",
  format: "pem",
}) as string;

/** Text of the form of a certificate in PEM. */
export const certificate = [
  "-----BEGIN CERTIFICATE-----",
  ...(Buffer.concat([Buffer.from("308202fc", "hex"), Buffer.from(randomKey(764, "ca"), "base64")])
    .toString("base64")
    .match(/.{1,64}/g) ?? []),
  "-----END CERTIFICATE-----",
  "",
].join("\n");
