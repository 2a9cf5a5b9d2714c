import { readFileSync } from "node:fs";
import path from "node:path";
import type { KubeObject } from "../../../lab/operator/kube/object.ts";

const folder = path.join(import.meta.dirname, "..", "..", "recorded");

/** An object of test/recorded: what the real operator or chart v1.2.1 made. */
export function recordedObject<T extends KubeObject>(kind: string, name: string): T {
  const objects = JSON.parse(readFileSync(path.join(folder, `${kind}.json`), "utf8")) as T[];
  const found = objects.find((object) => object.metadata.name === name);
  if (found === undefined) {
    throw new Error(`test/recorded/${kind}.json holds no ${name}`);
  }
  return found;
}

type Json = Record<string, unknown>;

/** Values that the API server fills in; both sides of a comparison lose them. */
const serverDefaults: Record<string, unknown> = {
  apiVersion: "v1",
  dnsPolicy: "ClusterFirst",
  failureThreshold: 3,
  internalTrafficPolicy: "Cluster",
  ipFamilyPolicy: "SingleStack",
  periodSeconds: 10,
  preemptionPolicy: "PreemptLowerPriority",
  priority: 0,
  progressDeadlineSeconds: 600,
  schedulerName: "default-scheduler",
  scheme: "HTTP",
  serviceAccount: "default",
  serviceAccountName: "default",
  sessionAffinity: "None",
  successThreshold: 1,
  terminationGracePeriodSeconds: 30,
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  timeoutSeconds: 1,
  volumeMode: "Filesystem",
};

/** Fields that are the API server's or that the recording left out. */
const ignored = new Set([
  "uid",
  "generation",
  "status",
  "ipFamilies",
  "clusterIP",
  "persistentVolumeClaimRetentionPolicy",
  "strategy",
  "updateStrategy",
  "resourceVersion",
]);

/**
 * The object without server defaults, empty maps and left-out fields. Hash values become "hash" and scripts "script":
 * their sources were left out of the recording.
 */
export function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isAutomaticToleration(item)).map(comparable);
  }
  if (typeof value !== "object" || value === null) {
    return isScript(value) ? "script" : value;
  }
  const kept = Object.entries(value as Json)
    .filter(([key, field]) => !ignored.has(key) && serverDefaults[key] !== field)
    .filter(
      ([key, field]) => !(key === "restartPolicy" && field === "Always" && "containers" in value),
    )
    .filter(([key]) => !key.startsWith("deployment.kubernetes.io/"))
    .map(([key, field]) => [key, isHash(key) ? "hash" : comparable(field)] as const)
    .filter(([, field]) => !isEmptyMap(field));
  return Object.fromEntries(kept);
}

function isHash(key: string): boolean {
  return key.startsWith("slinky.slurm.net/") && key.endsWith("-hash");
}

function isScript(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (/^\(text of \d+ characters\)$/.test(value) || value.includes("\n"))
  );
}

function isEmptyMap(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  );
}

/** The two tolerations that admission adds to every pod. */
function isAutomaticToleration(item: unknown): boolean {
  return (item as { tolerationSeconds?: number } | null)?.tolerationSeconds === 300;
}
