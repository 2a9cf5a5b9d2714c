import { strict as assert } from "node:assert";
import type { WorkerPod } from "../../../lab/operator/builders/worker.ts";
import type { NodeSet } from "../../../lab/operator/crds.ts";
import { editNodeSet, makeReady, recordedCluster, START_MS, workerNames } from "./cluster.ts";
import { FakeSlurm } from "./fakeSlurm.ts";
import type { FakeKube } from "./fakeKube.ts";
import {
  cordon,
  NAME,
  POD_0,
  POD_1,
  podWrites,
  runningWorkers,
  SCALE_IN,
  sync,
} from "./workers.ts";

function touchTemplate(api: FakeKube): void {
  editNodeSet(api, (nodeSet) => {
    Object.assign(nodeSet.spec.template ?? {}, { metadata: { annotations: { changed: "yes" } } });
  });
}

describe("NodeSet sync", () => {
  it("new NodeSet => missing ordinals, Service, budget and revision are created", async () => {
    const api = recordedCluster();
    await sync(api, new FakeSlurm());
    assert.deepEqual(workerNames(api), [POD_0, POD_1]);
    assert.ok(api.read("Service", "slurm-workers-slurm"));
    assert.ok(api.read("PodDisruptionBudget", "slurm-workers-pdb-slurm"));
    const { status } = api.read<NodeSet>("NodeSet", NAME);
    assert.ok(api.read("ControllerRevision", `${NAME}-${String(status?.nodeSetHash)}`));
  });

  it("running cluster => status counts pods and Slurm states, nothing else changes", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.node("compute-1").state = ["MIXED", "DRAIN"];
    slurm.node("compute-1").reason = "bad DIMM";
    await sync(api, slurm);
    const { nodeSetHash, ...status } = api.read<NodeSet>("NodeSet", NAME).status ?? {};
    assert.match(String(nodeSetHash), /^[a-z0-9]{10}$/);
    assert.deepEqual(status, {
      desired: 2,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      slurmIdle: 1,
      slurmAllocated: 1,
      slurmDrain: 1,
      observedGeneration: 2,
      collisionCount: 0,
      selector: `app.kubernetes.io/instance=${NAME},app.kubernetes.io/name=slurmd`,
    });
    assert.equal(slurm.node("compute-1").reason, "bad DIMM");
  });

  it("slurmrestd does not answer => the sync fails and no pod is touched, deleted ones included", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.error = new Error("slurmrestd answered 511");
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.replicas = 0;
    });
    await assert.rejects(sync(api, slurm), /511/);
    assert.deepEqual(podWrites(api), []);
    await api.delete({ kind: "Pod", namespace: "slurm", name: POD_0 }, undefined);
    await assert.rejects(sync(api, slurm), /511/);
    assert.deepEqual(workerNames(api), [POD_1]);
  });

  it("no RestApi => every node counts as drained and pods go at once", async () => {
    const { api } = await runningWorkers();
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.replicas = 0;
    });
    await sync(api, undefined);
    assert.deepEqual(workerNames(api), []);
    assert.ok(!api.writes.some((write) => write.startsWith("PATCH")));
  });

  it("ready pod without a Slurm node => deleted, after the grace for a registration", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.nodesByName.delete("compute-0");
    makeReady(api, POD_0, "k", START_MS - 3_000);
    assert.equal(await sync(api, slurm), 7);
    assert.deepEqual(workerNames(api), [POD_0, POD_1]);
    await sync(api, slurm, START_MS + 7_000);
    assert.deepEqual(workerNames(api), [POD_1]);
  });

  it("scale-in with a running job => cordon, DRAIN with the operator's reason, wait, delete", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.node("compute-1").state = ["MIXED"];
    slurm.node("compute-1").reason = "someone else's";
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.replicas = 1;
    });
    assert.equal(await sync(api, slurm), 30);
    assert.equal(cordon(api, POD_1), "true");
    assert.deepEqual(slurm.node("compute-1"), {
      ...slurm.node("compute-1"),
      state: ["MIXED", "DRAIN"],
      reason: SCALE_IN,
    });
    slurm.node("compute-1").state = ["IDLE", "COMPLETING", "DRAIN"];
    await sync(api, slurm);
    slurm.node("compute-1").state = ["IDLE", "DRAIN", "UNDRAIN"];
    await sync(api, slurm);
    assert.deepEqual(workerNames(api), [POD_0, POD_1]);
    slurm.node("compute-1").state = ["IDLE", "DRAIN"];
    await sync(api, slurm);
    assert.deepEqual(workerNames(api), [POD_0]);
  });

  it("scale-in taken back => annotation removed, node undrained", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.node("compute-1").state = ["MIXED"];
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.replicas = 1;
    });
    await sync(api, slurm);
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.replicas = 2;
    });
    await sync(api, slurm);
    assert.equal(cordon(api, POD_1), undefined);
    assert.deepEqual(slurm.node("compute-1").state, ["MIXED"]);
    assert.equal(
      slurm.node("compute-1").reason,
      `slurm-operator: Pod (slurm/${POD_1}) was uncordoned`,
    );
  });

  it("template change, RollingUpdate => one pod at a time, the next when the replacement is ready", async () => {
    const { api, slurm } = await runningWorkers();
    touchTemplate(api);
    await sync(api, slurm);
    assert.equal(cordon(api, POD_1), "true");
    assert.equal(cordon(api, POD_0), undefined);
    await sync(api, slurm);
    assert.deepEqual(workerNames(api), [POD_0]);
    await sync(api, slurm);
    assert.deepEqual(workerNames(api), [POD_0, POD_1]);
    await sync(api, slurm);
    assert.equal(cordon(api, POD_0), undefined);
    makeReady(api, POD_1);
    await sync(api, slurm);
    assert.equal(cordon(api, POD_0), "true");
    assert.deepEqual(slurm.node("compute-1").state, ["IDLE"]);
  });

  it("template change, OnDelete => old pods stay; a deleted one comes back at the new revision", async () => {
    const { api, slurm } = await runningWorkers();
    editNodeSet(api, (nodeSet) => {
      nodeSet.spec.updateStrategy = { type: "OnDelete" };
    });
    touchTemplate(api);
    await sync(api, slurm);
    assert.deepEqual(podWrites(api), []);
    await api.delete({ kind: "Pod", namespace: "slurm", name: POD_0 }, undefined);
    await sync(api, slurm);
    assert.equal(api.read<WorkerPod>("Pod", POD_0).metadata.annotations?.["changed"], "yes");
    assert.equal(api.read<NodeSet>("NodeSet", NAME).status?.replicas, 1);
  });
});
