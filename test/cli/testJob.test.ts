import { strict as assert } from "node:assert";

import { defaultRequest, missingHosts, runTestJob } from "../../cli/testJob.ts";
import type { BatchJob } from "../../cluster/slurmCommands.ts";
import { parseJobs, parseNodes } from "../../cluster/slurmJson.ts";
import { PodExecError } from "../../cluster/podExec.ts";
import { answer, jobRecord, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";
import { ManualClock } from "../fakes/manualClock.ts";

/** Slurm that runs one job: each look shows the next record, the last one for ever. */
class FakeJobQueue {
  readonly submitted: BatchJob[] = [];
  readonly cancelled: number[] = [];
  readonly read: string[] = [];
  output = "0: compute-0\n1: compute-1\n";
  readonly #looks: (object | Error)[];

  constructor(...looks: (object | Error)[]) {
    this.#looks = looks;
  }

  get ports() {
    const slurm = {
      submit: (job: BatchJob) => Promise.resolve(this.submitted.push(job) + 6),
      job: () => {
        const look = this.#looks.length > 1 ? this.#looks.shift() : this.#looks[0];
        if (look instanceof Error) return Promise.reject(look);
        const [job] = parseJobs(answer({ jobs: [look] }), "scontrol show job");
        return job === undefined ? Promise.reject(new Error("no job")) : Promise.resolve(job);
      },
      cancel: (id: number) => Promise.resolve(void this.cancelled.push(id)),
    };
    const readFile = (node: string, path: string) => {
      this.read.push(`${node}:${path}`);
      return Promise.resolve(this.output);
    };
    return { slurm, clock: new ManualClock(), readFile };
  }
}

const request = { partition: "compute", nodes: 2, deadlineSeconds: 60 };
const pending = jobRecord(7, {
  job_state: ["PENDING"],
  state_reason: "Resources",
  nodes: "",
  batch_host: "",
});

describe("runTestJob", () => {
  it("pending, running, completed => the output of the batch host's file", async () => {
    const queue = new FakeJobQueue(pending, jobRecord(7, { job_state: ["RUNNING"] }), jobRecord(7));
    const report = await runTestJob(queue.ports, request);
    assert.deepEqual(report, { id: 7, nodes: "compute-[0-1]", output: queue.output, seconds: 2 });
    assert.deepEqual(queue.read, ["compute-0:/tmp/slinky-test-7.out"]);
    assert.equal(queue.submitted[0]?.nodes, 2);
    assert.equal(queue.submitted[0]?.partition, "compute");
  });

  it("a look whose connection is lost => it looks again and does not submit again", async () => {
    const lost = new PodExecError("unknown", "the connection closed without a status");
    const queue = new FakeJobQueue(lost, jobRecord(7));
    assert.equal((await runTestJob(queue.ports, request)).id, 7);
    assert.equal(queue.submitted.length, 1);
  });

  it("completed, but a node wrote nothing => an error that names the node", async () => {
    const queue = new FakeJobQueue(jobRecord(7));
    queue.output = "0: compute-0\n";
    await assert.rejects(runTestJob(queue.ports, request), /no line from compute-1/);
  });

  it("failed => an error with state, exit code and output", async () => {
    const failed = { return_code: { set: true, infinite: false, number: 1 } };
    const queue = new FakeJobQueue(
      jobRecord(7, { job_state: ["FAILED"], state_reason: "NonZeroExitCode", exit_code: failed }),
    );
    queue.output = "srun: error: launch failed\n";
    await assert.rejects(
      runTestJob(queue.ports, request),
      /job 7 ended FAILED \(NonZeroExitCode, exit code 1\); it wrote:\nsrun: error: launch failed/,
    );
  });

  it("pending for ever => cancelled at the deadline, with Slurm's reason", async () => {
    const queue = new FakeJobQueue(pending);
    await assert.rejects(
      runTestJob(queue.ports, request),
      /within 60 s: it is PENDING \(Resources\)/,
    );
    assert.deepEqual(queue.cancelled, [7]);
  });
});

describe("missingHosts", () => {
  it("labels padded, domain names, other lines => only real gaps are named", () => {
    const output = " 0: n1.slurm.svc\n10: n2\nwarning: n3\n";
    assert.deepEqual(missingHosts("n[1-3]", output), ["n3"]);
  });
});

describe("defaultRequest", () => {
  const partitions = [
    { name: "debug", isDefault: false },
    { name: "compute", isDefault: true },
  ];
  const nodeSets = {
    debug: { replicas: 1, partition: "debug" },
    compute: { replicas: 2, partition: "compute" },
  };
  const nodes = parseNodes(
    answer({ nodes: [nodeRecord("x", { partitions: ["all", "compute"] })] }),
  );
  const nothing = { partition: undefined, nodes: undefined };

  it("nothing asked => the default partition and its NodeSets' replicas", () => {
    assert.deepEqual(defaultRequest(partitions, nodeSets, nodes, nothing), {
      partition: "compute",
      nodes: 2,
    });
  });

  it("no default partition => the first NodeSet's", () => {
    const none = partitions.map(({ name }) => ({ name, isDefault: false }));
    assert.deepEqual(defaultRequest(none, nodeSets, nodes, nothing), {
      partition: "debug",
      nodes: 1,
    });
  });

  it("a partition over all NodeSets => as many nodes as it lists", () => {
    const all = [{ name: "all", isDefault: true }];
    assert.deepEqual(defaultRequest(all, nodeSets, nodes, nothing), { partition: "all", nodes: 1 });
  });

  it("what is asked for => taken", () => {
    const wanted = { partition: "debug", nodes: 3 };
    assert.deepEqual(defaultRequest(partitions, nodeSets, nodes, wanted), wanted);
  });

  it("an unknown partition => an error that lists the known ones", () => {
    const wanted = { partition: "gpu", nodes: undefined };
    assert.throws(
      () => defaultRequest(partitions, nodeSets, nodes, wanted),
      /no partition "gpu"; Slurm has: debug, compute/,
    );
  });
});
