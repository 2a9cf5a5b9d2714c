import { strict as assert } from "node:assert";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { RotationStage } from "../support/rotationStage.ts";

const lost = "slurm-worker-compute-1";

describe("a Kubernetes node is lost", () => {
  for (const step of ["drain", "quiesce", "restore", "verify", "resume"] as const) {
    it(`during ${step} => proved without it, or needsHuman that names it; whole once it is back`, async () => {
      const stage = new RotationStage();
      const { cluster } = stage;
      const knobs = new PortKnobs();
      knobs.watch = () => {
        if (stage.memory.journal?.step !== step || cluster.broken.has(lost)) return;
        cluster.broken.add(lost);
        cluster.pods = cluster.pods.filter(({ name }) => name !== lost);
      };
      const { outcome, message } = await stage.update("next", { knobs });
      assert.ok(cluster.broken.has(lost));
      if (outcome === "needsHuman") {
        assert.match(message, /compute-1/);
        assert.match(message, /The queue is held/);
        assert.ok(cluster.isHeld, "no user job starts on an unproved cluster");
      } else {
        assert.ok(["completed", "rolledBack"].includes(outcome), message);
        assert.ok(!cluster.isHeld);
      }
      cluster.broken.clear();
      cluster.settle();
      const again = await stage.update("next");
      assert.ok(["completed", "rolledBack"].includes(again.outcome), again.message);
      assert.equal(stage.fingerprints().length, 1);
      assert.deepEqual(stage.leftovers(), []);
    });
  }
});
