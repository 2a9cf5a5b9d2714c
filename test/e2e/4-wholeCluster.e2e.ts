import { strict as assert } from "node:assert";
import { inController, kubectl, npmRun, pulumi, until } from "./support/lab.ts";
import { jobReaches, recordedState, submit } from "./support/slurmJobs.ts";
import { makeSshKey, ssh } from "./support/ssh.ts";
import { configure } from "./support/stackFile.ts";
import {
  compute,
  debug,
  markedProlog,
  removeScripts,
  up,
  wholeStack,
  writeProlog,
} from "./support/wholeStack.ts";

describe("whole cluster", () => {
  let key: Awaited<ReturnType<typeof makeSshKey>>;
  let recordedJob: string;

  before(async () => {
    key = await makeSshKey();
    writeProlog(markedProlog);
    await configure(wholeStack(key.publicKey));
  });
  after(() => {
    key.remove();
    removeScripts();
  });

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
    const { code, stdout, all } = await ssh(key.file, "tester", command);
    assert.equal(code, 0, all);
    const [user, id = ""] = stdout.trim().split("\n");
    assert.equal(user, "tester");
    const job = await inController("scontrol", "show", "job", id);
    assert.match(job, /UserId=tester\(2001\)/);
    assert.match(job, /JobState=COMPLETED/);
    recordedJob = id;
  });

  it("token => on stdout alone, and the user's", async () => {
    const { code, stdout } = await npmRun("token", ["--user", "tester", "--seconds", "60"]);
    assert.equal(code, 0);
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const claims = Buffer.from(stdout.split(".")[1] ?? "", "base64url").toString();
    assert.equal((JSON.parse(claims) as { sun: string }).sun, "tester");
  });

  for (const pod of ["slurm-controller-0", "slurm-accounting-0", "slurm-database-0"]) {
    it(`${pod} replaced => queue, accounting and users survive`, async () => {
      const running = await submit("sleep 60", "--partition=compute");
      await jobReaches(running, "RUNNING", 60);
      const words = ["delete", "pod", pod, "--namespace", "slurm", "--wait=true"];
      assert.equal((await kubectl(words)).code, 0);
      await until("a healthy stack", 240, async () => (await npmRun("status")).code === 0);
      await jobReaches(running, "COMPLETED", 120);
      await until(
        "the job in sacct",
        60,
        async () => (await recordedState(running)) === "COMPLETED",
      );
      assert.equal(await recordedState(recordedJob), "COMPLETED");
    });
  }

  it("a login pod replaced => the user comes in again, to the same host key", async () => {
    const hostKey = async () =>
      (
        await kubectl([
          "exec",
          "--namespace",
          "slurm",
          "deployment/slurm-login-login",
          "--container",
          "login",
          "--",
          "cat",
          "/etc/ssh/ssh_host_ed25519_key.pub",
        ])
      ).stdout;
    const before = await hostKey();
    const selector = "app.kubernetes.io/component=login";
    await kubectl(["delete", "pod", "--namespace", "slurm", "--selector", selector, "--wait=true"]);
    await until("a healthy stack", 180, async () => (await npmRun("status")).code === 0);
    assert.equal((await ssh(key.file, "tester", "squeue")).code, 0);
    assert.equal(await hostKey(), before);
  });

  const refused: [string, () => Promise<void>, RegExp][] = [
    [
      "a partition of an unknown NodeSet",
      () => configure({ partitions: { night: { nodeSets: ["gpu"] } } }),
      /partitions\.night\.nodeSets: "gpu" is not allowed/,
    ],
    [
      "a prolog that is not executable",
      () => {
        writeProlog(markedProlog, 0o644);
        return configure({ partitions: undefined });
      },
      /scripts\/prolog\.d\/10-prolog\.sh: is not executable/,
    ],
    [
      "a database that nobody runs",
      () => {
        writeProlog(markedProlog);
        const passwordSecret = { name: "db-login" };
        const database = { host: "127.0.0.1", port: 1, passwordSecret, check: true };
        return configure({ accounting: { enabled: true, database } });
      },
      /accounting\.database: 127\.0\.0\.1:1 cannot be reached/,
    ],
  ];
  for (const [situation, prepare, message] of refused) {
    it(`${situation} => preview refuses it, and nothing is touched`, async () => {
      await prepare();
      const { code, all } = await pulumi(["preview"]);
      assert.notEqual(code, 0);
      assert.match(all, message);
    });
  }

  it("accounting off and on again => the records of before are there", async () => {
    await configure({
      nodeSets: { compute, debug },
      slurmConf: { ProctrackType: "proctrack/linuxproc", TaskPlugin: "task/none" },
      accounting: { enabled: false },
    });
    await up();
    await configure({ accounting: { enabled: true, storage: { size: "1Gi" } } });
    await up();
    assert.equal(await recordedState(recordedJob), "COMPLETED");
  });
});
