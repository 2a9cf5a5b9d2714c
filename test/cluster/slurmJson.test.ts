import { strict as assert } from "node:assert";

import { parseJobs, parseNodes, SlurmAnswerError } from "../../cluster/slurmJson.ts";
import { answer, jobRecord, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";

describe("parseNodes", () => {
  it("a registered and a drained node => name, state, reason and start time", () => {
    const text = answer({
      nodes: [
        nodeRecord("compute-0"),
        nodeRecord("compute-1", {
          state: ["IDLE", "DRAIN"],
          reason: "disk",
          slurmd_start_time: { set: false, infinite: false, number: 0 },
        }),
      ],
    });
    const [first, second] = parseNodes(text);
    assert.equal(first?.state.class, "ready");
    assert.equal(first?.slurmdStartSeconds, 1_790_000_000);
    assert.deepEqual(first?.partitions, ["compute"]);
    assert.equal(second?.stateText, "IDLE+DRAIN");
    assert.equal(second?.state.class, "drained");
    assert.equal(second?.reason, "disk");
    assert.equal(second?.slurmdStartSeconds, undefined);
  });

  it("no nodes => an empty list", () => {
    assert.deepEqual(parseNodes(answer({ nodes: [] })), []);
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["no JSON", "slurm_load_node error: Unable to contact slurm controller", /not JSON/],
    ["an empty text", "", /not JSON/],
    ["no list", answer({}), /no list "nodes"/],
    ["a state as text", answer({ nodes: [nodeRecord("a", { state: "IDLE" })] }), /"state"/],
    [
      "a node without CPUs",
      answer({ nodes: [nodeRecord("a", { alloc_cpus: null })] }),
      /alloc_cpus/,
    ],
    [
      "errors beside an empty list",
      answer({ nodes: [] }, [{ description: "Unable to contact slurm controller" }]),
      /Unable to contact slurm controller/,
    ],
  ];
  for (const [situation, text, message] of refused) {
    it(`${situation} => an error, not an empty list`, () => {
      assert.throws(
        () => parseNodes(text),
        (error) => {
          assert.ok(error instanceof SlurmAnswerError);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});

describe("parseJobs", () => {
  it("a completed job => states, nodes, batch host and exit code", () => {
    const [job] = parseJobs(answer({ jobs: [jobRecord(7)] }), "squeue --json");
    assert.deepEqual(job, {
      id: 7,
      states: ["COMPLETED"],
      reason: "None",
      nodes: "compute-[0-1]",
      batchHost: "compute-0",
      exitCode: 0,
    });
  });

  it("a job that waits => no exit code", () => {
    const unset = { return_code: { set: false, infinite: false, number: 0 } };
    const record = jobRecord(8, {
      job_state: ["PENDING"],
      nodes: "",
      batch_host: "",
      exit_code: unset,
    });
    assert.equal(parseJobs(answer({ jobs: [record] }), "squeue --json")[0]?.exitCode, undefined);
  });
});
