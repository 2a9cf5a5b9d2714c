import { generateKeyPairSync, type KeyObject } from "node:crypto";

/** Key types of the login pods' host keys, in mount order. */
export const HOST_KEY_TYPES = ["rsa", "ed25519", "ecdsa"] as const;

/** Fresh ssh host keys: `ssh_host_<type>_key` and `.pub` for each type, as OpenSSH reads them. */
export function makeSshHostKeys(): Record<string, string> {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 3072 });
  const ecdsa = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ed25519 = generateKeyPairSync("ed25519");
  return {
    ssh_host_rsa_key: pem(rsa.privateKey, "pkcs1"),
    "ssh_host_rsa_key.pub": publicLine("ssh-rsa", rsaBlob(rsa.publicKey)),
    ssh_host_ecdsa_key: pem(ecdsa.privateKey, "sec1"),
    "ssh_host_ecdsa_key.pub": publicLine("ecdsa-sha2-nistp256", ecdsaBlob(ecdsa.publicKey)),
    ssh_host_ed25519_key: ed25519Private(ed25519.privateKey),
    "ssh_host_ed25519_key.pub": publicLine("ssh-ed25519", ed25519Blob(ed25519.publicKey)),
  };
}

function pem(key: KeyObject, type: "pkcs1" | "sec1"): string {
  return key.export({ type, format: "pem" }) as string;
}

function publicLine(type: string, blob: Buffer): string {
  return `${type} ${blob.toString("base64")}\n`;
}

/** A string of the SSH wire format (RFC 4251 §5): length, then bytes. */
function field(bytes: Buffer | string): Buffer {
  const content = Buffer.from(bytes);
  return Buffer.concat([uint32(content.length), content]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A positive mpint: a leading zero byte where the top bit is set. */
function mpint(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, "base64url");
  const signed = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  return field(signed);
}

function rsaBlob(key: KeyObject): Buffer {
  const { e = "", n = "" } = key.export({ format: "jwk" });
  return Buffer.concat([field("ssh-rsa"), mpint(e), mpint(n)]);
}

function ecdsaBlob(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = [Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  return Buffer.concat([
    field("ecdsa-sha2-nistp256"),
    field("nistp256"),
    field(Buffer.concat(point)),
  ]);
}

function ed25519Blob(key: KeyObject): Buffer {
  const { x = "" } = key.export({ format: "jwk" });
  return Buffer.concat([field("ssh-ed25519"), field(Buffer.from(x, "base64url"))]);
}

/** The unencrypted openssh-key-v1 container: OpenSSH reads Ed25519 keys in no other form. */
function ed25519Private(key: KeyObject): string {
  const { x = "", d = "" } = key.export({ format: "jwk" });
  const publicBytes = Buffer.from(x, "base64url");
  const blob = Buffer.concat([field("ssh-ed25519"), field(publicBytes)]);
  const check = uint32(1);
  const secret = Buffer.concat([
    check,
    check,
    blob,
    field(Buffer.concat([Buffer.from(d, "base64url"), publicBytes])),
    field(""),
  ]);
  const padding = Buffer.from(
    Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, index) => index + 1),
  );
  const container = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"),
    field("none"),
    field(""),
    uint32(1),
    field(blob),
    field(Buffer.concat([secret, padding])),
  ]);
  const body = container
    .toString("base64")
    .replace(/(.{70})/g, "$1\n")
    .trimEnd();
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
