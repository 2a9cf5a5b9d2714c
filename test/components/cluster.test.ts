import { strict as assert } from "node:assert";
import { openCluster } from "../../components/cluster.ts";
import { recordProgram, type RecordedResource, resourceNamed } from "../support/pulumiMocks.ts";

const kind = {
  kind: "kind",
  name: "slinky",
  workers: 2,
  nodeImage: "lab/node:v1.34.4",
  kubeadmPatches: [{ kind: "KubeletConfiguration", cgroupDriver: "cgroupfs" }],
  minimumFreeGiB: 10,
  timeoutSeconds: 300,
} as const;

const archive = {
  path: "/bundle/slurm.tar",
  images: [{ reference: "lab/slurmd:1", id: "sha256:aa" }],
};

const names = (recorded: readonly RecordedResource[]) =>
  recorded.map(({ type, name }) => `${type} ${name}`);

describe("openCluster", () => {
  it("kind => the cluster's command and an explicit provider", async () => {
    const recorded = await recordProgram(() => openCluster(kind, []));
    assert.deepEqual(names(recorded), [
      "slinky-stack:components:KindCluster kind",
      "command:local:Command kind",
      "pulumi:providers:kubernetes kind-provider",
    ]);
    const command = resourceNamed(recorded, "command:local:Command", "kind");
    assert.equal(command.inputs.create, "node components/kind/main.ts ensure");
    assert.equal(command.inputs.update, "node components/kind/main.ts ensure");
    assert.equal(command.inputs.delete, "node components/kind/main.ts delete");
    assert.equal(command.inputs.logging, "none");
    assert.deepEqual(command.inputs.triggers, ["slinky"]);
    assert.deepEqual(command.secretOutputs, ["stdout"]);
    const environment = command.inputs.environment as Record<string, string>;
    assert.deepEqual(JSON.parse(environment.SLINKY_KIND_SETTINGS ?? ""), {
      name: "slinky",
      stack: "slinky-stack/test",
      workers: 2,
      nodeImage: "lab/node:v1.34.4",
      kubeadmPatches: kind.kubeadmPatches,
      minimumFreeGiB: 10,
      timeoutSeconds: 300,
    });
    const provider = resourceNamed(recorded, "pulumi:providers:kubernetes", "kind-provider");
    assert.deepEqual(provider.inputs, {
      kubeconfig: "the kubeconfig",
      context: "kind-slinky",
      clusterIdentifier: "kind/slinky",
      deleteUnreachable: "false",
    });
    assert.ok(provider.secretInputs.includes("kubeconfig"));
  });

  it("kind with image archives => a second command, after the cluster and deleted with it", async () => {
    const recorded = await recordProgram(() => openCluster(kind, [archive]));
    const cluster = resourceNamed(recorded, "command:local:Command", "kind");
    const images = resourceNamed(recorded, "command:local:Command", "kind-images");
    assert.equal(images.inputs.create, "node components/kind/main.ts load-images");
    assert.equal(images.inputs.update, "node components/kind/main.ts load-images");
    assert.equal(images.inputs.delete, undefined);
    const environment = images.inputs.environment as Record<string, string>;
    assert.deepEqual(JSON.parse(environment.SLINKY_KIND_SETTINGS ?? ""), {
      name: "slinky",
      archives: [archive],
      timeoutSeconds: 300,
    });
    assert.ok(images.dependencies.includes(cluster.urn));
    assert.equal(images.deletedWith, cluster.urn);
  });

  it("kind => what is placed in it waits for the images and dies with the cluster", async () => {
    await recordProgram(() => {
      const { placement, provider } = openCluster(kind, [archive]);
      assert.deepEqual(placement.providers, [provider]);
      assert.equal(placement.dependsOn.length, 2);
      assert.ok(placement.deletedWith);
    });
  });

  it("existing => nothing but a provider with the named context", async () => {
    const config = { kind: "existing", kubeconfig: "my kubeconfig", context: "prod" } as const;
    const recorded = await recordProgram(() => {
      const { placement } = openCluster(config, [archive]);
      assert.equal(placement.deletedWith, undefined);
    });
    assert.deepEqual(names(recorded), [
      "slinky-stack:components:ExistingCluster existing",
      "pulumi:providers:kubernetes existing-provider",
    ]);
    const provider = resourceNamed(recorded, "pulumi:providers:kubernetes", "existing-provider");
    assert.deepEqual(provider.inputs, {
      kubeconfig: "my kubeconfig",
      context: "prod",
      clusterIdentifier: "existing/prod",
      deleteUnreachable: "false",
    });
    assert.ok(provider.secretInputs.includes("kubeconfig"));
  });
});
