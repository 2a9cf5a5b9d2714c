import { strict as assert } from "node:assert";

import { execInPod, PodExecError } from "../../cluster/podExec.ts";
import type { ExecFailure, ExecResult } from "../../cluster/podExec.ts";
import { FakePodSocket, FakeSchedule } from "../fakes/fakePodSocket.ts";

const target = { namespace: "slurm", pod: "slurm-controller-0", container: "slurmctld" };
const nonZero = {
  status: "Failure",
  reason: "NonZeroExitCode",
  details: { causes: [{ reason: "ExitCode", message: "2" }] },
};

describe("R17: execInPod", () => {
  let socket: FakePodSocket;
  let timers: FakeSchedule;

  beforeEach(() => {
    socket = new FakePodSocket();
    timers = new FakeSchedule();
  });

  const run = (command: readonly string[] = ["squeue"]): Promise<ExecResult> =>
    execInPod(socket.open, target, command, { timeoutSeconds: 30, schedule: timers.schedule });

  const fails = async (result: Promise<ExecResult>, failure: ExecFailure, text: RegExp) => {
    await assert.rejects(result, (error) => {
      assert.ok(error instanceof PodExecError);
      assert.equal(error.failure, failure);
      assert.match(error.message, text);
      return true;
    });
    assert.deepEqual(timers.waiting, [], "no timer is left behind");
  };

  it("(a) stdout, then close without status => unknown, never success", async () => {
    const result = run();
    socket.send(1, "JOBID\n");
    socket.drop("code 1006");
    await fails(result, "unknown", /closed without a status \(code 1006\)/);
  });

  it("(b) Failure with ExitCode 2 => a result with code 2", async () => {
    const result = run();
    socket.send(2, "Invalid node name\n");
    socket.status(nonZero);
    socket.drop();
    assert.deepEqual(await result, { exitCode: 2, stdout: "", stderr: "Invalid node name\n" });
  });

  it("(c) open, then silence => deadline, and the connection is closed", async () => {
    const result = run();
    await Promise.resolve();
    timers.pass(30_000);
    await fails(result, "deadline", /no result within 30 s/);
    assert.equal(socket.closed, true);
  });

  it("(d) status before the last stdout chunk => the chunk is in the result", async () => {
    const result = run();
    socket.send(1, "first ");
    socket.status({ status: "Success" });
    socket.send(1, "last");
    socket.drop();
    assert.deepEqual(await result, { exitCode: 0, stdout: "first last", stderr: "" });
    assert.deepEqual(timers.waiting, []);
  });

  it("(d) status, and the server never closes => the result after a silence, chunk included", async () => {
    const result = run();
    socket.status({ status: "Success" });
    timers.pass(500);
    socket.send(1, "late");
    timers.pass(1_000);
    assert.equal((await result).stdout, "late");
    assert.equal(socket.closed, true);
  });

  for (const code of [400, 403]) {
    it(`(e) upgrade refused with ${code} => refused, with the server's answer`, async () => {
      socket.refusal = `Unexpected server response: ${code}`;
      await fails(run(), "refused", new RegExp(`not started: .*${code}`));
    });
  }

  it("(f) a multi-byte character split across frames => whole", async () => {
    const bytes = Buffer.from("Zürich ✓");
    const result = run();
    socket.send(1, bytes.subarray(0, 2));
    socket.send(1, bytes.subarray(2, 9));
    socket.send(1, bytes.subarray(9));
    socket.status({ status: "Success" });
    socket.drop();
    assert.equal((await result).stdout, "Zürich ✓");
  });

  it("a Failure without an exit code => failed, with Kubernetes' message", async () => {
    const result = run();
    socket.status({ status: "Failure", message: "container slurmctld not found" });
    socket.drop();
    await fails(result, "failed", /container slurmctld not found/);
  });

  it("a status frame that is no JSON => failed, not success", async () => {
    const result = run();
    socket.send(3, "command terminated");
    socket.drop();
    await fails(result, "failed", /not JSON/);
  });

  it("an upgrade that is granted after the deadline => its connection is closed", async () => {
    let grant = (): void => undefined;
    let closed = false;
    const result = execInPod(
      () =>
        new Promise((resolve) => {
          grant = () => resolve({ close: () => (closed = true) });
        }),
      target,
      ["sinfo"],
      { timeoutSeconds: 1, schedule: timers.schedule },
    );
    timers.pass(1_000);
    await fails(result, "deadline", /within 1 s/);
    grant();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(closed, true);
  });

  it("a command with spaces and quotes => each argument stays one argument", async () => {
    const result = run(["sbatch", "--wrap=srun -l sh -c 'a && b'"]);
    socket.status({ status: "Success" });
    socket.drop();
    await result;
    const url = new URL(`https://host${socket.path}`);
    assert.equal(url.pathname, "/api/v1/namespaces/slurm/pods/slurm-controller-0/exec");
    assert.deepEqual(url.searchParams.getAll("command"), [
      "sbatch",
      "--wrap=srun -l sh -c 'a && b'",
    ]);
    assert.equal(url.searchParams.get("container"), "slurmctld");
  });
});
