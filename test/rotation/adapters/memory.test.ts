import { strict as assert } from "node:assert";
import type { CoordinationV1Api, CoreV1Api, V1ConfigMap, V1Lease } from "@kubernetes/client-node";
import { journalStore, parseJournal } from "../../../rotation/adapters/journalStore.ts";
import { leasePort } from "../../../rotation/adapters/lease.ts";
import { newJournal } from "../../../rotation/journalKeeper.ts";
import { LeaseHeld, LeaseLost, PassingFailure } from "../../../rotation/ports.ts";
import { FakeVersionedObjects } from "../../fakes/fakeVersionedObjects.ts";
import { ManualClock } from "../../fakes/manualClock.ts";

describe("journalStore", () => {
  const journal = newJournal({ from: "a", to: "b", generation: 2 }, new Date(0));
  let maps: FakeVersionedObjects<V1ConfigMap>;
  const open = () =>
    journalStore(
      {
        readNamespacedConfigMap: maps.read,
        createNamespacedConfigMap: maps.create,
        replaceNamespacedConfigMap: maps.replace,
      } as unknown as CoreV1Api,
      "slurm",
    );

  beforeEach(() => {
    maps = new FakeVersionedObjects();
  });

  it("written => read back the same by another process", async () => {
    const store = open();
    assert.equal(await store.read(), undefined);
    await store.write(journal);
    await store.write({ ...journal, step: "drain" });
    assert.deepEqual(await open().read(), { ...journal, step: "drain" });
  });

  it("another process has written since => LeaseLost, its journal stays", async () => {
    const [mine, other] = [open(), open()];
    await mine.read();
    await mine.write(journal);
    await other.read();
    await other.write({ ...journal, step: "swap" });
    await assert.rejects(mine.write({ ...journal, step: "drain" }), LeaseLost);
    assert.equal((await open().read())?.step, "swap");
  });

  it("the answer to a write is lost, the write is repeated => taken for our own", async () => {
    const store = open();
    await store.read();
    await store.write(journal);
    maps.losesAnswerWith = 500;
    await assert.rejects(store.write({ ...journal, step: "drain" }), PassingFailure);
    await store.write({ ...journal, step: "drain" });
    await store.write({ ...journal, step: "swap" });
    assert.equal((await open().read())?.step, "swap");
  });

  for (const text of ["", "{}", "[1]", '{"schemaVersion":2,"from":"a","to":"b","step":"drain"}']) {
    it(`a journal that says ${text || "nothing"} => an error, never a guess`, () => {
      assert.throws(() => parseJournal(text, "here"), /no journal that this version can read/);
    });
  }
});

describe("leasePort", () => {
  let leases: FakeVersionedObjects<V1Lease>;
  let clock: ManualClock;
  const open = () =>
    leasePort(
      {
        readNamespacedLease: leases.read,
        createNamespacedLease: leases.create,
        replaceNamespacedLease: leases.replace,
      } as unknown as CoordinationV1Api,
      "slurm",
      clock,
    );

  beforeEach(() => {
    leases = new FakeVersionedObjects();
    clock = new ManualClock();
  });

  it("free, released or never made => taken, and the transitions are counted", async () => {
    const first = open();
    await first.acquire();
    await first.release();
    await open().acquire();
    const [lease] = leases.objects.values();
    assert.equal(lease?.spec?.leaseTransitions, 3);
  });

  it("a holder that renews => LeaseHeld with its name and since when", async () => {
    const holder = open();
    await holder.acquire();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (milliseconds) => {
      await sleep(milliseconds);
      await holder.check();
    };
    await assert.rejects(open().acquire(), (error: Error) => {
      assert.ok(error instanceof LeaseHeld);
      assert.match(error.message, new RegExp(`/${process.pid}/.* holds Lease .* since 2026-01-01`));
      return true;
    });
  });

  it("a holder that is dead => taken over after its time; the dead one finds out before it writes", async () => {
    const dead = open();
    await dead.acquire();
    const before = clock.now();
    const next = open();
    await next.acquire();
    assert.ok(clock.now() - before >= 30_000);
    await assert.rejects(dead.check(), LeaseLost);
    await next.check();
    await dead.release();
    await next.check();
  });

  it("a holder that is dead for long => taken over at once", async () => {
    await open().acquire();
    await clock.sleep(91_000);
    const before = clock.now();
    await open().acquire();
    assert.equal(clock.now(), before);
  });

  it("two take a dead Lease at once => one of them", async () => {
    await open().acquire();
    await clock.sleep(91_000);
    const results = await Promise.allSettled([open().acquire(), open().acquire()]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });

  it("the answer to a renewal is lost => still ours", async () => {
    const mine = open();
    await mine.acquire();
    leases.losesAnswerWith = 500;
    await assert.rejects(mine.check(), PassingFailure);
    await mine.check();
  });
});
