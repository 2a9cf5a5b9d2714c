import { strict as assert } from "node:assert";

import { toStackOutputs } from "../../cli/stackOutputs.ts";

const complete = {
  kubeconfig: { value: "apiVersion: v1", secret: true },
  context: { value: "kind-slinky", secret: false },
  clusterKind: { value: "kind", secret: false },
  kindName: { value: "slinky", secret: false },
  slurmNamespace: { value: "slurm", secret: false },
  operatorNamespace: { value: "slinky", secret: false },
  slurmRelease: { value: "slurm", secret: false },
  slurmClusterName: { value: "slurm_slurm", secret: false },
  nodeSets: { value: { compute: { replicas: 2, partition: "compute" } }, secret: false },
  keyFingerprint: { value: "0123456789ab", secret: false },
};

describe("toStackOutputs", () => {
  it("a complete stack => typed", () => {
    const outputs = toStackOutputs("dev", complete);
    assert.equal(outputs.slurmNamespace, "slurm");
    assert.deepEqual(outputs.nodeSets, { compute: { replicas: 2, partition: "compute" } });
  });

  it("a NodeSet whose partition is not named => the partition of its own name", () => {
    const nodeSets = { value: { gpu: { replicas: 1 } }, secret: false };
    assert.equal(
      toStackOutputs("dev", { ...complete, nodeSets }).nodeSets["gpu"]?.partition,
      "gpu",
    );
  });

  it("a NodeSet that an autoscaler owns => said so; accounting on => said so", () => {
    const owned = { replicas: 1, partition: "gpu", replicasOwnedBy: "autoscaler" };
    const nodeSets = { value: { gpu: owned }, secret: false };
    const accounting = { value: true, secret: false };
    const outputs = toStackOutputs("dev", { ...complete, nodeSets, accounting });
    assert.deepEqual(outputs.nodeSets["gpu"], owned);
    assert.equal(outputs.accounting, true);
    assert.equal(toStackOutputs("dev", complete).accounting, false);
  });

  for (const missing of ["kubeconfig", "slurmNamespace", "keyFingerprint"] as const) {
    it(`no ${missing} => an error that says what to do`, () => {
      const rest = Object.fromEntries(
        Object.entries(complete).filter(([name]) => name !== missing),
      );
      assert.throws(
        () => toStackOutputs("dev", rest),
        new RegExp(`no output "${missing}".*npm run up`),
      );
    });
  }
});
