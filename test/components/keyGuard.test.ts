import { strict as assert } from "node:assert";
import { KeyGuard } from "../../components/keyGuard.ts";
import { creationMarksPolicy, keySecretsPolicy } from "../../components/keyGuardPolicy.ts";
import { recordProgram, type RecordedResource } from "../support/pulumiMocks.ts";

const policy = "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy";

/** What the API server makes of the rules is tested on a real one: test/e2e/8-keyGuard.e2e.ts. */
describe("KeyGuard", () => {
  let recorded: RecordedResource[];
  before(async () => {
    recorded = await recordProgram(() => new KeyGuard("guard", { namespace: "slurm" }));
  });

  it("constructed => every policy is bound, to the one namespace, and denies", () => {
    const policies = recorded.filter(({ type }) => type === policy);
    const bindings = recorded.filter(({ type }) => type === `${policy}Binding`);
    const names = policies.map(({ inputs }) => (inputs["metadata"] as { name: string }).name);
    assert.deepEqual(names.sort(), ["slinky-stack-keys.slurm", "slinky-stack-marks.slurm"]);
    const specs = bindings.map(({ inputs }) => inputs["spec"] as Record<string, unknown>);
    assert.deepEqual(specs.map((spec) => spec["policyName"]).sort(), names.sort());
    for (const spec of specs) {
      assert.deepEqual(spec["validationActions"], ["Deny"]);
      const matchLabels = { "kubernetes.io/metadata.name": "slurm" };
      assert.deepEqual(spec["matchResources"], { namespaceSelector: { matchLabels } });
    }
  });

  it("the policies => fail closed and take no parameter (kubernetes#130887)", () => {
    for (const spec of [keySecretsPolicy, creationMarksPolicy]) {
      assert.equal(spec.failurePolicy, "Fail");
      assert.equal("paramKind" in spec, false);
      for (const { message } of spec.validations) assert.ok(message.length > 20);
    }
  });
});
