import { strict as assert } from "node:assert";
import type { WorkerPod } from "../../../lab/operator/builders/worker.ts";
import { editNodeSet, makeReady } from "./cluster.ts";
import { POD_0, POD_1, podWrites, runningWorkers, sync } from "./workers.ts";

describe("NodeSet sync and Slurm's nodes", () => {
  it("CR annotation or key Secret changes => no new revision, no pod touched", async () => {
    const { api, slurm } = await runningWorkers();
    editNodeSet(api, (nodeSet) => {
      nodeSet.metadata.annotations = { ...nodeSet.metadata.annotations, touched: "1" };
    });
    api.edit<{ data: Record<string, string> } & WorkerPod>("Secret", "slurm-auth", (item) => {
      item.data["slurm.key"] = "c2Vjb25k";
    });
    await sync(api, slurm);
    assert.deepEqual(podWrites(api), []);
  });

  it("replacement after a delete => undrained only where the reason is the operator's", async () => {
    const { api, slurm } = await runningWorkers();
    slurm.register({
      ...slurm.node("compute-0"),
      state: ["IDLE", "DRAIN"],
      reason: "slurm-operator: Pod is terminating",
    });
    slurm.register({
      ...slurm.node("compute-1"),
      state: ["IDLE", "DRAIN"],
      reason: "auth-key-rotation:2",
    });
    await sync(api, slurm);
    assert.deepEqual(slurm.node("compute-0").state, ["IDLE"]);
    assert.deepEqual(slurm.node("compute-1").state, ["IDLE", "DRAIN"]);
    assert.equal(slurm.node("compute-1").reason, "auth-key-rotation:2");
  });

  it("pod moved to another Kubernetes node => IDLE; replaced on the same one => DOWN stays", async () => {
    const { api, slurm } = await runningWorkers();
    for (const name of ["compute-0", "compute-1"]) {
      slurm.node(name).state = ["DOWN"];
    }
    api.edit<WorkerPod>("Pod", POD_0, (pod) => {
      pod.metadata.uid = "replaced";
    });
    makeReady(api, POD_1, "another-kubernetes-node");
    await sync(api, slurm);
    assert.deepEqual(slurm.node("compute-0").state, ["DOWN"]);
    assert.deepEqual(slurm.node("compute-1").state, ["IDLE"]);
    assert.equal(
      (JSON.parse(slurm.node("compute-1").comment) as { node: string }).node,
      "another-kubernetes-node",
    );
  });

  it("node works on a job => its pod is protected from eviction until the job ends", async () => {
    const { api, slurm } = await runningWorkers();
    const label = "nodeset.slinky.slurm.net/pod-protect";
    slurm.node("compute-0").state = ["ALLOCATED"];
    await sync(api, slurm);
    assert.equal(api.read("Pod", POD_0).metadata.labels?.[label], "true");
    assert.equal(api.read("Pod", POD_1).metadata.labels?.[label], undefined);
    slurm.node("compute-0").state = ["IDLE"];
    await sync(api, slurm);
    assert.equal(api.read("Pod", POD_0).metadata.labels?.[label], undefined);
  });

  it("terminating pod => no replacement before it is gone", async () => {
    const { api, slurm } = await runningWorkers();
    api.edit<WorkerPod>("Pod", POD_0, (pod) => {
      Object.assign(pod.metadata, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    });
    slurm.node("compute-0").state = ["DOWN"];
    await sync(api, slurm);
    assert.deepEqual(podWrites(api), []);
  });
});
