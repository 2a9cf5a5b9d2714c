import { strict as assert } from "node:assert";
import { inController, npmRun, pulumi, until } from "./support/lab.ts";
import { jobReaches, recordedState, submit } from "./support/slurmJobs.ts";
import { ssh } from "./support/ssh.ts";
import { configureWholeStack, up } from "./support/wholeStack.ts";

describe("whole cluster", () => {
  before(() => configureWholeStack());

  it("up with login, accounting, partitions and scripts => converges within 8 minutes", async () => {
    const { code, all, seconds } = await npmRun("up");
    assert.equal(code, 0, all);
    assert.match(all, /ok +cluster registered for accounting/);
    assert.ok(seconds < 480, `${seconds} s`);
  });

  it("up again => no changes; refresh => no differences", async () => {
    assert.match(await up(), /\b0 changes/);
    const { code, all } = await pulumi(["refresh", "--yes", "--expect-no-changes"]);
    assert.equal(code, 0, all);
  });

  it("status => exit code 0, REST answers, accounting registered", async () => {
    const { code, stdout } = await npmRun("status");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /REST v0\.0\.44: 200; accounting: registered/);
  });

  it("partitions => the NodeSets' own and the one over both, with its limit", async () => {
    const text = await inController("sinfo", "--noheader", "--format=%P|%D|%l");
    const lines = text.trim().split("\n").sort();
    assert.deepEqual(lines, ["compute*|2|infinite", "debug|1|infinite", "everything|3|1:00:00"]);
  });

  it("a job that asks for a feature => runs on its NodeSet", async () => {
    const id = await submit("hostname", "--partition=everything", "--constraint=small");
    await jobReaches(id, "COMPLETED", 60);
    assert.match(await inController("scontrol", "show", "job", id), /NodeList=debug-0\b/);
  });

  it("a user over ssh => submits as themselves", async () => {
    const command =
      'id -un && sbatch --wait --output="$HOME/out" --chdir=/tmp --parsable --wrap="id -un"';
    const { code, stdout, all } = await ssh("tester", command);
    assert.equal(code, 0, all);
    const [user, id = ""] = stdout.trim().split("\n");
    assert.equal(user, "tester");
    const job = await inController("scontrol", "show", "job", id);
    assert.match(job, /UserId=tester\(2001\)/);
    assert.match(job, /JobState=COMPLETED/);
    await until("its record", 60, async () => (await recordedState(id)) === "COMPLETED");
  });

  it("token => on stdout alone, and the user's", async () => {
    const { code, stdout } = await npmRun("token", ["--user", "tester", "--seconds", "60"]);
    assert.equal(code, 0);
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const claims = Buffer.from(stdout.split(".")[1] ?? "", "base64url").toString();
    assert.equal((JSON.parse(claims) as { sun: string }).sun, "tester");
  });
});
