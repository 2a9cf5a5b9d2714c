import { strict as assert } from "node:assert";

import type { PodView } from "../../cli/kube.ts";
import { unreadyNodes, waitForNodes } from "../../cli/nodesReady.ts";
import type { NodesObserved } from "../../cli/nodesReady.ts";
import { parseNodes } from "../../cluster/slurmJson.ts";
import { workerPod } from "../fakes/fakePods.ts";
import { answer, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";
import { ManualClock } from "../fakes/manualClock.ts";

const nodeSets = { compute: { replicas: 2, partition: "compute" } };
const pods = [workerPod("compute", 0), workerPod("compute", 1)];
const seen = (records: readonly object[], some: readonly PodView[] = pods): NodesObserved => ({
  pods: some,
  nodes: parseNodes(answer({ nodes: records })),
});

describe("unreadyNodes", () => {
  const rows: readonly (readonly [string, NodesObserved, readonly string[]])[] = [
    [
      "one idle, one busy",
      seen([nodeRecord("compute-0"), nodeRecord("compute-1", { state: ["MIXED"] })]),
      [],
    ],
    ["one not registered", seen([nodeRecord("compute-0")]), ["compute-1 is not registered"]],
    [
      "one drained by someone",
      seen([
        nodeRecord("compute-0"),
        nodeRecord("compute-1", { state: ["IDLE", "DRAIN"], reason: "disk" }),
      ]),
      ['compute-1 is IDLE+DRAIN, reason "disk"'],
    ],
    [
      "a stale record of a node that was scaled away",
      seen([
        nodeRecord("compute-0"),
        nodeRecord("compute-1"),
        nodeRecord("compute-2", { state: ["DOWN"] }),
      ]),
      [],
    ],
    [
      "one pod missing",
      seen([nodeRecord("compute-0")], pods.slice(0, 1)),
      ["NodeSet compute has 1 of 2 pods"],
    ],
    [
      "one pod going away",
      seen(
        [nodeRecord("compute-0"), nodeRecord("compute-1")],
        [workerPod("compute", 0), workerPod("compute", 1, { phase: "Terminating" })],
      ),
      ["NodeSet compute has 1 of 2 pods"],
    ],
    [
      "a pod of another release",
      seen(
        [nodeRecord("compute-0")],
        [workerPod("compute", 0), workerPod("compute", 1, {}, "other")],
      ),
      ["NodeSet compute has 1 of 2 pods"],
    ],
  ];
  for (const [situation, observed, missing] of rows) {
    it(`${situation} => ${missing.join("; ") || "ready"}`, () => {
      assert.deepEqual(unreadyNodes("slurm", nodeSets, observed), missing);
    });
  }
});

describe("waitForNodes", () => {
  it("no answer at first, then all nodes => done", async () => {
    const looks = [
      () => Promise.reject(new Error("no controller pod")),
      () => Promise.resolve(seen([nodeRecord("compute-0")])),
      () => Promise.resolve(seen([nodeRecord("compute-0"), nodeRecord("compute-1")])),
    ];
    let count = 0;
    await waitForNodes({
      release: "slurm",
      nodeSets,
      deadlineSeconds: 60,
      clock: new ManualClock(),
      observe: () => (looks[count++] ?? assert.fail)(),
    });
    assert.equal(count, 3);
  });

  it("never ready => an error at the deadline that names the node", async () => {
    const clock = new ManualClock();
    const begun = clock.now();
    const observe = () => Promise.resolve(seen([nodeRecord("compute-0")]));
    await assert.rejects(
      waitForNodes({ release: "slurm", nodeSets, deadlineSeconds: 30, clock, observe }),
      /not all usable after 30 s: compute-1 is not registered/,
    );
    assert.ok(clock.now() - begun <= 30_000);
  });
});
