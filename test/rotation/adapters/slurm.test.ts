import { strict as assert } from "node:assert";
import type { ExecResult } from "../../../cluster/podExec.ts";
import { queueHold, slurmPort } from "../../../rotation/adapters/slurm.ts";
import { answer, jobRecord } from "../../fakes/fakeSlurmAnswers.ts";

/** Runs commands that answer by their first two words, and keeps what it was asked. */
function controller(answers: Readonly<Record<string, Partial<ExecResult>>>) {
  const asked: string[][] = [];
  const run = (command: readonly string[]): Promise<ExecResult> => {
    asked.push([...command]);
    const reply = answers[command.slice(0, 2).join(" ")] ?? answers[command[0] ?? ""] ?? {};
    return Promise.resolve({ exitCode: 0, stdout: "", stderr: "", ...reply });
  };
  return { run, asked };
}

describe("slurmPort", () => {
  it("R18: a drain => exactly the named nodes, the reason as one argument byte by byte", async () => {
    const { run, asked } = controller({});
    const reason = 'bad DIMM, "ticket 7", Zürich ✓';
    await slurmPort(run).update(["compute-0", "compute-1", "debug-0"], { to: "drain", reason });
    const nodes = "nodename=compute-[0-1],debug-0";
    assert.deepEqual(asked, [["scontrol", "update", nodes, "state=drain", `reason=${reason}`]]);
  });

  it("no nodes => no command", async () => {
    const { run, asked } = controller({});
    await slurmPort(run).update([], { to: "resume" });
    assert.deepEqual(asked, []);
  });

  it("a resume of a node that is back => fine; a drain that is refused => an error", async () => {
    const stderr = "slurm_update error: Invalid node state specified";
    const { run } = controller({ scontrol: { exitCode: 1, stderr } });
    await slurmPort(run).update(["n0"], { to: "resume" });
    await assert.rejects(slurmPort(run).update(["n0"], { to: "drain", reason: "r" }), /Invalid/);
  });

  it("R10: running, suspended and completing jobs block; waiting and ended ones do not", async () => {
    const end = { end_time: { set: true, infinite: false, number: 1_800_000_000 } };
    const jobs = [
      jobRecord(1, { job_state: ["RUNNING"], ...end }),
      jobRecord(2, { job_state: ["COMPLETED", "COMPLETING"] }),
      jobRecord(3, { job_state: ["SUSPENDED"] }),
      jobRecord(4, { job_state: ["PENDING"] }),
      jobRecord(5, { job_state: ["COMPLETED"] }),
      jobRecord(6, { job_state: ["A_NEW_WORD"] }),
    ];
    const { run } = controller({ squeue: { stdout: answer({ jobs }) } });
    const blocking = await slurmPort(run).blockingJobs();
    assert.ok(blocking !== "unknown");
    assert.deepEqual(
      blocking.map(({ id }) => id),
      [1, 2, 3, 6],
    );
    assert.equal(blocking[0]?.endsAtSeconds, 1_800_000_000);
  });

  for (const [situation, reply] of [
    ["an error on stderr", { stderr: "Socket timed out" }],
    ["a failure", { exitCode: 1 }],
    ["only a header", { stdout: "CLUSTER: c1" }],
  ] as const) {
    it(`R24: squeue answers with ${situation} => unknown`, async () => {
      assert.equal(await slurmPort(controller({ squeue: reply }).run).blockingJobs(), "unknown");
    });
  }

  it("a job that cannot be requeued => cancelled, the others requeued", async () => {
    const { run, asked } = controller({ "scontrol requeue": { exitCode: 1 } });
    await slurmPort(run).requeue([7, 8]);
    assert.deepEqual(
      asked.filter(([program]) => program === "scancel"),
      [
        ["scancel", "7"],
        ["scancel", "8"],
      ],
    );
  });
});

describe("queueHold", () => {
  const show = "scontrol --oneliner";

  it("no reservation => created over all nodes for Slurm's user", async () => {
    const { run, asked } = controller({ [show]: { stdout: "No reservations in the system\n" } });
    await queueHold(run).set();
    assert.deepEqual(asked.at(-1), [
      ...[
        "scontrol",
        "create",
        "reservation",
        "ReservationName=auth-key-rotation",
        "StartTime=now",
      ],
      ...["Duration=UNLIMITED", "Nodes=ALL", "Users=slurm"],
      "Flags=MAINT,IGNORE_JOBS,NO_HOLD_JOBS_AFTER",
    ]);
  });

  it("ours is there => not created again, and deleted by name", async () => {
    const stdout = "ReservationName=other A=1\nReservationName=auth-key-rotation StartTime=x\n";
    const { run, asked } = controller({ [show]: { stdout } });
    const hold = queueHold(run);
    await hold.set();
    assert.equal(asked.length, 1);
    await hold.release();
    assert.deepEqual(asked.at(-1), ["scontrol", "delete", "ReservationName=auth-key-rotation"]);
  });

  it("another reservation of a similar name => not ours", async () => {
    const stdout = "ReservationName=auth-key-rotation-2 StartTime=x\n";
    assert.equal(await queueHold(controller({ [show]: { stdout } }).run).isSet(), false);
  });

  it("slurmctld does not answer => an error, not 'not held'", async () => {
    const { run } = controller({ [show]: { exitCode: 1, stderr: "Unable to contact" } });
    await assert.rejects(queueHold(run).isSet(), /Unable to contact/);
  });
});
