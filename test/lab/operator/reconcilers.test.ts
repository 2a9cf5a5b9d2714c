import { strict as assert } from "node:assert";
import type { CustomResource } from "../../../lab/operator/crds.ts";
import type { DataObject, Workload } from "../../../lab/operator/kube/apply.ts";
import { reconcileAccounting } from "../../../lab/operator/reconcilers/accounting.ts";
import { reconcileController } from "../../../lab/operator/reconcilers/controller.ts";
import { reconcileLoginSet } from "../../../lab/operator/reconcilers/loginSet.ts";
import { reconcileNodeSet } from "../../../lab/operator/reconcilers/nodeSet.ts";
import { reconcileRestApi } from "../../../lab/operator/reconcilers/restApi.ts";
import { contextOf, recordedCluster, secret } from "./cluster.ts";
import type { FakeKube } from "./fakeKube.ts";

const workloads = {
  controller: ["StatefulSet", "slurm-controller"],
  accounting: ["StatefulSet", "slurm-accounting"],
  restapi: ["Deployment", "slurm-restapi"],
  login: ["Deployment", "slurm-login-login"],
} as const;

async function syncAll(api: FakeKube): Promise<void> {
  const context = contextOf(api);
  await reconcileController(context, "slurm", "slurm");
  await reconcileAccounting(context, "slurm", "slurm");
  await reconcileRestApi(context, "slurm", "slurm");
  await reconcileLoginSet(context, "slurm", "slurm-login-login");
  await reconcileNodeSet(context, "slurm", "slurm-worker-compute");
}

async function runningCluster(): Promise<FakeKube> {
  const api = recordedCluster();
  // The second pass counts the pods that the first one made.
  await syncAll(api);
  await syncAll(api);
  api.writes.length = 0;
  return api;
}

function templates(api: FakeKube): Record<string, string> {
  const entries = Object.entries(workloads).map(([role, [kind, name]]) => [
    role,
    JSON.stringify(api.read<Workload>(kind, name).spec.template),
  ]);
  const pod = JSON.stringify(api.read("Pod", "slurm-worker-compute-0"));
  return Object.fromEntries([...entries, ["worker", pod]]) as Record<string, string>;
}

async function changedBy(change: (api: FakeKube) => void): Promise<string[]> {
  const api = await runningCluster();
  const before = templates(api);
  change(api);
  await syncAll(api);
  const after = templates(api);
  return Object.keys(before).filter((role) => before[role] !== after[role]);
}

function setSecret(api: FakeKube, name: string, entries: Record<string, string>): void {
  api.edit<DataObject>("Secret", name, (object) => {
    object.data = { ...object.data, ...secret(name, entries).data };
  });
}

