import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../../components/kind/lockFile.ts";
import type { Processes, ProcessIdentity } from "../../../components/kind/processes.ts";
import { ManualClock } from "../../fakes/manualClock.ts";

describe("withLock", () => {
  let folder: string;
  let path: string;
  let alive: Set<number>;
  let ended: number[];
  let clock: ManualClock;

  const processes: Processes = {
    identify: (pid) => ({ pid, startTicks: "1" }),
    isAlive: ({ pid }) => alive.has(pid),
    end: ({ pid }) => void ended.push(pid),
  };
  const run = <T>(work: Parameters<typeof withLock<T>>[3], waitMs = 10_000) =>
    withLock(path, clock.now() + waitMs, { clock, processes }, work);
  const heldBy = (holder: ProcessIdentity, child?: ProcessIdentity) =>
    writeFileSync(path, JSON.stringify({ holder, child }));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "lock-"));
    path = join(folder, "slinky.lock");
    alive = new Set([process.pid]);
    ended = [];
    clock = new ManualClock();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("free => held during the work, gone afterwards with all its drafts", async () => {
    const result = await run((lock) => {
      assert.ok(existsSync(path));
      lock.noteChild(77);
      return Promise.resolve("done");
    });
    assert.equal(result, "done");
    assert.deepEqual(readdirSync(folder), []);
  });

  it("the work fails => released, the failure goes on", async () => {
    await assert.rejects(
      run(() => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it("a child is noted => in the file, so that another run can end it", async () => {
    await run(async (lock) => {
      lock.noteChild(77);
      while (!readFileSync(path, "utf8").includes("77")) await new Promise(setImmediate);
    });
  });

  it("held by a living process => waits, then fails with its pid", async () => {
    alive.add(4242);
    heldBy({ pid: 4242 });
    await assert.rejects(
      run(() => Promise.resolve()),
      /pid 4242.* did not end in time/,
    );
    assert.ok(existsSync(path));
  });

  it("held by a living process that ends => waits and takes it", async () => {
    alive.add(4242);
    heldBy({ pid: 4242 });
    const start = clock.now();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (ms) => {
      await sleep(ms);
      if (clock.now() - start >= 2000) rmSync(path, { force: true });
    };
    assert.equal(await run(() => Promise.resolve("mine")), "mine");
  });

  it("held by a dead process => taken over at once, its child ended", async () => {
    heldBy({ pid: 4242 }, { pid: 4243, startTicks: "5" });
    const start = clock.now();
    assert.equal(await run(() => Promise.resolve("mine")), "mine");
    assert.equal(clock.now(), start);
    assert.deepEqual(ended, [4243]);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("several runs at once => one after the other", async () => {
    let inside = 0;
    const realWait = new ManualClock();
    realWait.sleep = () => new Promise((resolve) => setImmediate(resolve));
    const edges = { clock: realWait, processes };
    const work = async () => {
      assert.equal(++inside, 1);
      await new Promise(setImmediate);
      inside--;
    };
    const runs = Array.from({ length: 20 }, () => withLock(path, Infinity, edges, work));
    await Promise.all(runs);
    assert.deepEqual(readdirSync(folder), []);
  });
});
