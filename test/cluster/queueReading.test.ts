import { strict as assert } from "node:assert";

import type { ExecResult } from "../../cluster/podExec.ts";
import { concludeQueue, readQueue } from "../../cluster/queueReading.ts";
import { parseNodes } from "../../cluster/slurmJson.ts";
import { answer, jobRecord, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";

const result = (exitCode: number, stdout: string, stderr = ""): ExecResult => ({
  exitCode,
  stdout,
  stderr,
});
const empty = result(0, answer({ jobs: [] }));
const running = result(0, answer({ jobs: [jobRecord(51, { job_state: ["RUNNING"] })] }));
const allocated = (cpus: number) =>
  parseNodes(answer({ nodes: [nodeRecord("n0", { alloc_cpus: cpus })] }));

describe("R24: the queue", () => {
  const one: readonly (readonly [string, ExecResult, string])[] = [
    ["rc 0, nothing, socket timed out", result(0, "", "Socket timed out"), "unknown"],
    [
      "rc 0, an empty list, socket timed out",
      result(0, empty.stdout, "Socket timed out"),
      "unknown",
    ],
    ["rc 0, only a cluster header", result(0, "CLUSTER: c1"), "unknown"],
    ["rc 0, nothing at all", result(0, ""), "unknown"],
    ["rc 1, nothing", result(1, ""), "unknown"],
    ["rc 1, an empty list", result(1, empty.stdout), "unknown"],
    ["rc 0, one job", running, "jobs"],
    ["rc 0, an empty list", empty, "empty"],
  ];
  for (const [situation, reading, kind] of one) {
    it(`${situation} => ${kind}`, () => assert.equal(readQueue(reading).kind, kind));
  }

  const two: readonly (readonly [string, ExecResult, ExecResult, number, string])[] = [
    ["empty, then a job", empty, running, 0, "jobs"],
    ["empty twice, but 4 CPUs allocated", empty, empty, 4, "unknown"],
    ["empty twice, and no CPU allocated", empty, empty, 0, "empty"],
    ["a job, then empty", running, empty, 0, "unknown"],
    ["nothing readable, then empty", result(0, ""), empty, 0, "unknown"],
    ["empty, then nothing readable", empty, result(1, ""), 0, "unknown"],
  ];
  for (const [situation, first, second, cpus, kind] of two) {
    it(`${situation} => ${kind}`, () => {
      assert.equal(concludeQueue(readQueue(first), readQueue(second), allocated(cpus)).kind, kind);
    });
  }

  it("empty twice, but no node was read => unknown", () => {
    assert.equal(concludeQueue(readQueue(empty), readQueue(empty), []).kind, "unknown");
  });
});
