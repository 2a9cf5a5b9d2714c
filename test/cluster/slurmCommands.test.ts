import { strict as assert } from "node:assert";

import type { ExecResult } from "../../cluster/podExec.ts";
import { createSlurmCommands } from "../../cluster/slurmCommands.ts";
import { answer, jobRecord, nodeRecord } from "../fakes/fakeSlurmAnswers.ts";

/** Slurm that answers by the first word of the command, and keeps what it was asked. */
function slurmThatAnswers(answers: Readonly<Record<string, Partial<ExecResult>>>) {
  const asked: (readonly string[])[] = [];
  const slurm = createSlurmCommands((command) => {
    asked.push(command);
    const reply = answers[command[0] ?? ""] ?? { exitCode: 127, stderr: "not found" };
    return Promise.resolve({ exitCode: 0, stdout: "", stderr: "", ...reply });
  });
  return { slurm, asked };
}

describe("createSlurmCommands", () => {
  it("sbatch answers with id and cluster => the id; every option is one argument", async () => {
    const { slurm, asked } = slurmThatAnswers({ sbatch: { stdout: "42;slurm_slurm\n" } });
    const id = await slurm.submit({
      name: "probe",
      partition: "compute",
      nodes: 2,
      minutes: 1,
      output: "/tmp/probe-%j.out",
      wrap: "srun --label hostname",
    });
    assert.equal(id, 42);
    assert.ok(asked[0]?.includes("--nodes=2"));
    assert.ok(asked[0]?.includes("--ntasks-per-node=1"));
    assert.ok(asked[0]?.includes("--wrap=srun --label hostname"));
  });

  it("sbatch is refused => an error with Slurm's own words", async () => {
    const stderr = "sbatch: error: invalid partition specified: nope";
    const { slurm } = slurmThatAnswers({ sbatch: { exitCode: 1, stderr } });
    const job = { name: "p", partition: "nope", nodes: 1, minutes: 1, output: "o", wrap: "w" };
    await assert.rejects(slurm.submit(job), /exit code 1: .*invalid partition/);
  });

  it("sbatch answers with something else => an error", async () => {
    const { slurm } = slurmThatAnswers({ sbatch: { stdout: "Submitted\n" } });
    const job = { name: "p", partition: "c", nodes: 1, minutes: 1, output: "o", wrap: "w" };
    await assert.rejects(slurm.submit(job), /no job id/);
  });

  it("partitions in several states => summed, the default one marked", async () => {
    const stdout = "compute*|1\ncompute*|1\ndebug|1\n";
    const { slurm } = slurmThatAnswers({ sinfo: { stdout } });
    assert.deepEqual(await slurm.partitions(), [
      { name: "compute", isDefault: true, nodes: 2 },
      { name: "debug", isDefault: false, nodes: 1 },
    ]);
  });

  it("a job that Slurm does not list => an error, not another job", async () => {
    const stdout = answer({ jobs: [jobRecord(6)] });
    const { slurm } = slurmThatAnswers({ scontrol: { stdout } });
    await assert.rejects(slurm.job(7), /not there/);
  });

  it("the queue is read twice, then the nodes", async () => {
    const { slurm, asked } = slurmThatAnswers({
      squeue: { stdout: answer({ jobs: [] }) },
      scontrol: { stdout: answer({ nodes: [nodeRecord("compute-0")] }) },
    });
    assert.deepEqual(await slurm.queue(), { kind: "empty" });
    assert.deepEqual(
      asked.map(([program]) => program),
      ["squeue", "squeue", "scontrol"],
    );
  });
});
