import { strict as assert } from "node:assert";
import {
  execute,
  inController,
  kindName,
  kubectl,
  npmRun,
  pulumi,
  start,
  until,
} from "./support/lab.ts";
import {
  assertServedBy,
  bringUpForRotations,
  comesTo,
  inSlurm,
  journal,
  mountKeyInStranger,
  pulumiUp,
  rotateInProcess,
  servedKey,
  servedSeed,
} from "./support/rotations.ts";
import { jobReaches, submit } from "./support/slurmJobs.ts";
import { configure } from "./support/stackFile.ts";

const upWords = ["up", "--yes", "--skip-preview", "--stack", "e2e", "--non-interactive"];

describe("rotation, faults", () => {
  let first: string;

  before(async () => {
    first = await bringUpForRotations();
  });

  after(async () => {
    for (const node of ["worker", "worker2"]) await kubectl(["uncordon", `${kindName}-${node}`]);
    await kubectl(["delete", "pod", "stranger", ...inSlurm, "--ignore-not-found", "--now"]);
  });

  it("rotate and rollback, twice => another key each time, then the first one again", async () => {
    for (const round of [1, 2]) {
      for (const command of ["rotate", "rollback"] as const) {
        const { code, all, seconds } = await npmRun(command);
        assert.equal(code, 0, all);
        const served = await servedKey();
        assert.equal(served === first, command === "rollback");
        await assertServedBy(served);
        const report = (await journal())?.report;
        const away = `slurmctld away ${report?.outageSeconds} s`;
        console.log(`      ${command} ${round}: command ${seconds.toFixed(0)} s, ${away}`);
        console.log(`      ${JSON.stringify(report?.stepSeconds)}`);
      }
    }
  });

  it("nothing comes up with the new key => rolled back, the old key serves", async () => {
    const old = await servedKey();
    await configure({ keySeed: "third", rotation: { restoreTimeoutSeconds: 90 } });
    const nodes = [`${kindName}-worker`, `${kindName}-worker2`];
    const spoil = comesTo("the restore", ({ step }) => step === "restore").then(() =>
      kubectl(["cordon", ...nodes]),
    );
    const heal = comesTo("the rollback", ({ direction }) => direction === "back").then(() =>
      kubectl(["uncordon", ...nodes]),
    );
    const [{ code, all }] = await Promise.all([pulumiUp(), spoil, heal]);
    assert.notEqual(code, 0);
    assert.match(
      all,
      /rotation stopped at "(restore|verify)" .*Rolled back; the cluster uses key/s,
    );
    assert.equal(await servedKey(), old);
    await assertServedBy(old);
  });

  it("the previous seed after a rollback => no change at all", async () => {
    await configure({ keySeed: "initial", rotation: undefined });
    const { code, all } = await pulumi(["preview", "--expect-no-changes"]);
    assert.equal(code, 0, all);
  });

  it("a pod takes the key while nobody may => rolled back, the pod is named", async () => {
    const old = await servedKey();
    await configure({ keySeed: "third", rotation: { quiesceTimeoutSeconds: 40 } });
    const spoil = comesTo("the quiesce", ({ step }) => step === "quiesce").then(() =>
      mountKeyInStranger("stranger"),
    );
    const heal = comesTo("the rollback", ({ direction }) => direction === "back").then(() =>
      kubectl(["delete", "pod", "stranger", ...inSlurm, "--now"]),
    );
    const [{ code, all }] = await Promise.all([pulumiUp(), spoil, heal]);
    assert.notEqual(code, 0);
    assert.match(all, /stranger@/);
    await assertServedBy(old);
  });

  for (const step of ["drain", "quiesce", "swap", "restore", "verify"]) {
    it(`killed in ${step} => the next up ends on one key`, async () => {
      await configure({ keySeed: `killed in ${step}`, rotation: undefined });
      const running = await start("pulumi", upWords);
      await comesTo(step, (now) => now.step === step);
      running.kill();
      await running.ended;
      await execute("pulumi", ["cancel", "--yes", "--stack", "e2e"]);
      const { code, all } = await pulumiUp();
      assert.equal(code, 0, all);
      await assertServedBy(await servedKey());
    });
  }

  it("a node that an admin drained => the same reason after a rotation", async () => {
    const reason = 'bad DIMM, "ticket 7"';
    await inController("scontrol", "update", "nodename=debug-0", "state=drain", `reason=${reason}`);
    await configure({ keySeed: "with an admin's drain" });
    const { code, all } = await pulumiUp();
    assert.equal(code, 0, all);
    const { nodes } = JSON.parse(
      await inController("scontrol", "show", "node", "debug-0", "--json"),
    ) as {
      nodes: { reason: string; state: string[] }[];
    };
    assert.equal(nodes[0]?.reason, reason);
    assert.ok(nodes[0].state.includes("DRAIN"));
    await inController("scontrol", "update", "nodename=debug-0", "state=resume");
  });

  it("Ctrl-C while it drains => the rollback begins within 5 s, the job runs on", async () => {
    const old = await servedKey();
    const job = await submit("sleep 40", "--partition=compute");
    await jobReaches(job, "RUNNING", 60);
    await configure({ keySeed: "interrupted" });
    const running = await start("pulumi", upWords);
    await comesTo("the drain", ({ step }) => step === "drain");
    const interruptedAt = Date.now();
    running.child.kill("SIGINT");
    await until("the rollback", 5, async () => {
      const now = await journal();
      return now?.direction === "back";
    });
    console.log(`      rollback seen after ${(Date.now() - interruptedAt) / 1000} s`);
    assert.notEqual((await running.ended).code, 0);
    assert.equal((await journal())?.outcome, "rolledBack");
    await assertServedBy(old);
    await jobReaches(job, "COMPLETED", 90);
  });

  it("a job outlasts the drain's deadline => rolled back, the job runs on", async () => {
    const old = await servedKey();
    const job = await submit("sleep 60", "--partition=compute");
    await jobReaches(job, "RUNNING", 60);
    await configure({ keySeed: "late", rotation: { drainTimeoutSeconds: 10 } });
    const { code, all } = await pulumiUp();
    assert.notEqual(code, 0);
    assert.match(all, new RegExp(`job ${job} RUNNING on compute`));
    await assertServedBy(old);
    await jobReaches(job, "COMPLETED", 90);
    await configure({ rotation: undefined });
  });

  it("somebody scales the operator up meanwhile => stopped again, completed", async () => {
    await configure({ keySeed: "with a helping hand" });
    const meddle = comesTo("the quiesce", ({ step }) => step === "quiesce").then(() =>
      kubectl(["scale", "deployment/slurm-operator", "--namespace", "slinky", "--replicas=1"]),
    );
    const [{ code, all }] = await Promise.all([pulumiUp(), meddle]);
    assert.equal(code, 0, all);
    await assertServedBy(await servedKey());
  });

  it("the API server away for 30 s in the restore => completed", async () => {
    await configure({ keySeed: "without an API server" });
    const pause = comesTo("the restore", ({ step }) => step === "restore").then(async () => {
      await execute("docker", ["pause", `${kindName}-control-plane`]);
      await new Promise((resolve) => setTimeout(resolve, 30_000));
      await execute("docker", ["unpause", `${kindName}-control-plane`]);
    });
    const [{ code, all }] = await Promise.all([pulumiUp(), pause]);
    assert.equal(code, 0, all);
    await assertServedBy(await servedKey());
  });

  it("a second rotation at the same time => refused, naming the holder of the Lease", async () => {
    await configure({ keySeed: "the first of two" });
    const running = await start("pulumi", upWords, { timeoutSeconds: 600 });
    await comesTo("the drain", ({ step }) => step === "drain");
    const { result } = await rotateInProcess((ports) => ports);
    assert.equal(result.outcome, "refused");
    assert.match(result.message, /another run changes this key: \S+ holds Lease .* since /);
    const { code, all } = await running.ended;
    assert.equal(code, 0, all);
    await assertServedBy(await servedKey());
  });

  it("guard and Secret deleted by hand => a refreshing up puts both back, without a rotation", async () => {
    await configure({ keySeed: await servedSeed(), rotation: undefined });
    const served = await servedKey();
    const guard = ["validatingadmissionpolicybinding", "slinky-stack-keys.slurm"];
    await kubectl(["delete", ...guard]);
    await until("the guard to be off", 30, async () => {
      const words = ["delete", "secret", "slurm-auth", ...inSlurm, "--wait=false"];
      return (await kubectl(words)).code === 0;
    });
    const { code, all } = await pulumi(["up", "--yes", "--skip-preview", "--refresh"], 1200);
    assert.equal(code, 0, all);
    assert.equal((await kubectl(["get", ...guard])).code, 0);
    assert.equal(await servedKey(), served);
    await assertServedBy(served);
  });

  it("the first seed again => the first key again", async () => {
    await configure({ keySeed: "initial" });
    const { code, all } = await pulumiUp();
    assert.equal(code, 0, all);
    assert.equal(await servedKey(), first);
    await assertServedBy(first);
  });
});
