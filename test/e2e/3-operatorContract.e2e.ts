import { strict as assert } from "node:assert";
import { inController, kubectl, kubectlJson, until } from "./support/lab.ts";

/**
 * What the rotation relies on, asked of the operator that runs: the lab's stand-in, or the real
 * one where LAB_BUNDLE brings it. Both must pass (slinky-contract §3, §4).
 */

interface Meta {
  metadata: {
    name: string;
    uid: string;
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
}
interface SlurmNode {
  name: string;
  state: string[];
  reason: string;
}

const inSlurm = ["--namespace", "slurm"];
const worker = (name: string): Promise<Meta> => kubectlJson(["get", "pod", name, ...inSlurm]);

async function node(name: string): Promise<SlurmNode> {
  const text = await inController("scontrol", "show", "node", name, "--json");
  const { nodes } = JSON.parse(text) as { nodes: SlurmNode[] };
  assert.ok(nodes[0], `Slurm knows ${name}`);
  return nodes[0];
}

const idle = async (name: string): Promise<boolean> => {
  const { state } = await node(name);
  return state.includes("IDLE") && !state.some((flag) => /DRAIN|DOWN|NOT_RESPONDING/.test(flag));
};

describe("operator contract", () => {
  it("another slurmKeyRef name => refused by admission", async () => {
    const patch = '{"spec":{"slurmKeyRef":{"name":"another","key":"slurm.key"}}}';
    const { code, all } = await kubectl([
      "patch",
      "controllers.slinky.slurm.net",
      "slurm",
      ...inSlurm,
      "--type",
      "merge",
      "--patch",
      patch,
    ]);
    assert.notEqual(code, 0);
    assert.match(all, /SlurmKeyRef/i);
  });

  it("key hashes => on the controller's pod template only", async () => {
    const hash = "slinky.slurm.net/slurm-key-hash";
    const controller = await worker("slurm-controller-0");
    assert.match(controller.metadata.annotations?.[hash] ?? "", /^[0-9a-f]+$/);
    for (const name of ["slurm-worker-compute-0", "slurm-worker-debug-0"]) {
      assert.equal((await worker(name)).metadata.annotations?.[hash], undefined, name);
    }
  });

  it("a rollout restart of the controller => reverted", async () => {
    const before = await worker("slurm-controller-0");
    assert.equal(
      (await kubectl(["rollout", "restart", "statefulset", "slurm-controller", ...inSlurm])).code,
      0,
    );
    await until("the restart annotation reverted", 60, async () => {
      const set = await kubectlJson<{ spec: { template: Meta } }>([
        "get",
        "statefulset",
        "slurm-controller",
        ...inSlurm,
      ]);
      return (
        set.spec.template.metadata.annotations?.["kubectl.kubernetes.io/restartedAt"] === undefined
      );
    });
    await until(
      "slurmctld ready",
      120,
      async () =>
        (
          await kubectl([
            "wait",
            "--for=condition=Ready",
            "pod/slurm-controller-0",
            ...inSlurm,
            "--timeout=1s",
          ])
        ).code === 0,
    );
    assert.equal((await worker("slurm-controller-0")).metadata.name, before.metadata.name);
  });

  it("a foreign replica count of the controller => reverted", async () => {
    await kubectl(["scale", "statefulset", "slurm-controller", ...inSlurm, "--replicas", "0"]);
    await until("one controller replica again", 60, async () => {
      const set = await kubectlJson<{ spec: { replicas: number } }>([
        "get",
        "statefulset",
        "slurm-controller",
        ...inSlurm,
      ]);
      return set.spec.replicas === 1;
    });
    await until(
      "slurmctld answers",
      180,
      async () =>
        (
          await kubectl([
            "wait",
            "--for=condition=Ready",
            "pod/slurm-controller-0",
            ...inSlurm,
            "--timeout=1s",
          ])
        ).code === 0,
    );
  });

  it("a deleted worker pod => DOWN by preStop, replaced, and idle again (ReturnToService=2)", async () => {
    // The controller of the test before may still be on its way out.
    await until("compute-1 idle before", 180, () => idle("compute-1").catch(() => false));
    const before = await worker("slurm-worker-compute-1");
    const gone = kubectl(["delete", "pod", "slurm-worker-compute-1", ...inSlurm]);
    let sawTermination = false;
    await until("a new worker pod", 180, async () => {
      const { state, reason } = await node("compute-1");
      sawTermination ||=
        state.includes("DOWN") && reason.includes("slurm-operator: Pod is terminating");
      const now = await worker("slurm-worker-compute-1").catch(() => undefined);
      return now !== undefined && now.metadata.uid !== before.metadata.uid;
    });
    assert.equal((await gone).code, 0);
    assert.ok(sawTermination, "the preStop hook set the node DOWN with the operator's reason");
    await until("compute-1 idle after", 180, () => idle("compute-1"));
  });

  it("a node drained by somebody else => left alone, reason included", async () => {
    const reason = "bad DIMM, ticket 7";
    await inController("scontrol", "update", "NodeName=debug-0", "State=DRAIN", `Reason=${reason}`);
    await kubectl([
      "annotate",
      "nodesets.slinky.slurm.net",
      "slurm-worker-debug",
      ...inSlurm,
      "--overwrite",
      `test/nudge=${Date.now()}`,
    ]);
    await new Promise((resolve) => setTimeout(resolve, 35_000)); // one resync of the operator
    const { state, reason: kept } = await node("debug-0");
    assert.ok(state.includes("DRAIN"), state.join("+"));
    assert.equal(kept, reason);
    await inController("scontrol", "update", "NodeName=debug-0", "State=RESUME");
  });

  it("fewer replicas under a running job => drained first, the job ends COMPLETED", async () => {
    await until("compute-1 idle", 120, () => idle("compute-1"));
    const submit = [
      "--parsable",
      "--nodelist=compute-1",
      "--partition=compute",
      "--output=/dev/null",
    ];
    const id = (await inController("sbatch", ...submit, "--wrap", "sleep 25")).trim();
    await until("the job runs", 60, async () =>
      (await inController("squeue", "--noheader", "--job", id, "--format=%T")).includes("RUNNING"),
    );
    const scale = (count: number): Promise<{ code: number | null }> =>
      kubectl([
        "scale",
        "nodesets.slinky.slurm.net",
        "slurm-worker-compute",
        ...inSlurm,
        `--replicas=${count}`,
      ]);
    assert.equal((await scale(1)).code, 0);
    await until(
      "the worker is gone",
      240,
      async () => (await kubectl(["get", "pod", "slurm-worker-compute-1", ...inSlurm])).code !== 0,
    );
    const { jobs } = JSON.parse(await inController("scontrol", "show", "job", id, "--json")) as {
      jobs: { job_state: string[]; restart_cnt: number }[];
    };
    assert.deepEqual(jobs[0]?.job_state, ["COMPLETED"]);
    assert.equal(jobs[0]?.restart_cnt, 0);
    assert.equal((await scale(2)).code, 0);
    await until("compute-1 idle again", 240, () => idle("compute-1"));
  });
});
