import type { WorkerPod } from "../../../lab/operator/builders/worker.ts";
import { reconcileNodeSet } from "../../../lab/operator/reconcilers/nodeSet.ts";
import { contextOf, makeReady, recordedCluster, START_MS } from "./cluster.ts";
import type { FakeKube } from "./fakeKube.ts";
import { FakeSlurm } from "./fakeSlurm.ts";

/** The recorded NodeSet and its two pods. */
export const NAME = "slurm-worker-compute";
export const POD_0 = `${NAME}-0`;
export const POD_1 = `${NAME}-1`;
const CORDON = "nodeset.slinky.slurm.net/pod-cordon";
/** Reason of a node whose pod is to go. */
export const SCALE_IN = `slurm-operator: Pod (slurm/${POD_1}) is pending termination for scale-in`;

/** One sync of the NodeSet; without `slurm` the cluster has no RestApi. */
export function sync(
  api: FakeKube,
  slurm?: FakeSlurm,
  nowMs = START_MS,
): Promise<number | undefined> {
  return reconcileNodeSet(contextOf(api, slurm, nowMs), "slurm", NAME);
}

/** Two ready, registered workers whose Slurm nodes know their pods. */
export async function runningWorkers(): Promise<{ api: FakeKube; slurm: FakeSlurm }> {
  const api = recordedCluster();
  const slurm = new FakeSlurm({ name: "compute-0" }, { name: "compute-1" });
  await sync(api, slurm);
  makeReady(api, POD_0);
  makeReady(api, POD_1);
  await sync(api, slurm);
  api.writes.length = 0;
  return { api, slurm };
}

/** The pod's cordon annotation. */
export function cordon(api: FakeKube, name: string): string | undefined {
  return api.read<WorkerPod>("Pod", name).metadata.annotations?.[CORDON];
}

/** What was written to pods since the cluster ran. */
export function podWrites(api: FakeKube): string[] {
  return api.writes.filter((write) => write.includes("Pod/"));
}
