import { strict as assert } from "node:assert";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { keys, metadata, newPrint, oldPrint, RotationStage } from "../support/rotationStage.ts";

describe("drained rotation", () => {
  it("idle cluster => completed, a report, nothing left over", async () => {
    const stage = new RotationStage();
    const { outcome, journal } = await stage.update();
    assert.equal(outcome, "completed");
    assert.deepEqual(stage.fingerprints(), [newPrint]);
    assert.deepEqual(stage.leftovers(), []);
    assert.equal(journal?.generation, 4);
    assert.equal(journal.report.nodesDrained, 3);
    assert.ok(journal.report.outageSeconds > 5);
    assert.deepEqual(Object.keys(journal.report.stepSeconds), [
      ...["check-preconditions", "stage-key", "drain", "quiesce", "swap", "restore"],
      ...["verify", "resume", "retire-old-key"],
    ]);
  });

  it("the order => the workers' last words are heard, slurmctld starts once, the operator after slurmrestd", async () => {
    const stage = new RotationStage();
    const scaled: string[] = [];
    const controllers = new Set<string>();
    const knobs = new PortKnobs();
    knobs.watch = (name, [id, replicas]) => {
      if (name === "workloads.scale")
        scaled.push(`${String(id).split("-").at(-1)} ${String(replicas)}`);
      for (const { component, uid } of stage.cluster.pods) {
        if (component === "controller") controllers.add(uid);
      }
    };
    const { outcome, journal } = await stage.update("next", { knobs });
    assert.equal(outcome, "completed");
    assert.deepEqual(scaled, [
      ...["operator 0", "restapi 0", "login 0", "controller 0", "accounting 0"],
      ...["controller 1", "accounting 1", "restapi 1", "login 1", "operator 1"],
    ]);
    assert.equal(controllers.size, 2, "the one before and the one after");
    const { quiesce = 0, restore = 0 } = journal?.report.stepSeconds ?? {};
    assert.ok(quiesce < 30, `no worker waited for its grace period to end: ${quiesce} s`);
    assert.ok(restore < 30, `the operator saw slurmrestd at its first look: ${restore} s`);
  });

  it("an operator that hashes the key in another way => it starts slurmctld itself; completed", async () => {
    const stage = new RotationStage();
    stage.cluster.hashAlgorithm = "sha1";
    stage.cluster.settle();
    const scaled: unknown[] = [];
    const knobs = new PortKnobs();
    knobs.watch = (name, [id, replicas]) => {
      if (name === "workloads.scale" && replicas !== 0) scaled.push(id);
    };
    const { outcome, message } = await stage.update("next", { knobs });
    assert.equal(outcome, "completed", message);
    assert.deepEqual(scaled, ["slinky/deployment/slurm-operator"]);
    assert.deepEqual(stage.leftovers(), []);
  });

  it("R03: the same key again => not one write", async () => {
    const stage = new RotationStage();
    assert.equal((await stage.update("old")).outcome, "completed");
    const writes = /create|remove|scale|deletePod|update|set|release$|submit|write/;
    const made = stage.knobs.calls.filter(
      (name) => writes.test(name) && !/^lease|isSet/.test(name),
    );
    assert.deepEqual(made, []);
  });

  it("jobs run and wait => all end COMPLETED, in order, none killed", async () => {
    const stage = new RotationStage();
    const { cluster } = stage;
    const running = cluster.submit({ count: 2, seconds: 90 });
    for (let second = 0; second < 3; second++)
      void stage.clock.sleep(1000).then(() => cluster.advance());
    await stage.clock.sleep(1000);
    cluster.advance();
    assert.equal(running.state, "RUNNING");
    const waiting = [1, 2, 3, 4, 5].map(() => cluster.submit({ count: 3, seconds: 4 }));
    const { outcome } = await stage.update();
    assert.equal(outcome, "completed");
    cluster.settle();
    for (const job of [running, ...waiting]) {
      assert.equal(job.state, "COMPLETED");
      assert.equal(job.kills, 0);
    }
    const ends = waiting.map(({ endsAt }) => endsAt);
    assert.deepEqual(ends, [...ends].sort());
    const canaries = cluster.jobs.filter(({ inReservation }) => inReservation);
    const firstWaiting = Math.min(...ends) - 4000;
    assert.ok(
      canaries.every(({ endsAt }) => endsAt <= firstWaiting),
      "canaries before user jobs",
    );
  });

  it("R09: nodes that others took out => the same state and reason, byte by byte, either way", async () => {
    const reason = 'bad DIMM, "ticket 7", Zürich ✓';
    for (const isForced of [false, true]) {
      const stage = new RotationStage();
      const { cluster } = stage;
      for (const [name, fields] of [
        ["compute-1", { drain: true, reason }],
        ["debug-0", { down: true, reason: "no power" }],
      ] as const) {
        Object.assign(cluster.nodes.get(name) ?? {}, fields);
      }
      const knobs = new PortKnobs();
      const named: string[] = [];
      knobs.watch = (name, [nodes, change]) => {
        const isResume = (change as { to?: string } | undefined)?.to === "resume";
        if (name === "slurm.update" && isResume) named.push(...(nodes as string[]));
      };
      knobs.fail = (name) => {
        const isForward = stage.memory.journal?.direction === "forward";
        return isForced && isForward && name === "canary.submit" ? new Error("forced") : undefined;
      };
      const { outcome, message, journal } = await stage.update("next", { knobs });
      assert.equal(outcome, isForced ? "rolledBack" : "completed", message);
      const { drain, reason: kept } = cluster.nodes.get("compute-1") ?? {};
      assert.deepEqual({ drain, kept }, { drain: true, kept: reason });
      const { down, reason: power } = cluster.nodes.get("debug-0") ?? {};
      assert.deepEqual({ down, power }, { down: true, power: "no power" });
      assert.deepEqual([...new Set(named)], ["compute-0"]);
      assert.deepEqual(journal?.report.untestedNodeSets, ["debug"]);
      assert.deepEqual(stage.leftovers(), []);
    }
  });

  it("R09: a node that an admin drains meanwhile => stays drained with that reason", async () => {
    const stage = new RotationStage();
    const knobs = new PortKnobs();
    knobs.watch = () => {
      const { step, status } = stage.memory.journal ?? {};
      const node = stage.cluster.nodes.get("compute-1");
      if (step === "drain" && status === "done" && node?.drain) node.reason = "fan failure";
    };
    assert.equal((await stage.update("next", { knobs })).outcome, "completed");
    const { drain, reason } = stage.cluster.nodes.get("compute-1") ?? {};
    assert.deepEqual({ drain, reason }, { drain: true, reason: "fan failure" });
  });

  it("R26: labels, annotations, owners and other entries => as before", async () => {
    const stage = new RotationStage();
    await stage.update();
    const live = stage.cluster.secrets.get("slurm-auth");
    assert.deepEqual(live?.labels, metadata.labels);
    assert.deepEqual(live.ownerReferences, metadata.ownerReferences);
    assert.deepEqual(live.annotations, {
      ...metadata.annotations,
      "slinky-stack.dev/key-generation": "4",
      "slinky-stack.dev/key-fingerprint": newPrint,
    });
    assert.deepEqual(live.data["ca.pem"], Buffer.from("other entry"));
    assert.notEqual(live.uid, "live-1");
  });

  it("a node joins while we drain => drained, measured and resumed too", async () => {
    const stage = new RotationStage();
    stage.cluster.submit({ only: "compute-0", seconds: 60 });
    stage.cluster.advance();
    await stage.clock.sleep(2000);
    stage.cluster.advance();
    const knobs = new PortKnobs();
    knobs.watch = (name) => {
      const isDraining = stage.memory.journal?.step === "drain";
      if (isDraining && name === "slurm.jobs" && stage.cluster.workers.length === 3) {
        stage.cluster.addWorker("compute", 2);
      }
    };
    const { outcome, journal, message } = await stage.update("next", { knobs });
    assert.equal(outcome, "completed", message);
    assert.deepEqual(journal?.drained, ["compute-0", "compute-1", "debug-0", "compute-2"]);
    assert.deepEqual(stage.leftovers(), []);
  });

  it("interrupted at every moment => whole at once, or a journal that goes on", async () => {
    for (let at = 3; at < 240; at += 3) {
      const stage = new RotationStage();
      const abort = new AbortController();
      const knobs = new PortKnobs();
      knobs.watch = () => void (knobs.calls.length === at && abort.abort());
      const { outcome, message } = await stage.update("next", { knobs, signal: abort.signal });
      assert.ok(["rolledBack", "completed"].includes(outcome), `call ${at}: ${outcome} ${message}`);
      assert.equal(stage.fingerprints().length, 1, `call ${at}`);
      assert.deepEqual(stage.leftovers(), [], `call ${at}`);
    }
  });

  it("another process rotates => refused, naming it; a dead one's Lease => taken over", async () => {
    const stage = new RotationStage();
    const other = new PortKnobs();
    stage.memory.leaseHolder = other;
    const { outcome, message } = await stage.update();
    assert.equal(outcome, "refused");
    assert.match(message, /held by another run/);
    assert.deepEqual(stage.knobs.calls, ["lease.acquire"]);
    other.isDead = true;
    assert.equal((await stage.update()).outcome, "completed");
  });

  it("the Lease is taken over meanwhile => stops at once, the other one ends it", async () => {
    const stage = new RotationStage();
    const knobs = new PortKnobs();
    const thief = new PortKnobs();
    knobs.watch = (name) => {
      if (name === "workloads.deletePods") stage.memory.leaseHolder = thief;
    };
    const { outcome } = await stage.update("next", { knobs });
    assert.equal(outcome, "needsHuman");
    const after = knobs.calls.slice(knobs.calls.indexOf("workloads.deletePods") + 1);
    assert.ok(
      !after.some((name) => /scale|create|remove|update|journals.write/.test(name)),
      "no write",
    );
    stage.memory.leaseHolder = thief;
    thief.isDead = true;
    assert.equal((await stage.update()).outcome, "completed");
    assert.deepEqual(stage.leftovers(), []);
  });

  it("R01: pods on a stale key, the Secret right => restarted under drain, no new generation", async () => {
    const stage = new RotationStage();
    for (const pod of stage.cluster.pods.filter(({ component }) => component === "login"))
      pod.key = keys.next;
    const { outcome, journal, message } = await stage.update("old");
    assert.equal(outcome, "completed", message);
    assert.equal(journal?.generation, 3);
    assert.deepEqual(stage.fingerprints(), [oldPrint]);
    assert.deepEqual(stage.leftovers(), []);
  });

  it("traces of a dead rotation without a journal => tidied up", async () => {
    const stage = new RotationStage();
    stage.cluster.isHeld = true;
    Object.assign(stage.cluster.nodes.get("debug-0") ?? {}, {
      drain: true,
      reason: "auth-key-rotation:2",
    });
    assert.equal((await stage.update("old")).outcome, "completed");
    assert.deepEqual(stage.leftovers(), []);
  });
});
