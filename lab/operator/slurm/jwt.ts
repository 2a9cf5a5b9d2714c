import { createHmac, timingSafeEqual } from "node:crypto";

/** Lifetime of tokens unless a Token asks for another (contract §6). */
export const DEFAULT_LIFETIME_SECONDS = 15 * 60;

/** Claims of Slurm's auth/jwt: `sun` is the Slurm user; times are unix seconds. */
export interface SlurmClaims {
  sun: string;
  iat: number;
  exp: number;
}

/** HS256 token for a Slurm user. */
export function signSlurmToken(
  key: Buffer,
  user: string,
  lifetimeSeconds: number,
  nowMs: number,
): string {
  const iat = Math.floor(nowMs / 1000);
  const claims: SlurmClaims = { sun: user, iat, exp: iat + lifetimeSeconds };
  const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${unsigned}.${signature(unsigned, key)}`;
}

/**
 * The claims of a token that this key signed, expired or not.
 * @throws Error when another key signed it or it is no token
 */
export function verifySlurmToken(token: string, key: Buffer): SlurmClaims {
  const [header = "", payload = "", given = ""] = token.split(".");
  const expected = Buffer.from(signature(`${header}.${payload}`, key));
  const actual = Buffer.from(given);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new Error("the token's signature does not match the jwt key: delete the token's Secret");
  }
  return JSON.parse(Buffer.from(payload, "base64url").toString()) as SlurmClaims;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function signature(unsigned: string, key: Buffer): string {
  return createHmac("sha256", key).update(unsigned).digest("base64url");
}
