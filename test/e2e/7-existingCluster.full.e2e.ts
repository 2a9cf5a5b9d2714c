import { strict as assert } from "node:assert";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { withoutSalt } from "../../cli/stackSalt.ts";
import { projectFolder } from "../../lab/paths.ts";
import { execute, openLab, succeed } from "./support/lab.ts";

const stack = "e2e-existing";
const cluster = "slinky-e2e-foreign";
const folder = join(projectFolder, ".slinky", "e2e-existing");
const kubeconfig = join(folder, "kubeconfig");
const stackFile = join(projectFolder, `Pulumi.${stack}.yaml`);

const onStack = (args: string[]) =>
  execute("pulumi", [...args, "--stack", stack, "--non-interactive", "--color", "never"], {
    timeoutSeconds: 900,
  });
const kubectl = (...words: string[]) =>
  succeed("kubectl", ["--kubeconfig", kubeconfig, "--request-timeout", "30s", ...words]);

/** Names of everything outside our namespaces that a cluster has of its own. */
async function inventory(): Promise<string[]> {
  const kinds =
    "namespaces,clusterroles,clusterrolebindings,storageclasses,customresourcedefinitions," +
    "validatingadmissionpolicies,validatingadmissionpolicybindings";
  const all = [
    await kubectl("get", kinds, "--output", "name"),
    await kubectl("get", "configmaps,secrets,deployments", "--all-namespaces", "--no-headers"),
  ];
  return all
    .join("\n")
    .split("\n")
    .map((line) => line.split(/\s+/).slice(0, 2).join(" "))
    .filter((name) => name !== "")
    .sort();
}

describe("a cluster that the program did not create", function () {
  let original: string[];

  async function removeCluster(): Promise<void> {
    await succeed("kind", ["delete", "cluster", "--name", cluster, "--kubeconfig", kubeconfig]);
    rmSync(folder, { recursive: true, force: true });
    rmSync(stackFile, { force: true });
  }

  before(async () => {
    const env = await openLab();
    const lab = parse(
      withoutSalt(readFileSync(join(projectFolder, "Pulumi.lab.yaml"), "utf8")),
    ) as { config: Record<string, unknown> };
    const patches = lab.config["slinky-stack:kindKubeadmPatches"] as object[];
    mkdirSync(folder, { recursive: true });
    const config = join(folder, "kind.json");
    writeFileSync(
      config,
      JSON.stringify({
        ...{ kind: "Cluster", apiVersion: "kind.x-k8s.io/v1alpha4", name: cluster },
        nodes: [{ role: "control-plane" }, { role: "worker" }],
        kubeadmConfigPatches: patches.map((patch) => JSON.stringify(patch)),
      }),
    );
    const image = lab.config["slinky-stack:kindNodeImage"] as string;
    const place = ["--kubeconfig", kubeconfig, "--config", config, "--image", image];
    await succeed("kind", ["create", "cluster", ...place, "--wait", "180s"], 400);
    const images = join(env["SLINKY_LAB_BUNDLE"] ?? "", "images");
    for (const archive of readdirSync(images)) {
      const words = ["load", "image-archive", join(images, archive), "--name", cluster];
      await succeed("kind", words, 400);
    }
    for (const name of Object.keys(lab.config)) {
      if (/:kind|:cluster$/.test(name)) delete lab.config[name];
    }
    Object.assign(lab.config, {
      "slinky-stack:cluster": "existing",
      "slinky-stack:kubeconfig": kubeconfig,
      "slinky-stack:context": `kind-${cluster}`,
    });
    writeFileSync(stackFile, stringify(lab));
    await onStack(["stack", "rm", "--force", "--yes"]);
    writeFileSync(stackFile, stringify(lab));
    const made = await onStack(["stack", "init"]);
    assert.equal(made.code, 0, made.all);
    await kubectl("create", "namespace", "tenant");
    await kubectl("create", "configmap", "theirs", "--namespace", "tenant");
    original = await inventory();
  });
  after(removeCluster);

  it("up => a Slurm cluster in it, a job COMPLETED", async () => {
    const up = await execute("npm", ["run", "--silent", "up"], {
      env: { SLINKY_STACK: stack },
      timeoutSeconds: 900,
    });
    assert.equal(up.code, 0, up.all);
    assert.match(up.all, /job \d+ COMPLETED/);
  });

  it("what was there => untouched", async () => {
    const now = new Set(await inventory());
    assert.deepEqual(
      original.filter((name) => !now.has(name)),
      [],
    );
    const outputs = await onStack(["stack", "export"]);
    assert.doesNotMatch(outputs.all, /KindCluster/);
  });

  it("destroy and up again on the same API server => the guard lets both pass", async () => {
    const refused = await onStack(["destroy", "--yes", "--skip-preview"]);
    assert.notEqual(refused.code, 0);
    assert.match(refused.all, /protect/);
    await onStack(["state", "unprotect", "--all", "--yes"]);
    const destroyed = await onStack(["destroy", "--yes", "--skip-preview"]);
    assert.equal(destroyed.code, 0, destroyed.all);
    const up = await execute("npm", ["run", "--silent", "up"], {
      env: { SLINKY_STACK: stack },
      timeoutSeconds: 900,
    });
    assert.equal(up.code, 0, up.all);
    assert.match(up.all, /job \d+ COMPLETED/);
  });

  it("destroy => what was there before and nothing of ours, but what Helm and cert-manager keep", async () => {
    const down = await execute("npm", ["run", "--silent", "down", "--", "--remove-stack"], {
      env: { SLINKY_STACK: stack },
      timeoutSeconds: 600,
    });
    assert.equal(down.code, 0, down.all);
    const after = await inventory();
    const left = after.filter((name) => !original.includes(name));
    assert.deepEqual(
      left.filter((name) => !/customresourcedefinition.*(cert-manager\.io|slinky)/.test(name)),
      [],
    );
    assert.deepEqual(
      original.filter((name) => !after.includes(name)),
      [],
    );
    const namespaces = await kubectl("get", "namespaces", "--output", "name");
    assert.doesNotMatch(namespaces, /slurm|slinky|cert-manager/);
  });
});
