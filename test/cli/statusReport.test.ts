import { strict as assert } from "node:assert";

import { renderStatus, toStatusReport } from "../../cli/statusReport.ts";
import type { StatusObserved } from "../../cli/statusReport.ts";
import { newJournal } from "../../rotation/journalKeeper.ts";
import { parseNodes } from "../../cluster/slurmJson.ts";
import { pod, workerPod } from "../fakes/fakePods.ts";
import { answer, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";

const fingerprint = "0123456789ab";
const healthy: StatusObserved = {
  stack: "lab",
  outputs: {
    kubeconfig: "KUBECONFIG-TEXT",
    context: "",
    clusterKind: "kind",
    kindName: "slinky-lab",
    slurmNamespace: "slurm",
    operatorNamespace: "slinky",
    slurmRelease: "slurm",
    slurmClusterName: "slurm_slurm",
    accounting: true,
    nodeSets: { compute: { replicas: 1, partition: "compute" } },
    keyFingerprint: fingerprint,
    keyRotation: {
      generation: 2,
      outcome: "completed",
      rotatedAt: "2026-12-01T00:00:00Z",
      previousFingerprint: "ba9876543210",
      servedSeed: "next",
      previousSeed: "initial",
      report: {},
    },
    versions: {
      charts: {
        slurm: { chart: "/b/charts/slurm-1.2.1.tgz" },
        "cert-manager": { version: "v1.21.2" },
      },
    },
  },
  kubernetes: "v1.34.4",
  pods: [
    pod("slurm-controller-0", "controller", {
      images: { logfile: "x:1", slurmctld: "lab/slurmctld:26.05.5" },
    }),
    workerPod("compute", 0),
  ],
  nodes: parseNodes(answer({ nodes: [nodeRecord("compute-0")] })),
  slurmProblem: undefined,
  holders: [
    { pod: "slurm-controller-0", fingerprint, problem: undefined },
    { pod: "slurm-worker-compute-0", fingerprint, problem: undefined },
  ],
  rest: { status: 200, problem: undefined },
  accounting: { state: "registered" },
  journal: undefined,
  journalProblem: undefined,
};

const unfinished = newJournal({ from: "a", to: "b", generation: 3 }, new Date(0));

describe("toStatusReport", () => {
  it("a healthy stack => no problem, versions named", () => {
    const report = toStatusReport(healthy);
    assert.deepEqual(report.problems, []);
    assert.equal(report.slurm, "26.05.5");
    assert.deepEqual(report.charts, { slurm: "1.2.1", "cert-manager": "v1.21.2" });
    assert.equal(report.pods[0]?.image, "slurmctld:26.05.5");
  });

  it("the whole digest as expected fingerprint => compared by its first 12 digits", () => {
    const outputs = {
      ...healthy.outputs,
      keyFingerprint: `sha256:${fingerprint}${"c".repeat(52)}`,
    };
    assert.deepEqual(toStatusReport({ ...healthy, outputs }).problems, []);
  });

  const wrong: readonly (readonly [string, Partial<StatusObserved>, RegExp])[] = [
    [
      "one holder with another key",
      {
        holders: [
          { pod: "slurm-worker-compute-0", fingerprint: "ffffffffffff", problem: undefined },
        ],
      },
      /^slurm-worker-compute-0 holds the key ffffffffffff, the stack says 0123456789ab$/,
    ],
    [
      "one holder that cannot be read",
      { holders: [{ pod: "p", fingerprint: undefined, problem: "no such file" }] },
      /^the key of p cannot be read: no such file$/,
    ],
    ["no holder at all", { holders: [] }, /^no pod holds the Slurm auth key$/],
    [
      "Slurm silent",
      { nodes: undefined, slurmProblem: "timed out" },
      /^Slurm does not answer: timed out$/,
    ],
    [
      "a node down",
      {
        nodes: parseNodes(
          answer({ nodes: [nodeRecord("compute-0", { state: ["DOWN"], reason: "disk" })] }),
        ),
      },
      /^compute-0 is DOWN, reason "disk"$/,
    ],
    [
      "a token that slurmrestd refuses",
      { rest: { status: 511, problem: undefined } },
      /^slurmrestd does not serve v0\.0\.44: HTTP 511$/,
    ],
    [
      "no slurmrestd",
      { rest: { status: undefined, problem: "connection refused" } },
      /^slurmrestd does not serve v0\.0\.44: connection refused$/,
    ],
    [
      "a cluster that slurmdbd does not know",
      { accounting: { state: "unregistered" } },
      /^slurmdbd does not know the cluster, so jobs leave no record; .*delete pod/,
    ],
    [
      "no slurmdbd",
      { accounting: { state: "silent", problem: "Connection refused" } },
      /^slurmdbd does not answer: Connection refused$/,
    ],
    [
      "a prolog that failed",
      {
        nodes: parseNodes(
          answer({
            nodes: [nodeRecord("compute-0", { state: ["IDLE", "DRAIN"], reason: "Prolog error" })],
          }),
        ),
      },
      /^compute-0 is IDLE\+DRAIN, reason "Prolog error"$/,
    ],
    [
      "a rotation that nobody ended",
      { journal: unfinished },
      /^a rotation is under way or was left unfinished; .*npm run up$/,
    ],
    [
      "a journal of another version",
      { journalProblem: "no journal that this version can read" },
      /^the rotation's journal: no journal/,
    ],
    [
      "a pod that is not ready",
      {
        pods: [
          ...healthy.pods,
          pod("slurm-restapi-0", "restapi", { ready: false, readyCount: "0/1", phase: "Pending" }),
        ],
      },
      /^pod slurm\/slurm-restapi-0 is not ready \(Pending, 0\/1\)$/,
    ],
  ];
  for (const [situation, change, problem] of wrong) {
    it(`${situation} => that problem, and no other`, () => {
      const { problems } = toStatusReport({ ...healthy, ...change });
      assert.equal(problems.length, 1, problems.join("\n"));
      assert.match(problems[0] ?? "", problem);
    });
  }

  it("a finished pod of a chart hook => no problem", () => {
    const done = pod("startupapicheck", "", { ready: false, phase: "Succeeded" });
    assert.deepEqual(toStatusReport({ ...healthy, pods: [...healthy.pods, done] }).problems, []);
  });
});

describe("renderStatus", () => {
  it("a mismatch => marked in the table and among the problems; the kubeconfig is nowhere", () => {
    const holders = [
      { pod: "slurm-controller-0", fingerprint: "ffffffffffff", problem: undefined },
    ];
    const text = renderStatus(toStatusReport({ ...healthy, holders })).join("\n");
    assert.match(text, /^slurm-controller-0 {2}ffffffffffff {2}MISMATCH$/m);
    assert.match(text, /^PROBLEMS$/m);
    assert.ok(!text.includes("KUBECONFIG-TEXT"));
  });

  it("after a rotation => its keys, end and figures are told", () => {
    const report = { ...unfinished.report, stepSeconds: { swap: 0.3 }, outageSeconds: 14 };
    const journal = { ...unfinished, outcome: "completed" as const, report };
    const text = renderStatus(toStatusReport({ ...healthy, journal })).join("\n");
    assert.match(text, /last rotation: rotation from key a to key b, generation 3, .*: completed/);
    assert.match(text, /0\.3 s \(swap 0\.3\); slurmctld away 14 s/);
  });

  it("a healthy stack => says so, REST and accounting among it", () => {
    const lines = renderStatus(toStatusReport(healthy));
    assert.equal(lines.at(-1), "all is well");
    assert.ok(lines.includes("REST v0.0.44: 200; accounting: registered"));
    assert.ok(lines.includes("generation 2; last rotation: none"));
    const off = toStatusReport({ ...healthy, accounting: { state: "off" } });
    assert.deepEqual(off.problems, []);
  });
});
