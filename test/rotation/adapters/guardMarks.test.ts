import { strict as assert } from "node:assert";
import type { CoreV1Api } from "@kubernetes/client-node";
import { ApiRefusal, openCoreApi } from "../../../rotation/adapters/connect.ts";
import { createAnnounced, creationMark } from "../../../rotation/adapters/guardMarks.ts";
import { secretStore } from "../../../rotation/adapters/secretStore.ts";
import { FakeApiServer, refusal } from "../../fakes/fakeApiServer.ts";
import { ManualClock } from "../../fakes/manualClock.ts";

const annotations = {
  "slinky-stack.dev/key-generation": "7",
  "slinky-stack.dev/key-fingerprint": "0123456789ab",
};
const toStore = {
  ...{ name: "slurm-auth", type: "Opaque", labels: {}, ownerReferences: [], annotations },
  data: { "slurm.key": Buffer.from("bytes") },
};

describe("guard marks", () => {
  let server: FakeApiServer;
  let api: CoreV1Api;

  before(async function () {
    this.timeout(30_000);
    await import("@kubernetes/client-node");
  });
  beforeEach(async () => {
    server = await FakeApiServer.start();
    server.isGuarded = true;
    api = await openCoreApi(server.kubeconfig, "test");
  });
  afterEach(() => server.stop());

  it("a guarded cluster => created and removed, no mark is left", async () => {
    const store = secretStore(api, "slurm");
    const { uid } = await store.create(toStore);
    assert.deepEqual(server.namespaces.get("slurm"), {});
    await store.remove("slurm-auth", uid);
    assert.equal(await store.read("slurm-auth"), undefined);
  });

  it("another Secret has taken the name => it is neither unlocked nor removed", async () => {
    const store = secretStore(api, "slurm");
    await store.create(toStore);
    await assert.rejects(store.remove("slurm-auth", "uid-of-another"), /409 Conflict/);
    const { annotations: left } = (await store.read("slurm-auth")) ?? {};
    assert.deepEqual(left, annotations);
  });

  it("an unlock that a crash left => taken back", async () => {
    const store = secretStore(api, "slurm");
    const { uid } = await store.create(toStore);
    server.intercept = (line) =>
      line.startsWith("DELETE") ? refusal(500, "InternalError", "away") : undefined;
    await assert.rejects(store.remove("slurm-auth", uid), /500/);
    server.intercept = () => undefined;
    const unlocked = "slinky-stack.dev/unlocked-for-deletion";
    assert.equal((await store.read("slurm-auth"))?.annotations[unlocked], uid);
    await store.lock("slurm-auth");
    assert.equal((await store.read("slurm-auth"))?.annotations[unlocked], undefined);
  });

  for (const [refusals, outcome] of [
    [2, "created"],
    [100, "refused"],
  ] as const) {
    it(`${refusals} refusals while the API server has not seen the announcement => ${outcome}, no mark is left`, async () => {
      const clock = new ManualClock();
      const began = clock.now();
      let tries = 0;
      const marks: unknown[] = [];
      const create = (): Promise<string> => {
        marks.push(server.namespaces.get("slurm")?.["create.slinky-stack.dev/slurm-auth"]);
        const refused = new ApiRefusal("create it", 403, "Forbidden");
        return ++tries <= refusals ? Promise.reject(refused) : Promise.resolve("created");
      };
      const arriving = { namespace: "slurm", name: "slurm-auth", annotations };
      const made = createAnnounced(api, arriving, create, clock);
      if (outcome === "created") assert.equal(await made, "created");
      else await assert.rejects(made, /403 Forbidden/);
      assert.ok(clock.now() - began < 5000, "a real refusal is told soon");
      assert.deepEqual([...new Set(marks)], ["7/0123456789ab"]);
      assert.deepEqual(server.namespaces.get("slurm"), {});
    });
  }

  it("no marks on the Secret => an empty announcement", () => {
    assert.equal(creationMark({}), "/");
    assert.equal(creationMark(annotations), "7/0123456789ab");
  });
});
