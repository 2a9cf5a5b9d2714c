import { strict as assert } from "node:assert";
import { inController, kindName, kubectl, pulumi, start, until } from "./support/lab.ts";
import {
  assertServedBy,
  bringUpForRotations,
  inSlurm,
  journal,
  mountKeyInStranger,
  rotateInProcess,
  servedKey,
} from "./support/rotations.ts";
import { jobReaches, recordedState, submit } from "./support/slurmJobs.ts";
import { configure } from "./support/stackFile.ts";

/** Nodes of the cluster that run Slurm's pods. */
const workers = [`${kindName}-worker`, `${kindName}-worker2`];

/** Records of all jobs that slurmctld knows, by id. */
async function allJobs(): Promise<Map<string, string>> {
  const lines = (await inController("scontrol", "--oneliner", "show", "job")).split("\n");
  return new Map(lines.map((line) => [/^JobId=(\d+)/.exec(line)?.[1] ?? "", line]));
}

describe("rotation", () => {
  let first: string;

  before(async () => {
    first = await bringUpForRotations();
  });

  after(async () => {
    for (const name of ["stranger-0", "stranger-1"])
      await kubectl(["delete", "pod", name, ...inSlurm, "--ignore-not-found", "--now"]);
  });

  it("a preview of another seed => tells the plan, changes nothing", async () => {
    await configure({ keySeed: "second" });
    const { code, all } = await pulumi(["preview"]);
    await configure({ keySeed: "initial" });
    assert.equal(code, 0, all);
    assert.match(
      all,
      new RegExp(
        `rotated from ${first} to [0-9a-f]{12}; nodes to drain: compute-\\[0-1\\],debug-\\[0-1\\]`,
      ),
    );
    assert.equal(await journal(), undefined);
  });

  it("rotate under load => all jobs COMPLETED, in order, none requeued", async () => {
    const running = await submit("srun sleep 30", "--nodes=2", "--partition=compute");
    await jobReaches(running, "RUNNING", 60);
    const pending: string[] = [];
    for (let count = 0; count < 5; count++) {
      pending.push(await submit("srun hostname", "--nodes=2", "--partition=compute"));
    }
    const rotation = await start("npm", ["run", "--silent", "rotate", "--", "--seed", "second"], {
      timeoutSeconds: 600,
    });
    let isOver = false;
    void rotation.ended.then(() => (isOver = true));
    const accepted: string[] = [];
    let [gap, longestGap, refused] = [Date.now(), 0, 0];
    while (!isOver) {
      const id = await submit("true", "--partition=debug").catch(() => undefined);
      if (id) {
        longestGap = Math.max(longestGap, Date.now() - gap);
        gap = Date.now();
        accepted.push(id);
      } else refused++;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const { code, all, seconds } = await rotation.ended;
    assert.equal(code, 0, all);
    assert.match(all, /ok +verify/);
    assert.match(all, /generation 2, begun .*: completed/);
    let jobs = new Map<string, string>();
    await until("every accepted job COMPLETED", 120, async () => {
      jobs = await allJobs();
      return [running, ...pending, ...accepted].every((id) =>
        jobs.get(id)?.includes("JobState=COMPLETED"),
      );
    });
    for (const id of [running, ...pending, ...accepted]) {
      assert.match(jobs.get(id) ?? "", /Restarts=0/, id);
    }
    const starts = pending.map((id) => /StartTime=(\S+)/.exec(jobs.get(id) ?? "")?.[1]);
    assert.deepEqual(starts, [...starts].sort(), "in order");
    await until("its record", 60, async () => (await recordedState(running)) === "COMPLETED");
    const now = await servedKey();
    assert.notEqual(now, first);
    await assertServedBy(now);
    const report = (await journal())?.report;
    console.log(`      command ${seconds.toFixed(0)} s, slurmctld away ${report?.outageSeconds} s`);
    console.log(`      ${JSON.stringify(report?.stepSeconds)}`);
    console.log(
      `      ${accepted.length} jobs accepted meanwhile, ${refused} refused, ` +
        `longest gap ${longestGap / 1000} s`,
    );
  });

  it("R01: the kubelets serve the old key from their cache => seen, rolled back", async () => {
    const served = await servedKey();
    const { result, lines } = await rotateInProcess((ports) => ({
      ...ports,
      secrets: {
        ...ports.secrets,
        // The predecessor's fault: the Secret is recreated while a pod on each node references it.
        async remove(name, uid) {
          const live = name === "slurm-auth" && (await journal())?.direction === "forward";
          if (live) {
            for (const [index, node] of workers.entries())
              await mountKeyInStranger(`stranger-${index}`, node);
            const strangers = ["pod/stranger-0", "pod/stranger-1", "--for=condition=Ready"];
            const ready = await kubectl(["wait", ...strangers, ...inSlurm, "--timeout=60s"]);
            assert.equal(ready.code, 0, ready.all);
          }
          return ports.secrets.remove(name, uid);
        },
      },
      probe: {
        ...ports.probe,
        // They are gone before anything is verified, so that only the files can tell.
        async keyFile(pod) {
          const names = ["stranger-0", "stranger-1"];
          await kubectl(["delete", "pod", ...names, ...inSlurm, "--ignore-not-found", "--now"]);
          return ports.probe.keyFile(pod);
        },
      },
      workloads: {
        ...ports.workloads,
        pods: async () =>
          (await ports.workloads.pods()).filter(({ name }) => !name.startsWith("stranger-")),
      },
    }));
    assert.equal(result.outcome, "rolledBack", `${result.message}\n${lines.join("\n")}`);
    assert.match(result.message, /did not arrive in .*slurm-controller-0@.*cached Secret \(R01\)/);
    await assertServedBy(served);
  });
});
