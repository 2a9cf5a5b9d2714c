import { strict as assert } from "node:assert";
import {
  execute,
  inController,
  kubectl,
  kubectlJson,
  npmRun,
  pulumi,
  start,
  succeed,
  until,
} from "./support/lab.ts";
import { jobReaches, submit } from "./support/slurmJobs.ts";
import { configure } from "./support/stackFile.ts";

interface RotationJournal {
  step: string;
  direction: string;
  outcome?: string;
  report: { outageSeconds: number; stepSeconds: Record<string, number> };
}

const inSlurm = ["--namespace", "slurm"];
const up = (timeoutSeconds = 1200) => pulumi(["up", "--yes", "--skip-preview"], timeoutSeconds);
const fingerprint = async () =>
  (await succeed("pulumi", ["stack", "output", "keyFingerprint"])).trim();

async function journal(): Promise<RotationJournal | undefined> {
  const words = ["get", "configmap", "slinky-stack-rotation", ...inSlurm];
  const { code, stdout } = await kubectl([...words, "--output", "jsonpath={.data.journal\\.json}"]);
  return code === 0 && stdout ? (JSON.parse(stdout) as RotationJournal) : undefined;
}

/** Does something once the running rotation has come to a step, or turned back. */
const atStep = (what: string, reached: (journal: RotationJournal) => boolean) =>
  until(what, 600, async () => {
    const now = await journal();
    return now !== undefined && now.outcome === undefined && reached(now);
  });

/** Every holder carries the key, and nothing of a rotation is left. */
async function assertServedBy(expected: string): Promise<void> {
  const { code, stdout } = await npmRun("status");
  assert.equal(code, 0, stdout);
  assert.ok(stdout.split(expected).length > 5, `the fingerprint at every holder:\n${stdout}`);
  assert.match(await inController("scontrol", "show", "reservation"), /No reservations/);
  assert.doesNotMatch(
    await inController("sinfo", "--list-reasons", "--noheader"),
    /auth-key-rotation/,
  );
  const staged = await kubectlJson<{ items: unknown[] }>([
    ...["get", "secrets", ...inSlurm, "--selector", "slinky-stack.dev/role=staged-key"],
  ]);
  assert.deepEqual(staged.items, []);
}

