import { strict as assert } from "node:assert";
import { KubeApiError } from "../../../lab/operator/kube/client.ts";
import { dependents } from "../../../lab/operator/events.ts";
import type { CustomResource } from "../../../lab/operator/crds.ts";
import { LeaderLease } from "../../../lab/operator/kube/lease.ts";
import type { KubeObject, ObjectRef } from "../../../lab/operator/kube/object.ts";
import { backoffSeconds, WorkQueue, type Timers } from "../../../lab/operator/workQueue.ts";
import { secret, START_MS } from "./cluster.ts";
import { FakeKube } from "./fakeKube.ts";
import { recordedObject } from "./recordedObject.ts";

const ref: ObjectRef = { kind: "NodeSet", namespace: "slurm", name: "n" };

/** Timers fired by hand; `delays` are the seconds asked for. */
class ManualTimers implements Timers {
  readonly delays: number[] = [];
  #callback: (() => void) | undefined;

  set(callback: () => void, seconds: number): ReturnType<typeof setTimeout> {
    this.delays.push(seconds);
    this.#callback = callback;
    return undefined as unknown as ReturnType<typeof setTimeout>;
  }

  clear(): void {
    this.#callback = undefined;
  }

  async fire(): Promise<void> {
    const callback = this.#callback;
    this.#callback = undefined;
    callback?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("work queue", () => {
  it("failures => tried again after 1, 2, 4, 8, 16, 30, 30 s", () => {
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(backoffSeconds), [1, 2, 4, 8, 16, 30, 30]);
  });

  it("failing, then succeeding handler => back-off, then the handler's own interval", async () => {
    const timers = new ManualTimers();
    const results: (number | Error)[] = [new Error("no slurmrestd"), new Error("no"), 30];
    const logged: string[] = [];
    const queue = new WorkQueue(
      () => {
        const result = results.shift();
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
      (text) => logged.push(text),
      timers,
    );
    queue.add(ref);
    await timers.fire();
    await timers.fire();
    await timers.fire();
    assert.deepEqual(timers.delays, [0, 1, 2, 30]);
    assert.match(logged[0] ?? "", /NodeSet slurm\/n: no slurmrestd; next try in 1 s/);
  });

  it("event during a run => one more run, not two at a time", async () => {
    const timers = new ManualTimers();
    let running = 0;
    let most = 0;
    let runs = 0;
    const queue: WorkQueue = new WorkQueue(
      async () => {
        most = Math.max(most, ++running);
        if (++runs === 1) {
          queue.add(ref);
          queue.add(ref);
        }
        await Promise.resolve();
        running -= 1;
        return undefined;
      },
      () => undefined,
      timers,
    );
    queue.add(ref);
    await timers.fire();
    await timers.fire();
    await timers.fire();
    assert.deepEqual([runs, most], [2, 1]);
  });
});

describe("leader election", () => {
  it("Lease held by a live process => not taken; expired or released => taken", async () => {
    const api = new FakeKube();
    let now = START_MS;
    const clock = (): number => now;
    const first = new LeaderLease(api, "slinky", "lease", "a", clock);
    const second = new LeaderLease(api, "slinky", "lease", "b", clock);
    assert.equal(await first.tryAcquire(), true);
    assert.equal(await second.tryAcquire(), false);
    now += 16_000;
    assert.equal(await second.tryAcquire(), true);
    assert.equal(await first.tryAcquire(), false);
    await first.release();
    assert.equal(await first.tryAcquire(), false);
    await second.release();
    assert.equal(await first.tryAcquire(), true);
  });

  it("two processes write at once => the loser does not lead", async () => {
    const api = new FakeKube();
    api.create = () => Promise.reject(new KubeApiError(409, "exists"));
    const lease = new LeaderLease(api, "slinky", "lease", "a", () => START_MS);
    assert.equal(await lease.tryAcquire(), false);
  });
});

describe("dependents", () => {
  const all = [
    ["Controller", "slurm"],
    ["Accounting", "slurm"],
    ["RestApi", "slurm"],
    ["LoginSet", "slurm-login-login"],
    ["NodeSet", "slurm-worker-compute"],
  ].map(([kind = "", name = ""]) => recordedObject<CustomResource>(kind, name));

  function kinds(object: KubeObject): string[] {
    return [...new Set(dependents(object, all).map(({ kind }) => kind))].sort();
  }

  it("key Secrets => Controller and Accounting", () => {
    assert.deepEqual(kinds(secret("slurm-auth", {})), ["Accounting", "Controller"]);
    assert.deepEqual(kinds(secret("slurm-jwt", {})), ["Accounting", "Controller"]);
    assert.deepEqual(kinds(secret("unrelated", {})), []);
  });

  it("Secret of the same name in another namespace => nobody", () => {
    const other = secret("slurm-auth", {});
    other.metadata.namespace = "other";
    assert.deepEqual(kinds(other), []);
  });

  it("owned StatefulSet, Controller, NodeSet, RestApi => their owners and dependents", () => {
    assert.deepEqual(kinds(recordedObject("StatefulSet", "slurm-controller")), ["Controller"]);
    assert.deepEqual(kinds(recordedObject("Pod", "slurm-worker-compute-0")), ["NodeSet"]);
    assert.deepEqual(kinds(recordedObject("Controller", "slurm")), [
      "Controller",
      "LoginSet",
      "NodeSet",
      "RestApi",
    ]);
    assert.deepEqual(kinds(recordedObject("NodeSet", "slurm-worker-compute")), [
      "Controller",
      "NodeSet",
    ]);
    assert.deepEqual(kinds(recordedObject("RestApi", "slurm")), ["NodeSet", "RestApi"]);
  });
});
