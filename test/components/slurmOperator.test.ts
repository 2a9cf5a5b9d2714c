import { strict as assert } from "node:assert";
import { SlurmOperator, toOperatorValues } from "../../components/slurmOperator.ts";
import { chartInputs, emptyPaths } from "../support/componentInputs.ts";
import { recordProgram, resourceNamed } from "../support/pulumiMocks.ts";

const release = "kubernetes:helm.sh/v3:Release";
const args = {
  ...chartInputs,
  crdsChart: { chart: "oci://registry.example.com/charts/crds", version: "1.2.4" },
};

describe("SlurmOperator", () => {
  it("constructed => a namespace, the CRDs as a release, then the operator", async () => {
    const recorded = await recordProgram(() => new SlurmOperator("slurm-operator", args));
    assert.deepEqual(
      recorded.map(({ type, name }) => `${type} ${name}`),
      [
        "slinky-stack:components:SlurmOperator slurm-operator",
        "kubernetes:core/v1:Namespace slurm-operator-namespace",
        `${release} slurm-operator-crds`,
        `${release} slurm-operator`,
      ],
    );
    const namespace = resourceNamed(
      recorded,
      "kubernetes:core/v1:Namespace",
      "slurm-operator-namespace",
    );
    assert.deepEqual(namespace.inputs.metadata, { name: "slinky" });

    const crds = resourceNamed(recorded, release, "slurm-operator-crds");
    assert.equal(crds.inputs.name, "slurm-operator-crds");
    assert.equal(crds.inputs.namespace, "slinky");
    assert.equal(crds.inputs.chart, args.crdsChart.chart);
    assert.equal(crds.inputs.version, "1.2.4");

    const operator = resourceNamed(recorded, release, "slurm-operator");
    assert.equal(operator.inputs.name, "slurm-operator");
    assert.equal(operator.inputs.namespace, "slinky");
    assert.equal(operator.inputs.chart, args.chart.chart);
    assert.equal(operator.inputs.version, "1.2.3");
    assert.equal(operator.inputs.timeout, 600);
    assert.equal(operator.inputs.atomic, false);
    assert.deepEqual(operator.inputs.values, toOperatorValues(args));
    assert.ok(operator.dependencies.includes(crds.urn), "R38: the operator waits for its CRDs");
  });
});

describe("toOperatorValues", () => {
  const values = toOperatorValues({ ...args, imagePullSecrets: ["regcred"] });

  it("images, certificate and CRDs => as the chart takes them; CRDs are the other release's", () => {
    const image = (name: string) => ({ repository: `ghcr.io/slinkyproject/${name}`, tag: "1.2.1" });
    assert.deepEqual(values, {
      imagePullSecrets: [{ name: "regcred" }],
      crds: { enabled: false },
      certManager: { enabled: true },
      operator: { image: image("slurm-operator") },
      webhook: { image: image("slurm-operator-webhook") },
    });
  });

  it("R38: no explicit null", () => assert.deepEqual(emptyPaths(values), []));
});
