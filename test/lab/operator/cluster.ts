import type { WorkerPod } from "../../../lab/operator/builders/worker.ts";
import type { CustomResource, NodeSet } from "../../../lab/operator/crds.ts";
import type { KubeObject } from "../../../lab/operator/kube/object.ts";
import type { ReconcileContext } from "../../../lab/operator/reconcilers/reconciler.ts";
import { FakeKube } from "./fakeKube.ts";
import type { FakeSlurm } from "./fakeSlurm.ts";
import { recordedObject } from "./recordedObject.ts";

/** Start of the tests' clock. */
export const START_MS = Date.parse("2026-01-01T00:00:00Z");

/** A Secret with the given entries as text. */
export function secret(
  name: string,
  entries: Record<string, string>,
): KubeObject & { data: Record<string, string> } {
  const data = Object.entries(entries).map(([key, text]) => [
    key,
    Buffer.from(text).toString("base64"),
  ]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace: "slurm" },
    data: Object.fromEntries(data) as Record<string, string>,
  };
}

/** The recorded custom resources with their key Secrets, in a fake API server. */
export function recordedCluster(): FakeKube {
  const custom = (
    [
      ["Controller", "slurm"],
      ["Accounting", "slurm"],
      ["RestApi", "slurm"],
      ["LoginSet", "slurm-login-login"],
      ["NodeSet", "slurm-worker-compute"],
    ] as const
  ).map(([kind, name]) => recordedObject<CustomResource>(kind, name));
  return new FakeKube(
    ...custom,
    secret("slurm-auth", { "slurm.key": "first-auth-key" }),
    secret("slurm-jwt", { "jwt.key": "first-jwt-key" }),
    secret("mariadb-password", { password: "database" }),
  );
}

/** A context on the fakes; `slurm` undefined means that the cluster has no RestApi. */
export function contextOf(api: FakeKube, slurm?: FakeSlurm, nowMs = START_MS): ReconcileContext {
  return {
    api,
    slurmFor: () => Promise.resolve(slurm),
    now: () => nowMs,
    log: () => undefined,
  };
}

/** The kubelet's part: the pod runs on a node and is ready since the time given. */
export function makeReady(
  api: FakeKube,
  name: string,
  node = `k-${name}`,
  sinceMs = START_MS - 60_000,
): void {
  api.edit<WorkerPod>("Pod", name, (pod) => {
    Object.assign(pod.spec ?? {}, { nodeName: node });
    const lastTransitionTime = new Date(sinceMs).toISOString();
    pod.status = {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", lastTransitionTime }],
    };
  });
}

/** Changes the recorded NodeSet. */
export function editNodeSet(api: FakeKube, change: (nodeSet: NodeSet) => void): void {
  api.edit<NodeSet>("NodeSet", "slurm-worker-compute", change);
}

/** Names of the stored worker pods. */
export function workerNames(api: FakeKube): string[] {
  const pods = [...api.objects.values()].filter(({ kind }) => kind === "Pod");
  return pods.map(({ metadata }) => metadata.name ?? "").sort();
}