describe("reconcilers", () => {
  it("nothing changed => a second pass writes nothing", async () => {
    const api = await runningCluster();
    await syncAll(api);
    assert.deepEqual(api.writes, []);
  });

  it("slurm key changes => slurmctld and slurmdbd restart, nobody else", async () => {
    const changed = await changedBy((api) => {
      setSecret(api, "slurm-auth", { "slurm.key": "second" });
    });
    assert.deepEqual(changed, ["controller", "accounting"]);
  });

  it("an unused entry is added to the key Secret => the same two restart", async () => {
    const changed = await changedBy((api) => {
      setSecret(api, "slurm-auth", { note: "x" });
    });
    assert.deepEqual(changed, ["controller", "accounting"]);
  });

  it("key Secret deleted => tolerated, both roll; recreated with the same bytes => both as before", async () => {
    const api = await runningCluster();
    const before = templates(api);
    const key = api.read<DataObject>("Secret", "slurm-auth");
    await api.delete({ kind: "Secret", namespace: "slurm", name: "slurm-auth" }, undefined);
    await syncAll(api);
    const without = templates(api);
    assert.notEqual(without["controller"], before["controller"]);
    assert.notEqual(without["accounting"], before["accounting"]);
    assert.equal(without["worker"], before["worker"]);
    await api.create(key);
    await syncAll(api);
    assert.deepEqual(templates(api), before);
  });

  it("jwt key changes => slurmctld and slurmdbd restart, nobody else", async () => {
    const changed = await changedBy((api) => {
      setSecret(api, "slurm-jwt", { "jwt.key": "second" });
    });
    assert.deepEqual(changed, ["controller", "accounting"]);
  });

  it("CR annotation => reaches the pod templates of all but the NodeSet's running pods", async () => {
    const changed = await changedBy((api) => {
      for (const kind of ["Controller", "Accounting", "RestApi", "LoginSet", "NodeSet"]) {
        const name =
          { LoginSet: "slurm-login-login", NodeSet: "slurm-worker-compute" }[kind] ?? "slurm";
        api.edit<CustomResource>(kind, name, ({ metadata }) => {
          metadata.annotations = { ...metadata.annotations, restart: "1" };
        });
      }
    });
    assert.deepEqual(changed, ["controller", "accounting", "restapi", "login"]);
  });

  it("foreign restart annotation and replica count => reverted", async () => {
    const api = await runningCluster();
    const before = templates(api);
    for (const [kind, name] of Object.values(workloads)) {
      api.edit<Workload>(kind, name, ({ spec }) => {
        Object.assign(spec, { replicas: 0 });
        Object.assign(spec.template.metadata?.annotations ?? {}, {
          "kubectl.kubernetes.io/restartedAt": "now",
        });
      });
    }
    await syncAll(api);
    assert.deepEqual(templates(api), before);
    for (const [kind, name] of Object.values(workloads)) {
      assert.equal(api.read<Workload>(kind, name).spec.replicas, 1);
    }
  });

  it("owned objects deleted => recreated", async () => {
    const api = await runningCluster();
    const owned = [...api.objects.values()].filter(
      ({ metadata }) => metadata.ownerReferences?.length,
    );
    const lost = owned.filter(({ kind }) => kind !== "ControllerRevision" && kind !== "Pod");
    for (const { kind, metadata } of lost) {
      await api.delete({ kind, namespace: "slurm", name: metadata.name ?? "" }, undefined);
    }
    await syncAll(api);
    lost.forEach(({ kind, metadata }) => assert.ok(api.read(kind, metadata.name ?? "")));
    assert.ok(lost.length >= 12);
  });

  it("user's cgroup.conf => the generated one is left out; config hash follows slurm.conf", async () => {
    const api = await runningCluster();
    const config = (): DataObject => api.read<DataObject>("ConfigMap", "slurm-config");
    assert.match(config().data?.["cgroup.conf"] ?? "", /CgroupPlugin=cgroup\/v2/);
    await api.create({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "slurm-config-extra", namespace: "slurm" },
      data: { "cgroup.conf": "CgroupPlugin=disabled\n" },
    });
    const before = templates(api);
    await syncAll(api);
    assert.deepEqual(Object.keys(config().data ?? {}), ["slurm.conf"]);
    assert.notEqual(templates(api)["controller"], before["controller"]);
  });

  it("slurmdbd.conf => password from the Secret, hash on the pod template", async () => {
    const api = await runningCluster();
    const before = templates(api);
    setSecret(api, "mariadb-password", { password: "another" });
    await syncAll(api);
    const encoded =
      api.read<DataObject>("Secret", "slurm-accounting").data?.["slurmdbd.conf"] ?? "";
    const conf = Buffer.from(encoded, "base64").toString();
    assert.match(conf, /^StoragePass=another$/m);
    assert.match(conf, /^DbdHost=slurm-accounting-0$/m);
    assert.notEqual(templates(api)["accounting"], before["accounting"]);
  });

  it("Controller missing => RestApi and NodeSet fail with what to do", async () => {
    const api = recordedCluster();
    await api.delete({ kind: "Controller", namespace: "slurm", name: "slurm" }, undefined);
    await assert.rejects(
      reconcileRestApi(contextOf(api), "slurm", "slurm"),
      /Controller slurm\/slurm does not exist/,
    );
    await assert.rejects(
      reconcileNodeSet(contextOf(api), "slurm", "slurm-worker-compute"),
      /create it/,
    );
  });
});
