import { strict as assert } from "node:assert";
import { fingerprint } from "../../rotation/authKey.ts";
import { ClusterUnreachable, PassingFailure } from "../../rotation/ports.ts";
import type { RotationResult } from "../../rotation/rotate.ts";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { newPrint, oldPrint, RotationStage, settings } from "../support/rotationStage.ts";

/** All-old, all-new, or a needsHuman that says where it stands; nothing of ours left in the first two. */
function assertWhole(stage: RotationStage, result: RotationResult, what: string): void {
  const journal = JSON.stringify(stage.memory.journal ?? null);
  if (result.outcome === "needsHuman") {
    assert.match(result.message, /To do: /, what);
    assert.match(result.message, /run pulumi up/, what);
    return;
  }
  assert.equal(stage.fingerprints().length, 1, `${what}: ${result.outcome} ${journal}`);
  const expected = result.outcome === "completed" ? newPrint : oldPrint;
  assert.deepEqual(stage.fingerprints(), [expected], `${what}: ${result.message}`);
  assert.deepEqual(stage.leftovers(), [], `${what}: ${result.message}`);
  assert.ok(
    stage.cluster.jobs.every(({ kills }) => kills === 0),
    `${what}: no job was killed`,
  );
}

const isNewLive = (stage: RotationStage): boolean => {
  const live = stage.cluster.liveKey();
  return live !== undefined && fingerprint(live) === newPrint;
};

async function callsOfARotation(): Promise<string[]> {
  const stage = new RotationStage();
  await stage.update();
  return stage.knobs.calls;
}

