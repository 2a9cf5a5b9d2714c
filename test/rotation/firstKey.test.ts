import { strict as assert } from "node:assert";
import fc from "fast-check";
import { fingerprint } from "../../rotation/authKey.ts";
import * as engine from "../../rotation/engine.ts";
import type { RotationEdges } from "../../rotation/rotateKey.ts";
import { FakeKeyCluster } from "../fakes/fakeKeyCluster.ts";
import { ManualClock } from "../fakes/manualClock.ts";
import { keyInputs, keyOf, keyPlace, printOf } from "../support/keyInputs.ts";

const inputs = keyInputs;
const where = keyPlace;

describe("first key", () => {
  let cluster: FakeKeyCluster;
  let edges: RotationEdges;
  const create = (given = inputs()) => engine.create(given, edges);

  beforeEach(() => {
    cluster = new FakeKeyCluster();
    edges = {
      connect: () => Promise.resolve(cluster),
      clock: new ManualClock(),
      openPorts: () => Promise.reject(new Error("this key does not rotate")),
      openLog: () => ({ log: () => undefined, flush: () => Promise.resolve() }),
    };
  });

  describe("create", () => {
    it("no Secret => created immutable with label, fingerprint and generation", async () => {
      const { id, outs } = await create();
      assert.equal(id, where);
      assert.equal(outs.fingerprint, printOf(inputs()));
      assert.equal(outs.generation, 1);
      assert.equal(outs.secretUid, "uid-1");
      assert.equal(outs.clusterIdentity, "cluster-1");
      const secret = cluster.secrets.get(where);
      assert.deepEqual(secret?.data, { "slurm.key": keyOf(inputs()) });
      assert.deepEqual(secret?.labels, { "app.kubernetes.io/managed-by": "slinky-stack" });
      assert.deepEqual(secret?.annotations, {
        "slinky-stack.dev/key-fingerprint": outs.fingerprint,
        "slinky-stack.dev/key-generation": "1",
      });
    });

    it("an immutable Secret with the same key => adopted, nothing written", async () => {
      const annotations = { "slinky-stack.dev/key-generation": "4" };
      cluster.put(where, { "slurm.key": keyOf(inputs()) }, { annotations });
      const { outs } = await create();
      assert.equal(outs.generation, 4);
      assert.deepEqual(cluster.log, []);
    });

    it("another process was faster with the same key => adopted", async () => {
      cluster.beforeCreate = () => cluster.put(where, { "slurm.key": keyOf(inputs()) });
      assert.equal((await create()).outs.fingerprint, printOf(inputs()));
      assert.deepEqual(cluster.log, []);
    });

    for (const [situation, data, immutable, message] of [
      ["another key", { "slurm.key": Buffer.from("other") }, true, /holds key [0-9a-f]{12}, not/],
      ["no such entry", { other: Buffer.from("other") }, true, /holds no slurm\.key/],
      ["the same key, mutable", { "slurm.key": keyOf(inputs()) }, false, /is not immutable/],
    ] as const) {
      it(`a Secret with ${situation} => refused, left as it is`, async () => {
        cluster.put(where, data, { immutable });
        await assert.rejects(create(), message);
        assert.deepEqual(cluster.log, []);
      });
    }

    it("R08: any root => the Secret's bytes have the fingerprint of the outputs", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 96 }), async (bytes) => {
          const empty = new FakeKeyCluster();
          const root = Buffer.from(bytes).toString("base64");
          const edge = { ...edges, connect: () => Promise.resolve(empty) };
          const { outs } = await engine.create(inputs({ root }), edge);
          const stored = empty.secrets.get(where)?.data["slurm.key"] ?? new Uint8Array();
          assert.equal(fingerprint(stored), outs.fingerprint);
        }),
      );
    });
  });

  describe("update", () => {
    it("R03: the same key => equal outputs, no write", async () => {
      const { outs } = await create();
      cluster.log.length = 0;
      assert.deepEqual(await engine.update(outs, inputs(), edges), { outs });
      assert.deepEqual(cluster.log, []);
    });

    it("R03: old outputs are empty => rebuilt from the cluster, no write", async () => {
      const { outs } = await create();
      cluster.log.length = 0;
      assert.deepEqual(await engine.update({}, inputs(), edges), { outs });
      assert.deepEqual(cluster.log, []);
    });

    it("another seed => refused with both fingerprints before the cluster is asked", async () => {
      const { outs } = await create();
      cluster.isReachable = false;
      const next = inputs({ keySeed: "next" });
      await assert.rejects(engine.update(outs, next, edges), (error: Error) => {
        assert.match(error.message, new RegExp(`${outs.fingerprint}.*${printOf(next)}`));
        assert.match(error.message, /nothing was touched\. Put the previous keySeed back/);
        return true;
      });
    });

    it("the Secret is gone => put back with the same key", async () => {
      const { outs } = await create();
      cluster.secrets.clear();
      const { outs: repaired } = await engine.update(outs, inputs(), edges);
      assert.equal(repaired.fingerprint, outs.fingerprint);
      assert.equal(cluster.secrets.size, 1);
    });

    it("the live Secret carries another key => refused", async () => {
      const { outs } = await create();
      cluster.put(where, { "slurm.key": Buffer.from("other") });
      await assert.rejects(engine.update(outs, inputs(), edges), /it was left as it is/);
    });

    it("another Secret name => refused", async () => {
      const { outs } = await create();
      const moved = inputs({ secretName: "slurm-auth-2" });
      await assert.rejects(engine.update(outs, moved, edges), /cannot move to slurm\/slurm-auth-2/);
    });

    it("R21: another cluster answers => refused, naming both", async () => {
      const { outs } = await create();
      cluster.uid = "cluster-2";
      cluster.secrets.clear();
      cluster.log.length = 0;
      await assert.rejects(
        engine.update(outs, inputs(), edges),
        /UID cluster-1, but context kind-slinky leads to cluster-2; nothing was touched/,
      );
      assert.deepEqual(cluster.log, []);
    });
  });

  describe("read", () => {
    it("the Secret is there => its live fingerprint", async () => {
      const { id, outs } = await create();
      const other = Buffer.from("other");
      cluster.put(where, { "slurm.key": other });
      const { props } = await engine.read(id, outs, edges);
      assert.equal(props?.fingerprint, fingerprint(other));
    });

    it("the Secret is gone => no id", async () => {
      const { id, outs } = await create();
      cluster.secrets.clear();
      assert.deepEqual(await engine.read(id, outs, edges), {});
    });

    it("R28: the cluster does not answer => an error, nothing is forgotten", async () => {
      const { id, outs } = await create();
      cluster.isReachable = false;
      await assert.rejects(engine.read(id, outs, edges), /no answer/);
    });
  });

  describe("delete", () => {
    it("ours and unused => deleted", async () => {
      const { outs } = await create();
      await engine.remove(outs, edges);
      assert.equal(cluster.secrets.size, 0);
    });

    it("pods go away meanwhile => deleted after them", async () => {
      const { outs } = await create();
      cluster.holderAnswers = [["slurm-controller-0"], ["slurm-controller-0"], []];
      await engine.remove(outs, edges);
      assert.equal(cluster.secrets.size, 0);
    });

    it("R39: pods still use it at the deadline => refused, the Secret stays", async () => {
      const { outs } = await create();
      cluster.holderAnswers = [["slurm-worker-compute-0"]];
      await assert.rejects(engine.remove(outs, edges), /used by slurm-worker-compute-0 after 60 s/);
      assert.equal(cluster.secrets.size, 1);
    });

    for (const [situation, change] of [
      ["another uid", { uid: "uid-9" }],
      ["another key", { uid: "uid-1", data: { "slurm.key": Buffer.from("other") } }],
    ] as const) {
      it(`R39: a Secret with ${situation} => left alone`, async () => {
        const { outs } = await create();
        cluster.put(where, { "slurm.key": keyOf(inputs()) }, change);
        await engine.remove(outs, edges);
        assert.equal(cluster.secrets.size, 1);
      });
    }

    it("the cluster or the Secret is gone => done", async () => {
      const { outs } = await create();
      cluster.secrets.clear();
      await engine.remove(outs, edges);
      cluster.isReachable = false;
      await engine.remove(outs, edges);
    });
  });
});
