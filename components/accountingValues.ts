import type { AccountingConfig } from "../config/accounting.ts";
import type { ImageName } from "../versions.ts";
import { databaseNames } from "./databaseNames.ts";
import { imageParts } from "./imageParts.ts";

/** Where slurmdbd listens: Service and port that the operator makes (slinky-contract, workloads). */
const slurmdbdAddress = { host: "slurm-accounting", port: 6819 } as const;

/**
 * Seconds that slurmctld waits for slurmdbd before it starts without it. slurmctld can do without slurmdbd, and it
 * must: an accounting that is down may not keep the queue down.
 */
const slurmdbdWaitSeconds = 120;

/** Waits for a TCP port; arguments: host, port, seconds. Only bash is sure to be in every image of slurmctld. */
const waitScript = `end=$((SECONDS + $3))
until timeout 3 bash -c ': <>"/dev/tcp/$0/$1"' "$1" "$2" 2>/dev/null; do
  if ((SECONDS >= end)); then
    echo "slurmdbd at $1:$2 does not answer within $3 s; slurmctld starts without it"
    exit 0
  fi
  sleep 1
done
echo "slurmdbd at $1:$2 answers"
`;

/** Pure: the chart's values of slurmdbd. */
export function toAccountingValues(
  accounting: AccountingConfig | undefined,
  images: Readonly<Record<ImageName, string>>,
): Record<string, unknown> {
  if (accounting === undefined) return { enabled: false };
  return {
    enabled: true,
    slurmdbd: { image: imageParts(images.slurmdbd) },
    storageConfig: "database" in accounting ? toStorage(accounting.database) : ownStorage,
  };
}

/** slurmdbd's connection to the stack's own database. */
const ownStorage = {
  host: databaseNames.service,
  port: databaseNames.port,
  database: databaseNames.database,
  username: databaseNames.username,
  passwordKeyRef: { name: databaseNames.secret, key: databaseNames.passwordKey },
};

function toStorage(
  database: Extract<AccountingConfig, { database: unknown }>["database"],
): Record<string, unknown> {
  const { host, port, username, passwordSecret } = database;
  return {
    host,
    port,
    database: database.database,
    username,
    passwordKeyRef: { ...passwordSecret },
  };
}

/**
 * Pure: what slurmctld's pod does first where accounting is on. A slurmctld that registers while slurmdbd is still
 * starting is refused (`Your user doesn't have privilege`) and tries again only when it restarts, so it starts second.
 */
export function waitForSlurmdbd(
  accounting: AccountingConfig | undefined,
  slurmctldImage: string,
): Record<string, unknown>[] {
  if (accounting === undefined) return [];
  const { host, port } = slurmdbdAddress;
  const words = [host, String(port), String(slurmdbdWaitSeconds)];
  return [
    {
      name: "wait-for-slurmdbd",
      image: slurmctldImage,
      command: ["bash", "-c", waitScript, "wait-for-slurmdbd", ...words],
    },
  ];
}