describe("fault matrix", function () {
  this.timeout(120_000);

  for (const [fault, error] of [
    ["a 500", () => new PassingFailure("500 InternalError")],
    ["a 409", () => new PassingFailure("409 Conflict")],
    ["an error that stays unexplained", () => new Error("something else")],
  ] as const) {
    it(`any one call answers with ${fault} => whole`, async () => {
      const calls = await callsOfARotation();
      for (let at = 2; at < calls.length; at++) {
        const stage = new RotationStage();
        const knobs = new PortKnobs();
        knobs.fail = () => (knobs.calls.length === at ? error() : undefined);
        const what = `call ${at} ${calls[at - 1]}`;
        let result: RotationResult;
        try {
          result = await stage.update("next", { knobs });
        } catch {
          result = await stage.update("next");
        }
        assertWhole(stage, result, what);
        if (result.outcome === "needsHuman") {
          assertWhole(stage, await stage.update("next"), `${what}, again`);
          assert.deepEqual(stage.leftovers(), [], what);
        }
      }
    });
  }

  it("the API server away for 30 s from any call on => completed", async () => {
    const calls = await callsOfARotation();
    for (let at = 2; at < calls.length; at++) {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      let until = 0;
      knobs.fail = () => {
        if (knobs.calls.length === at) until = stage.clock.now() + 30_000;
        return stage.clock.now() < until ? new ClusterUnreachable("no answer") : undefined;
      };
      const result = await stage.update("next", { knobs });
      assert.equal(result.outcome, "completed", `call ${at} ${calls[at - 1]}: ${result.message}`);
      assertWhole(stage, result, `call ${at}`);
    }
  });

  it("every step fails for good with the new key => rolled back, the way there is no stronger", async () => {
    const calls = [...new Set(await callsOfARotation())].filter(
      (name) => !/lease|journal/.test(name),
    );
    for (const name of calls) {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      knobs.fail = (called) => {
        const step = stage.memory.journal;
        const isForward = step?.direction === "forward" && !step.outcome;
        return isForward && called === name ? new Error(`forced at ${name}`) : undefined;
      };
      const result = await stage.update("next", { knobs });
      assert.notEqual(result.outcome, "completed", name);
      if (/hold.release|secrets.staged|probe.end/.test(name)) {
        assert.equal(result.outcome, "needsHuman", `${name} fails after the way back is closed`);
        assert.equal((await stage.update("next")).outcome, "completed", name);
      } else
        assert.ok(["rolledBack", "refused"].includes(result.outcome), `${name}: ${result.message}`);
      assert.deepEqual(stage.leftovers(), [], `${name}: ${result.message}`);
    }
  });

  it("and undo fails once there too => needsHuman with the state; the next update ends it", async () => {
    const calls = [...new Set(await callsOfARotation())].filter(
      (name) => !/lease|journal/.test(name),
    );
    for (const name of calls) {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      knobs.fail = (called) =>
        called === name && isNewLive(stage) ? new Error(`forced at ${name}`) : undefined;
      const result = await stage.update("next", { knobs });
      assertWhole(stage, result, name);
      if (result.outcome !== "needsHuman") continue;
      const again = await stage.update("next");
      assert.notEqual(again.outcome, "needsHuman", `${name}: ${again.message}`);
      assertWhole(stage, again, `${name}, again`);
    }
  });

  it("R01: a kubelet serves the old key from its cache => seen, named, rolled back", async () => {
    const stage = new RotationStage();
    stage.cluster.hiddenReference = true;
    const result = await stage.update();
    assert.equal(result.outcome, "rolledBack", result.message);
    assert.match(result.message, /slurm-controller-0@n1 \([0-9a-f]{12}\).*cached Secret/);
    assertWhole(stage, result, "R01");
  });

  for (const broken of ["controller", "slurm-worker-compute-1", "restapi", "login", "accounting"]) {
    it(`${broken} never comes up with the new key => rolled back`, async () => {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      knobs.watch = () => {
        if (isNewLive(stage)) stage.cluster.broken.add(broken);
        else stage.cluster.broken.delete(broken);
      };
      const result = await stage.update("next", { knobs });
      assert.equal(result.outcome, "rolledBack", result.message);
      assertWhole(stage, result, broken);
    });

    it(`${broken} never comes up again at all => needsHuman; once it does, the next update ends it`, async () => {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      knobs.watch = () => void (isNewLive(stage) && stage.cluster.broken.add(broken));
      const result = await stage.update("next", { knobs });
      assert.equal(result.outcome, "needsHuman");
      assert.match(result.message, new RegExp(`The Secret carries key ${oldPrint}`));
      assert.match(result.message, /finishes the rollback to key/);
      assert.ok(stage.cluster.isHeld, "no user job starts on an unproved cluster");
      stage.cluster.broken.clear();
      assertWhole(stage, await stage.update("next"), broken);
      assert.deepEqual(stage.leftovers(), []);
    });
  }

  it("a pod that never ends => needsHuman that names it; once it has ended, rolled back", async () => {
    const stage = new RotationStage();
    stage.cluster.stuck.add("slurm-worker-compute-0");
    const result = await stage.update();
    assert.equal(result.outcome, "needsHuman");
    assert.match(result.message, /slurm-worker-compute-0@n1 \(terminating\)/);
    assert.equal(
      stage.cluster.liveKey(),
      stage.cluster.secrets.get("slurm-auth")?.data["slurm.key"],
    );
    stage.cluster.stuck.clear();
    stage.cluster.pods = stage.cluster.pods.filter(({ goneAt }) => goneAt === undefined);
    const again = await stage.update("next");
    assert.equal(again.outcome, "rolledBack", again.message);
    assertWhole(stage, again, "after the pod");
  });

  it("somebody scales the operator up once => completed; again and again => rolled back", async () => {
    for (const [times, outcome] of [
      [1, "completed"],
      [100, "rolledBack"],
    ] as const) {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      let done = 0;
      knobs.watch = (name) => {
        const isQuiescing = stage.memory.journal?.step === "quiesce";
        const isDown = stage.cluster.sizes.get("operator") === 0;
        if (isQuiescing && isDown && name === "workloads.workloads" && done < times) {
          done++;
          stage.cluster.sizes.set("operator", 1);
        }
      };
      const result = await stage.update("next", { knobs });
      assert.equal(result.outcome, outcome, result.message);
      if (outcome === "rolledBack") assert.match(result.message, /pause what does it/);
      assertWhole(stage, result, `${times} times`);
    }
  });

  it("another key appears in the Secret while nobody runs => needsHuman that names it", async () => {
    const stage = new RotationStage();
    const knobs = new PortKnobs();
    knobs.watch = () => {
      const live = stage.cluster.secrets.get("slurm-auth");
      if (live && isNewLive(stage)) {
        stage.cluster.secrets.set("slurm-auth", {
          ...live,
          data: { "slurm.key": Buffer.from("foreign") },
        });
      }
    };
    const result = await stage.update("next", { knobs });
    assert.equal(result.outcome, "needsHuman");
    const again = await stage.update("next");
    assert.equal(again.outcome, "refused");
    assert.match(again.message, /neither key of the unfinished rotation/);
  });

  it("R10: the drain deadline passes => rolled back, nothing swapped, the jobs are named", async () => {
    const stage = new RotationStage();
    stage.cluster.submit({ seconds: 1_000_000 });
    stage.cluster.settle();
    const result = await stage.update();
    assert.equal(result.outcome, "rolledBack");
    assert.match(result.message, /job 1 RUNNING on compute-0/);
    assert.ok(
      !stage.knobs.calls.some(
        (name) => /deletePod|scale|secrets.remove$/.test(name) && name !== "secrets.remove",
      ),
    );
    assertWhole(stage, result, "R10");
  });

  it("R10: the deadline passes and requeue is allowed => completed, the job runs again", async () => {
    const stage = new RotationStage();
    const job = stage.cluster.submit({ seconds: 5000 });
    stage.cluster.settle();
    const result = await stage.update("next", {
      settings: { ...settings, onDrainTimeout: "requeue" },
    });
    assert.equal(result.outcome, "completed", result.message);
    assert.equal(result.journal?.report.jobsRequeued, 1);
    stage.cluster.settle();
    assert.equal(job.state, "RUNNING");
  });
});
