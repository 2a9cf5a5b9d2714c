import { strict as assert } from "node:assert";
import { kindName, kubectl, npmRun, pulumi, succeed, until } from "./support/lab.ts";
import { jobReaches, recordedState, submit } from "./support/slurmJobs.ts";
import { ssh } from "./support/ssh.ts";
import { configure } from "./support/stackFile.ts";
import {
  compute,
  configureWholeStack,
  debug,
  markedProlog,
  up,
  writeProlog,
} from "./support/wholeStack.ts";

const healthy = (seconds: number) =>
  until("a healthy stack", seconds, async () => (await npmRun("status")).code === 0);

describe("whole cluster, restarts and refusals", () => {
  let recordedJob: string;

  before(async () => {
    await configureWholeStack();
    await up();
    recordedJob = await submit("hostname", "--partition=debug");
    await jobReaches(recordedJob, "COMPLETED", 60);
  });

  for (const pod of ["slurm-controller-0", "slurm-accounting-0", "slurm-database-0"]) {
    it(`${pod} replaced => queue, accounting and users survive`, async () => {
      const running = await submit("sleep 60", "--partition=compute");
      await jobReaches(running, "RUNNING", 60);
      const words = ["delete", "pod", pod, "--namespace", "slurm", "--wait=true"];
      assert.equal((await kubectl(words)).code, 0);
      await healthy(240);
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
    await healthy(180);
    assert.equal((await ssh("tester", "squeue")).code, 0);
    assert.equal(await hostKey(), before);
  });

  it("a Kubernetes node stopped and started => jobs elsewhere go on, queue, records and users survive", async () => {
    const nodeOf = async (pod: string) => {
      const words = ["get", "pod", pod, "--namespace", "slurm", "--output"];
      return (await kubectl([...words, "jsonpath={.spec.nodeName}"])).stdout.trim();
    };
    const [at, other] = await Promise.all([
      nodeOf("slurm-controller-0"),
      nodeOf("slurm-worker-compute-0"),
    ]);
    const waiting = await submit("hostname", "--partition=compute", "--nodes=2", "--begin=now+60");
    const stopped = at === `${kindName}-worker` ? `${kindName}-worker2` : `${kindName}-worker`;
    const spared = other === stopped ? "compute-1" : "compute-0";
    const running = await submit("sleep 45", `--nodelist=${spared}`);
    await jobReaches(running, "RUNNING", 60);
    await succeed("docker", ["stop", "--time", "5", stopped]);
    await jobReaches(running, "COMPLETED", 120);
    await succeed("docker", ["start", stopped]);
    await healthy(420);
    await jobReaches(waiting, "COMPLETED", 180);
    await until("its record", 60, async () => (await recordedState(waiting)) === "COMPLETED");
    assert.equal(await recordedState(recordedJob), "COMPLETED");
    assert.equal((await ssh("tester", "id -un")).stdout.trim(), "tester");
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
