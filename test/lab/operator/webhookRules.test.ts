import { strict as assert } from "node:assert";
import { review } from "../../../lab/operator/webhook/rules.ts";

type Spec = Record<string, unknown>;

const controller: Spec = {
  slurmKeyRef: { name: "slurm-auth", key: "slurm.key" },
  jwtKeyRef: { name: "slurm-jwt", key: "jwt.key" },
  clusterName: "c",
  persistence: { enabled: true },
};
const refs = { controllerRef: { name: "slurm" } };

function verdict(kind: string, before: Spec, after: Spec, operation = "UPDATE"): string {
  const request = {
    uid: "u",
    operation,
    kind: { kind },
    object: { spec: after },
    oldObject: operation === "CREATE" ? null : { spec: before },
  };
  const response = review(request);
  assert.equal(response.uid, "u");
  return response.allowed ? "allowed" : (response.status?.message ?? "");
}

describe("admission rules", () => {
  const refusals: [string, Spec, Spec, string][] = [
    [
      "Controller",
      controller,
      { ...controller, slurmKeyRef: { name: "b", key: "slurm.key" } },
      "SlurmKeyRef",
    ],
    [
      "Controller",
      controller,
      { ...controller, jwtKeyRef: { name: "b", key: "jwt.key" } },
      "JwtKeyRef",
    ],
    [
      "Controller",
      controller,
      { ...controller, jwtKeyRef: { name: "slurm-jwt", key: "b" } },
      "JwtKeyRef",
    ],
    ["Controller", controller, { ...controller, clusterName: "d" }, "ClusterName"],
    [
      "Controller",
      controller,
      { ...controller, persistence: { enabled: false } },
      "Persistence.Enabled",
    ],
    [
      "Accounting",
      controller,
      { ...controller, jwtKeyRef: { name: "b", key: "jwt.key" } },
      "JwtKeyRef",
    ],
    ["Token", controller, { ...controller, jwtKeyRef: { name: "b", key: "jwt.key" } }, "JwtKeyRef"],
    ["NodeSet", refs, { controllerRef: { name: "b" } }, "ControllerRef"],
    ["NodeSet", refs, { ...refs, volumeClaimTemplates: [{}] }, "VolumeClaimTemplates"],
    ["LoginSet", refs, { controllerRef: { name: "b" } }, "ControllerRef"],
    ["RestApi", refs, { controllerRef: { name: "b" } }, "ControllerRef"],
  ];
  for (const [kind, before, after, field] of refusals) {
    it(`${kind}: change of ${field} => refused (${JSON.stringify(after[field] ?? after)})`, () => {
      assert.equal(verdict(kind, before, after), `cannot change ${field} after deployment`);
    });
  }

  it("Controller: another key inside the same Secret, more replicas of anything => allowed", () => {
    const after = {
      ...controller,
      slurmKeyRef: { name: "slurm-auth", key: "other" },
      extraConf: "A=b",
    };
    assert.equal(verdict("Controller", controller, after), "allowed");
  });

  it("Accounting: another slurmKeyRef => allowed", () => {
    const after = { ...controller, slurmKeyRef: { name: "b", key: "c" } };
    assert.equal(verdict("Accounting", controller, after), "allowed");
  });

  it("clusterName absent before and empty after => no change", () => {
    const { clusterName, ...without } = controller;
    assert.ok(clusterName);
    assert.equal(verdict("Controller", without, { ...without, clusterName: "" }), "allowed");
  });

  it("create => allowed", () => {
    assert.equal(verdict("Controller", {}, controller, "CREATE"), "allowed");
  });
});
