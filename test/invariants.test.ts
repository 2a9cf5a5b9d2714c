import { strict as assert } from "node:assert";
import { recordProgram, type RecordedResource, runProgram } from "./support/pulumiMocks.ts";

const nodeSets = JSON.stringify({ compute: { replicas: 2, default: true } });

describe("invariants of the whole program", () => {
  let recorded: RecordedResource[];

  before(async function () {
    this.timeout(30_000);
    recorded = await recordProgram(runProgram, { "slinky-stack:nodeSets": nodeSets });
  });

  const components = () => recorded.filter(({ custom }) => !custom);
  const children = () => recorded.filter(({ custom }) => custom);

  it("every component => registers its outputs exactly once", () => {
    assert.equal(components().length, 6);
    for (const { name, outputsRegistered } of components()) {
      assert.equal(outputsRegistered, 1, name);
    }
  });

  it("every other resource => a child of one of our components, named after it", () => {
    for (const { name, parent } of children()) {
      const component = components().find(({ urn }) => urn === parent);
      assert.ok(component, `${name} has no component as parent`);
      assert.ok(
        name === component.name || name.startsWith(`${component.name}-`),
        `${name} is not named after ${component.name}`,
      );
    }
  });

  it("every Kubernetes resource => the explicit provider of the stack's cluster (R21)", () => {
    const kubernetes = children().filter(({ type }) => type.startsWith("kubernetes:"));
    assert.equal(kubernetes.length, 18);
    for (const { name, provider } of kubernetes) assert.equal(provider, "kind-provider", name);
  });

  it("everything in the KinD cluster => deleted with it", () => {
    const cluster = children().find(({ name }) => name === "kind");
    const inside = children().filter(({ parent }) => !parent.endsWith("KindCluster::kind"));
    assert.equal(inside.length, 24);
    for (const { name, deletedWith } of inside) assert.equal(deletedWith, cluster?.urn, name);
  });

  it("no Secret resource => the keys are in nobody's hands but the key resources'", () => {
    assert.deepEqual(
      recorded.filter(({ type }) => type.includes("Secret")),
      [],
    );
  });

  it("login and accounting on => one Secret, the database's; the rules above still hold", async () => {
    const everything = await recordProgram(runProgram, {
      "slinky-stack:nodeSets": nodeSets,
      "slinky-stack:accounting": JSON.stringify({ enabled: true }),
      "slinky-stack:loginSets": JSON.stringify({ login: {} }),
      "slinky-stack:sssdSecret": JSON.stringify({ name: "directory" }),
    });
    const secrets = everything.filter(({ type }) => type.includes("Secret"));
    assert.deepEqual(
      secrets.map(({ name, inputs }) => [name, inputs.immutable]),
      [["slurm-database-password", true]],
    );
    const cluster = everything.find(({ name, custom }) => custom && name === "kind");
    for (const { name, deletedWith, provider } of everything.filter(({ parent }) =>
      parent.includes("MariaDb"),
    )) {
      assert.equal(deletedWith, cluster?.urn, name);
      assert.equal(provider, "kind-provider", name);
    }
    for (const { name, custom, outputsRegistered } of everything) {
      if (!custom) assert.equal(outputsRegistered, 1, name);
    }
  });

  it("the same configuration run twice => the same inputs everywhere (R06)", async () => {
    const again = await recordProgram(runProgram, { "slinky-stack:nodeSets": nodeSets });
    const inputsOf = (resources: readonly RecordedResource[]) =>
      Object.fromEntries(resources.map(({ urn, inputs }) => [urn, inputs]));
    assert.deepEqual(inputsOf(again), inputsOf(recorded));
  });

  it("a bad value => refused before any resource is registered", async () => {
    const config = { "slinky-stack:nodeSets": nodeSets, "slinky-stack:cluster": "minikube" };
    const seen: RecordedResource[] = [];
    await assert.rejects(
      recordProgram(async () => {
        await runProgram();
      }, config).then((all) => seen.push(...all)),
      /cluster: "minikube" is not allowed; allowed: kind or existing/,
    );
    assert.deepEqual(seen, []);
  });
});
