import { isDnsLabel } from "./dnsLabel.ts";
import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { readSecretReference, type SecretReference } from "./secretReference.ts";

/** One LoginSet: equal pods with sshd and sackd, from which users submit jobs. */
export interface LoginSetConfig {
  readonly replicas: number;
  /** Type of the Service in front of port 22. */
  readonly serviceType: ServiceType;
  /** Lines of root's authorized_keys. */
  readonly authorizedKeys: readonly string[];
  /** Lines appended to sshd_config; empty for none. */
  readonly sshdConfig: string;
}

const serviceTypes = ["ClusterIP", "NodePort", "LoadBalancer"] as const;

/** Kinds of Service that reach a login pod. */
export type ServiceType = (typeof serviceTypes)[number];

/**
 * Longest LoginSet name: Deployment `slurm-login-<name>` and the operator's Secret
 * `slurm-login-<name>-ssh-host-keys` with 14 more characters must stay label values (63 characters).
 */
const longestName = 63 - "slurm-login-".length - "-ssh-host-keys".length;

const mostReplicas = 100;
const fields = ["replicas", "serviceType", "authorizedKeys", "sshdConfig"];

/** What a public key line of authorized_keys holds (sshd(8), AUTHORIZED_KEYS FILE FORMAT): options, type, key. */
const publicKeyLine =
  /^([^\r\n]+ )?(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) [A-Za-z0-9+/]{20,}={0,2}( [^\r\n]*)?$/;

/** Reads `loginSets` and `sssdSecret`. */
export function readLogin(raw: RawValues): {
  readonly loginSets: Readonly<Record<string, LoginSetConfig>>;
  readonly sssdSecret: SecretReference | undefined;
} {
  const given = raw.object("sssdSecret");
  const sssdSecret =
    Object.keys(given).length === 0
      ? undefined
      : readSecretReference(raw, "sssdSecret", given, "sssd.conf");
  const loginSets: Record<string, LoginSetConfig> = {};
  for (const [name, value] of Object.entries(raw.object("loginSets"))) {
    loginSets[name] = readLoginSet(raw, name, value, sssdSecret !== undefined);
  }
  return { loginSets, sssdSecret };
}

function readLoginSet(
  raw: RawValues,
  name: string,
  value: unknown,
  hasSssd: boolean,
): LoginSetConfig {
  const { problems } = raw;
  const path = `loginSets.${name}`;
  if (!isDnsLabel(name, longestName)) {
    problems.bad(path, name, `an RFC 1123 label of at most ${longestName} characters`);
  }
  if (!isRecord(value)) problems.bad(path, value, `a map of ${fields.join(", ")}`);
  const entry = isRecord(value) ? value : {};
  refuseUnknownFields(path, entry, fields, problems);
  const { replicas = 1, serviceType = "ClusterIP", authorizedKeys = [], sshdConfig = "" } = entry;
  if (!Number.isInteger(replicas) || Number(replicas) < 0 || Number(replicas) > mostReplicas) {
    problems.bad(`${path}.replicas`, replicas, `a whole number from 0 to ${mostReplicas}`);
  }
  const type = serviceTypes.find((known) => known === serviceType);
  if (type === undefined) {
    problems.bad(`${path}.serviceType`, serviceType, serviceTypes.join(", "));
  }
  if (typeof sshdConfig !== "string") {
    problems.bad(`${path}.sshdConfig`, sshdConfig, "lines of sshd_config as one text");
  }
  if (Array.isArray(authorizedKeys) && authorizedKeys.length === 0 && !hasSssd) {
    problems.add(
      path,
      "lets nobody in: it has no authorizedKeys, and the stack has no sssdSecret; " +
        "allowed: at least one public key, or sssdSecret with an sssd.conf that knows the users",
    );
  }
  return {
    replicas: Number(replicas),
    serviceType: type ?? "ClusterIP",
    authorizedKeys: readKeys(raw, `${path}.authorizedKeys`, authorizedKeys),
    sshdConfig: String(sshdConfig).trim(),
  };
}

function readKeys(raw: RawValues, path: string, value: unknown): string[] {
  if (!Array.isArray(value)) {
    raw.problems.bad(path, value, "a list of public keys");
    return [];
  }
  return (value as unknown[]).flatMap((line, index) => {
    if (typeof line === "string" && publicKeyLine.test(line.trim())) return [line.trim()];
    // Not repeated in the message: a private key pasted by mistake must not be printed.
    raw.problems.add(
      `${path}[${index}]`,
      'is no line of authorized_keys; allowed: a public key such as "ssh-ed25519 AAAA… name"',
    );
    return [];
  });
}
