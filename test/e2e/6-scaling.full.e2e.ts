import { strict as assert } from "node:assert";
import { inController, kubectl, kubectlJson, npmRun, until } from "./support/lab.ts";
import { jobReaches, recordedState, submit } from "./support/slurmJobs.ts";
import { configure } from "./support/stackFile.ts";
import {
  compute,
  configureWholeStack,
  debug,
  markedProlog,
  up,
  writeProlog,
} from "./support/wholeStack.ts";

const inSlurmd = (pod: string, ...command: string[]) =>
  kubectl(["exec", "--namespace", "slurm", pod, "--container", "slurmd", "--", ...command]);

const nodeSetReplicas = async (name: string): Promise<number> => {
  const words = [
    "get",
    "nodesets.slinky.slurm.net",
    `slurm-worker-${name}`,
    "--namespace",
    "slurm",
  ];
  return (await kubectlJson<{ spec: { replicas: number } }>(words)).spec.replicas;
};

describe("scripts and scaling", () => {
  before(async () => {
    await configureWholeStack();
    await up();
  });

  it("a prolog that fails => its node is drained, and status says why", async () => {
    assert.equal((await inSlurmd("slurm-worker-debug-0", "touch", "/tmp/fail-prolog")).code, 0);
    const id = await submit("true", "--partition=debug");
    await until("a drained node", 90, async () => {
      const { code, stdout } = await npmRun("status");
      return code === 1 && /debug-0 is \S*DRAIN\S*, reason "[^"]*[Pp]rolog/.test(stdout);
    });
    await inController("scancel", id);
    await inSlurmd("slurm-worker-debug-0", "rm", "/tmp/fail-prolog");
    await inController("scontrol", "update", "nodename=debug-0", "state=resume");
    await until("a healthy stack", 90, async () => (await npmRun("status")).code === 0);
  });

  it("another prolog => reaches the nodes while a job runs on", async () => {
    const running = await submit("sleep 90", "--partition=compute");
    await jobReaches(running, "RUNNING", 60);
    writeProlog(`${markedProlog}touch /tmp/second-prolog\n`);
    await up();
    await until("the new prolog on debug-0", 180, async () => {
      const id = await submit("true", "--partition=debug");
      await jobReaches(id, "COMPLETED", 60);
      return (
        (await inSlurmd("slurm-worker-debug-0", "test", "-e", "/tmp/second-prolog")).code === 0
      );
    });
    await jobReaches(running, "COMPLETED", 150);
  });

  it("more replicas => the report names the new node, and it takes jobs", async () => {
    await configure({ nodeSets: { compute, debug: { ...debug, replicas: 2 } } });
    assert.match(await up(), /NodeSet debug grows from 1 to 2 nodes: debug-1/);
    const id = await submit("hostname", "--partition=debug", "--nodelist=debug-1");
    await jobReaches(id, "COMPLETED", 60);
  });

  it("fewer replicas under load => drained first, the job COMPLETED, none lost", async () => {
    const running = await submit("sleep 60", "--partition=debug", "--nodelist=debug-1");
    await jobReaches(running, "RUNNING", 60);
    await configure({ nodeSets: { compute, debug } });
    const { code, all } = await npmRun("up", ["--no-job", "--timeout", "400"]);
    assert.equal(code, 0, all);
    assert.match(all, /NodeSet debug shrinks from 2 to 1 node: .* drains debug-1 first/);
    await until("its record", 60, async () => (await recordedState(running)) === "COMPLETED");
  });

  it("an autoscaler's NodeSet => keeps its size over an update of the chart", async () => {
    const owned = { ...debug, replicasOwnedBy: "autoscaler" };
    await configure({ nodeSets: { compute, debug: owned } });
    await up();
    const resource = "nodesets.slinky.slurm.net/slurm-worker-debug";
    const { code, all } = await kubectl([
      "scale",
      resource,
      "--namespace",
      "slurm",
      "--replicas=2",
    ]);
    assert.equal(code, 0, all);
    await until("two nodes", 180, async () =>
      (
        await inController(
          "sinfo",
          "--noheader",
          "--partition=debug",
          "--states=idle",
          "--format=%D",
        )
      )
        .trim()
        .startsWith("2"),
    );
    await configure({
      slurmConf: { ProctrackType: "proctrack/linuxproc", TaskPlugin: "task/none", MinJobAge: 600 },
    });
    await up();
    assert.equal(await nodeSetReplicas("debug"), 2);
    assert.equal((await npmRun("status")).code, 0);
  });
});
