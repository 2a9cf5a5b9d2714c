import { strict as assert } from "node:assert";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { RotationStage } from "../support/rotationStage.ts";

/** Calls of a whole idle rotation of a cluster with so many nodes, by name. */
async function callsOf(nodes: number): Promise<Map<string, number>> {
  const stage = new RotationStage();
  while (stage.cluster.workers.length < nodes) {
    const { length } = stage.cluster.workers;
    stage.cluster.addWorker(length % 2 === 0 ? "compute" : "debug", length);
  }
  stage.cluster.settle();
  const knobs = new PortKnobs();
  const { outcome, journal, message } = await stage.update("next", { knobs });
  assert.equal(outcome, "completed", message);
  assert.equal(journal?.report.nodesDrained, nodes);
  const counts = new Map<string, number>();
  for (const name of knobs.calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

describe("calls of a rotation", () => {
  const filesOf = (counts: Map<string, number>): number => counts.get("probe.keyFile") ?? 0;
  const othersOf = (counts: Map<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0) - filesOf(counts);

  it("20, 200 and 2,000 nodes => the same number, but for four looks at each pod's file", async function () {
    this.timeout(60_000);
    const [few, many, most] = await Promise.all([20, 200, 2000].map(callsOf));
    assert.ok(few && many && most);
    assert.equal(othersOf(many), othersOf(few));
    assert.equal(othersOf(most), othersOf(few));
    // For the plan, the preconditions, the proof, and the plan again, which then is to do nothing.
    const [looks, otherPods] = [4, 4];
    for (const [counts, nodes] of [
      [few, 20],
      [many, 200],
      [most, 2000],
    ] as const) {
      assert.equal(filesOf(counts), looks * (nodes + otherPods));
    }
  });
});
