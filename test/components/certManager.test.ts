import { strict as assert } from "node:assert";
import { CertManager, toCertManagerValues } from "../../components/certManager.ts";
import { chartInputs, emptyPaths } from "../support/componentInputs.ts";
import { recordProgram, resourceNamed } from "../support/pulumiMocks.ts";

describe("CertManager", () => {
  it("constructed => a namespace and one pinned release in it", async () => {
    const recorded = await recordProgram(() => new CertManager("cert-manager", chartInputs));
    assert.deepEqual(
      recorded.map(({ type, name }) => `${type} ${name}`),
      [
        "slinky-stack:components:CertManager cert-manager",
        "kubernetes:core/v1:Namespace cert-manager-namespace",
        "kubernetes:helm.sh/v3:Release cert-manager",
      ],
    );
    const namespace = resourceNamed(
      recorded,
      "kubernetes:core/v1:Namespace",
      "cert-manager-namespace",
    );
    assert.deepEqual(namespace.inputs.metadata, { name: "cert-manager" });
    const { inputs, dependencies } = resourceNamed(
      recorded,
      "kubernetes:helm.sh/v3:Release",
      "cert-manager",
    );
    assert.equal(inputs.name, "cert-manager");
    assert.equal(inputs.namespace, "cert-manager");
    assert.equal(inputs.chart, chartInputs.chart.chart);
    assert.equal(inputs.version, "1.2.3");
    assert.equal(inputs.timeout, 600);
    assert.equal(inputs.atomic, false);
    assert.deepEqual(inputs.values, toCertManagerValues(chartInputs));
    assert.ok(dependencies.includes(namespace.urn));
  });
});

describe("toCertManagerValues", () => {
  const values = toCertManagerValues({ ...chartInputs, imagePullSecrets: ["regcred"] });

  it("images => repository and tag of each of the four, so that the chart adds no registry", () => {
    const image = (name: string) => ({ repository: `quay.io/jetstack/${name}`, tag: "v1.21.2" });
    assert.deepEqual(values, {
      crds: { enabled: true },
      global: { imagePullSecrets: [{ name: "regcred" }] },
      image: image("cert-manager-controller"),
      webhook: { image: image("cert-manager-webhook") },
      cainjector: { image: image("cert-manager-cainjector") },
      startupapicheck: { image: image("cert-manager-startupapicheck") },
    });
  });

  it("R38: no explicit null", () => assert.deepEqual(emptyPaths(values), []));
});
