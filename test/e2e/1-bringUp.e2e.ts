import { strict as assert } from "node:assert";
import { pins } from "../../lab/pins.ts";
import {
  execute,
  kindName,
  kubectl,
  kubectlJson,
  kubeconfigFile,
  npmRun,
  openLab,
  pulumi,
  start,
  succeed,
  until,
} from "./support/lab.ts";

const nodeImage = `lab/node:${pins.kubernetes}`;

interface PodList {
  items: { metadata: { name: string; uid: string }; status: { phase: string } }[];
}

const containers = async (): Promise<string[]> => {
  const filter = `label=io.x-k8s.kind.cluster=${kindName}`;
  const names = await succeed("docker", [
    "ps",
    "--all",
    "--filter",
    filter,
    "--format",
    "{{.Names}}",
  ]);
  return names.split("\n").filter(Boolean);
};

/** Helm's records of one release, with their states. */
const helmRecords = async (namespace: string, release: string): Promise<string[]> => {
  const selector = `owner=helm,name=${release}`;
  const words = ["get", "secrets", "--namespace", namespace, "--selector", selector];
  const { code, stdout } = await kubectl([
    ...words,
    "--output",
    "jsonpath={.items[*].metadata.labels.status}",
  ]);
  return code === 0 ? stdout.split(" ").filter(Boolean) : [];
};

/** Moments in a first bring-up at which it is killed, in the order in which they come. */
const moments: [name: string, reached: () => Promise<boolean>][] = [
  ["while kind creates nodes", async () => (await containers()).length > 0],
  [
    "while images are loaded into the nodes",
    async () => (await kubectl(["get", "nodes"])).code === 0,
  ],
  [
    "while cert-manager is being installed",
    async () => (await helmRecords("cert-manager", "cert-manager")).includes("pending-install"),
  ],
  [
    "while the operator is being installed",
    async () => (await helmRecords("slinky", "slurm-operator")).length > 0,
  ],
  ["while Slurm is being installed", async () => (await helmRecords("slurm", "slurm")).length > 0],
];

describe("bring-up", () => {
  before(async () => {
    await openLab();
    // A suite that was killed leaves its cluster; these names are the suite's own.
    for (const name of await containers())
      await succeed("docker", ["rm", "--force", "--volumes", name]);
    await execute("rm", ["-rf", ".slinky/kind/" + kindName]);
    await pulumi(["stack", "rm", "--force", "--yes"]);
  });

  it("an empty stack and no cluster => preview works and makes nothing", async () => {
    const made = await pulumi(["stack", "init"]);
    assert.equal(made.code, 0, made.all);
    const { code, all } = await pulumi(["preview"]);
    assert.equal(code, 0, all);
    assert.match(all, /kubernetes:helm\.sh\/v3:Release\s+slurm\s+create/);
    assert.deepEqual(await containers(), []);
  });

  it("a KinD cluster of the same name that is not ours => refused, never deleted", async () => {
    const foreign = `${kindName}-control-plane`;
    const label = `io.x-k8s.kind.cluster=${kindName}`;
    const role = "io.x-k8s.kind.role=control-plane";
    await succeed("docker", [
      "create",
      "--name",
      foreign,
      "--label",
      label,
      "--label",
      role,
      nodeImage,
    ]);
    const { code, all } = await npmRun("up");
    assert.notEqual(code, 0);
    assert.match(all, /kindName/);
    assert.deepEqual(await containers(), [foreign]);
    await succeed("docker", ["rm", "--volumes", foreign]);
  });

  for (const [name, reached] of moments) {
    it(`up killed ${name} => the next up goes on`, async () => {
      const running = await start("npm", ["run", "--silent", "up"], { timeoutSeconds: 600 });
      let ended = false;
      void running.ended.then(() => (ended = true));
      await until(name, 400, async () => {
        assert.ok(!ended, `up ended before the moment came:\n${running.output().slice(-3000)}`);
        return reached();
      });
      running.kill();
      assert.equal((await running.ended).code, null);
    });
  }

  it("up after all these kills => converges and ends with the job's output from every node", async () => {
    const { code, stdout, all } = await npmRun("up");
    assert.equal(code, 0, all);
    for (const node of ["compute-0", "compute-1"])
      assert.match(stdout, new RegExp(`\\b${node}\\b`));
  });

  it("up again => no changes", async () => {
    const { code, all } = await npmRun("up");
    assert.equal(code, 0, all);
    assert.match(all, /\b0 changes/);
  });

  it("refresh => no differences", async () => {
    const { code, all } = await pulumi(["refresh", "--yes", "--expect-no-changes"]);
    assert.equal(code, 0, all);
  });

  it("plain pulumi preview => no changes", async () => {
    const { code, all } = await pulumi(["preview", "--expect-no-changes"]);
    assert.equal(code, 0, all);
  });

  it("every pod of the cluster => running", async () => {
    const { items } = await kubectlJson<PodList>(["get", "pods", "--namespace", "slurm"]);
    const names = items.map((pod) => pod.metadata.name).sort();
    assert.deepEqual(
      names.map((name) => name.replace(/-[a-z0-9]+-[a-z0-9]{5}$/, "")),
      [
        "slurm-controller-0",
        "slurm-restapi",
        "slurm-worker-compute-0",
        "slurm-worker-compute-1",
        "slurm-worker-debug-0",
      ],
    );
    for (const pod of items) assert.equal(pod.status.phase, "Running", pod.metadata.name);
  });

  it("status => exit code 0, one fingerprint at every holder", async () => {
    const { code, stdout } = await npmRun("status");
    assert.equal(code, 0, stdout);
    const expected = (await succeed("pulumi", ["stack", "output", "keyFingerprint"])).trim();
    assert.match(expected, /^[0-9a-f]{12}$/);
    assert.ok(stdout.split(expected).length > 5, `the fingerprint at five holders:\n${stdout}`);
  });

  it("job on another partition => COMPLETED with a line from its node", async () => {
    const { code, stdout, all } = await npmRun("job", ["--partition", "debug"]);
    assert.equal(code, 0, all);
    assert.match(stdout, /\bdebug-0\b/);
  });

  it("the kubeconfig of the cluster => in the project only", async () => {
    const home = await execute("grep", ["-c", kindName, `${process.env["HOME"]}/.kube/config`]);
    assert.notEqual(home.code, 0);
    assert.equal((await execute("test", ["-s", kubeconfigFile])).code, 0);
  });
});