describe("rotation", () => {
  let first: string;

  before(async () => {
    await configure({ keySeed: "initial" });
    const { code, all } = await up();
    assert.equal(code, 0, all);
    first = await fingerprint();
  });

  after(async () => {
    for (const node of ["worker", "worker2"]) await kubectl(["uncordon", `slinky-e2e-${node}`]);
    await kubectl(["delete", "pod", "stranger", ...inSlurm, "--ignore-not-found", "--now"]);
  });

  it("a preview of another seed => tells the plan, changes nothing", async () => {
    await configure({ keySeed: "second" });
    const { code, all } = await pulumi(["preview"]);
    assert.equal(code, 0, all);
    assert.match(
      all,
      new RegExp(`rotated from ${first} to [0-9a-f]{12}; nodes to drain: compute-0`),
    );
    assert.equal(await journal(), undefined);
    await assertServedBy(first);
  });

  it("another seed under load => all jobs COMPLETED, in order, none requeued", async () => {
    const running = await submit("srun sleep 30", "--nodes=2", "--partition=compute");
    await jobReaches(running, "RUNNING", 60);
    const pending: string[] = [];
    for (let count = 0; count < 5; count++) {
      pending.push(await submit("srun hostname", "--nodes=2", "--partition=compute"));
    }
    const rotation = await start("pulumi", [
      ...[
        "up",
        "--yes",
        "--skip-preview",
        "--stack",
        "e2e",
        "--non-interactive",
        "--color",
        "never",
      ],
    ]);
    let isOver = false;
    void rotation.ended.then(() => (isOver = true));
    const accepted: string[] = [];
    let [gap, longestGap] = [Date.now(), 0];
    while (!isOver) {
      const id = await submit("true", "--partition=debug").catch(() => undefined);
      if (id) {
        longestGap = Math.max(longestGap, Date.now() - gap);
        gap = Date.now();
        accepted.push(id);
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const { code, all, seconds } = await rotation.ended;
    assert.equal(code, 0, all);
    assert.match(all, /ok +verify/);
    for (const id of [running, ...pending, ...accepted]) {
      await jobReaches(id, "COMPLETED", 120);
      assert.match(await inController("scontrol", "show", "job", id), /Restarts=0/);
    }
    const starts = await Promise.all(
      pending.map(
        async (id) =>
          /StartTime=(\S+)/.exec(await inController("scontrol", "show", "job", id))?.[1],
      ),
    );
    assert.deepEqual(starts, [...starts].sort(), "in order");
    assert.notEqual(await fingerprint(), first);
    await assertServedBy(await fingerprint());
    const report = (await journal())?.report;
    console.log(`      update ${seconds.toFixed(0)} s, slurmctld away ${report?.outageSeconds} s`);
    console.log(
      `      ${accepted.length} jobs submitted meanwhile, longest gap ${longestGap / 1000} s`,
    );
  });

  it("nothing comes up with the new key => rolled back, the old key serves", async () => {
    const old = await fingerprint();
    await configure({ keySeed: "third", rotation: { restoreTimeoutSeconds: 90 } });
    const nodes = ["slinky-e2e-worker", "slinky-e2e-worker2"];
    const spoil = atStep("the restore", ({ step }) => step === "restore").then(() =>
      kubectl(["cordon", ...nodes]),
    );
    const heal = atStep("the rollback", ({ direction }) => direction === "back").then(() =>
      kubectl(["uncordon", ...nodes]),
    );
    const [{ code, all }] = await Promise.all([up(), spoil, heal]);
    assert.notEqual(code, 0);
    assert.match(
      all,
      /rotation stopped at "(restore|verify)" .*Rolled back; the cluster uses key/s,
    );
    assert.equal(await fingerprint(), old);
    await assertServedBy(old);
  });

  it("the previous seed after a rollback => no change at all", async () => {
    await configure({ keySeed: "second", rotation: undefined });
    const { code, all } = await pulumi(["preview", "--expect-no-changes"]);
    assert.equal(code, 0, all);
  });

  it("a pod takes the key while nobody may => rolled back, the pod is named", async () => {
    const old = await fingerprint();
    await configure({ keySeed: "third", rotation: { quiesceTimeoutSeconds: 40 } });
    const overrides = {
      spec: {
        volumes: [{ name: "key", secret: { secretName: "slurm-auth" } }],
        containers: [
          {
            ...{ name: "stranger", image: "lab/slurmd:26.05.5", command: ["sleep", "600"] },
            volumeMounts: [{ name: "key", mountPath: "/key" }],
          },
        ],
      },
    };
    const spoil = atStep("the quiesce", ({ step }) => step === "quiesce").then(() =>
      kubectl([
        ...["run", "stranger", ...inSlurm, "--image=lab/slurmd:26.05.5", "--restart=Never"],
        `--overrides=${JSON.stringify(overrides)}`,
      ]),
    );
    const heal = atStep("the rollback", ({ direction }) => direction === "back").then(() =>
      kubectl(["delete", "pod", "stranger", ...inSlurm, "--now"]),
    );
    const [{ code, all }] = await Promise.all([up(), spoil, heal]);
    assert.notEqual(code, 0);
    assert.match(all, /stranger@/);
    await assertServedBy(old);
  });

  for (const step of ["drain", "quiesce", "swap", "restore", "verify"]) {
    it(`killed in ${step} => the next up ends on one key`, async () => {
      await configure({ keySeed: `killed in ${step}`, rotation: undefined });
      const words = ["up", "--yes", "--skip-preview", "--stack", "e2e", "--non-interactive"];
      const running = await start("pulumi", words);
      await atStep(step, (now) => now.step === step);
      running.kill();
      await running.ended;
      await execute("pulumi", ["cancel", "--yes", "--stack", "e2e"]);
      const { code, all } = await up();
      assert.equal(code, 0, all);
      await assertServedBy(await fingerprint());
    });
  }

  it("a node that an admin drained => the same reason after a rotation", async () => {
    const reason = 'bad DIMM, "ticket 7"';
    await inController("scontrol", "update", "nodename=debug-0", "state=drain", `reason=${reason}`);
    await configure({ keySeed: "with an admin's drain" });
    const { code, all } = await up();
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

  it("the first seed again => the first key again", async () => {
    await configure({ keySeed: "initial" });
    const { code, all } = await up();
    assert.equal(code, 0, all);
    assert.equal(await fingerprint(), first);
    await assertServedBy(first);
  });
});
