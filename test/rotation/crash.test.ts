import { strict as assert } from "node:assert";
import { fingerprint } from "../../rotation/authKey.ts";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { metadata, newPrint, oldPrint, RotationStage } from "../support/rotationStage.ts";

/** Calls of a rotation that nothing disturbs. */
async function callsOfARotation(): Promise<string[]> {
  const stage = new RotationStage();
  await stage.update();
  return stage.knobs.calls;
}

/** R07: at every call there is the live Secret or a staged copy of a key. */
function watchKeys(stage: RotationStage): PortKnobs {
  const knobs = new PortKnobs();
  knobs.watch = () => {
    const keys = [...stage.cluster.secrets.values()].map((each) => each.data["slurm.key"]);
    assert.ok(
      keys.some((key) => key && [oldPrint, newPrint].includes(fingerprint(key))),
      "a key is in the cluster",
    );
  };
  return knobs;
}

async function crashed(at: number, when: "before" | "after"): Promise<RotationStage> {
  const stage = new RotationStage();
  const knobs = watchKeys(stage);
  knobs.crash = { at, when };
  await stage.update("next", { knobs });
  for (let second = 0; second < 20; second++) {
    await stage.clock.sleep(1000);
    stage.cluster.advance();
  }
  return stage;
}

describe("R07: killed at any call", function () {
  this.timeout(120_000);

  for (const when of ["before", "after"] as const) {
    it(`${when} each call, then the same update => all-new, nothing left over`, async () => {
      const calls = await callsOfARotation();
      for (let at = 1; at <= calls.length; at++) {
        const stage = await crashed(at, when);
        const what = `call ${at} ${calls[at - 1]}`;
        const result = await stage.update("next", { knobs: watchKeys(stage) });
        assert.equal(result.outcome, "completed", `${what}: ${result.message}`);
        assert.deepEqual(stage.fingerprints(), [newPrint], what);
        assert.deepEqual(stage.leftovers(), [], what);
        const live = stage.cluster.secrets.get("slurm-auth");
        assert.equal(live?.immutable, true);
        assert.deepEqual(live.labels, metadata.labels, what);
        assert.equal(live.annotations["slinky-stack.dev/key-generation"], "4", what);
      }
    });

    it(`${when} each call, then the old seed => all-old, nothing left over`, async () => {
      const calls = await callsOfARotation();
      for (let at = 1; at <= calls.length; at++) {
        const stage = await crashed(at, when);
        const what = `call ${at} ${calls[at - 1]}`;
        const result = await stage.update("old");
        assert.notEqual(result.outcome, "needsHuman", `${what}: ${result.message}`);
        assert.deepEqual(stage.fingerprints(), [oldPrint], `${what}: ${result.message}`);
        assert.deepEqual(stage.leftovers(), [], what);
      }
    });
  }

  it("killed in the rollback at any call => the next update finishes the rollback", async () => {
    let at = 1;
    for (; ; at++) {
      const stage = new RotationStage();
      const knobs = watchKeys(stage);
      knobs.fail = (name) => {
        const live = stage.cluster.liveKey();
        if (name !== "probe.clientCall" || !live || fingerprint(live) !== newPrint)
          return undefined;
        return new Error("forced");
      };
      const watch = knobs.watch;
      knobs.watch = (name, words) => {
        watch(name, words);
        const isBack = stage.memory.journal?.direction === "back";
        if (isBack && !knobs.crash) knobs.crash = { at: knobs.calls.length + at, when: "after" };
      };
      await stage.update("next", { knobs });
      if (!knobs.isDead) break;
      const what = `call ${at} of the rollback, ${knobs.calls.at(-1)}`;
      const result = await stage.update(at % 2 ? "old" : "next");
      assert.equal(result.outcome, "rolledBack", `${what}: ${result.message}`);
      assert.deepEqual(stage.fingerprints(), [oldPrint], `${what}: ${result.message}`);
      assert.deepEqual(stage.leftovers(), [], what);
    }
    assert.ok(at > 60, `${at} calls`);
  });
});
