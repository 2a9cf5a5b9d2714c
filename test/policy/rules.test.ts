import { strict as assert } from "node:assert";
import type { ResourceValidationArgs } from "@pulumi/policy";
import { chartsCreateNoKeys } from "../../policy/rules/chartsCreateNoKeys.ts";
import type { RuleFactory } from "../../policy/rules/rule.ts";
import { secretsAreImmutable } from "../../policy/rules/secretsAreImmutable.ts";

/** Runs a rule on one resource and returns what it reports. */
function violations(rule: RuleFactory, type: string, props: Record<string, unknown>): string[] {
  const found: string[] = [];
  const policy = rule("mandatory");
  const validate = policy.validateResource;
  assert.equal(typeof validate, "function");
  if (typeof validate !== "function") return found;
  const args = {
    type,
    props,
    name: "x",
    urn: "urn",
    opts: {},
  } as unknown as ResourceValidationArgs;
  void validate(args, (message) => found.push(message));
  return found;
}

describe("policy rules", () => {
  const secret = "kubernetes:core/v1:Secret";
  const release = "kubernetes:helm.sh/v3:Release";
  const sound = { slurmKey: { create: false }, jwtKey: { create: false } };

  for (const [name, rule, type, props, count] of [
    ["an immutable Secret => passes", secretsAreImmutable, secret, { immutable: true }, 0],
    ["a Secret without the flag => refused", secretsAreImmutable, secret, {}, 1],
    ["immutable as a word => refused", secretsAreImmutable, secret, { immutable: "true" }, 1],
    ["another kind => passes", secretsAreImmutable, "kubernetes:core/v1:ConfigMap", {}, 0],
    [
      "the Slurm chart that makes no key => passes",
      chartsCreateNoKeys,
      release,
      { chart: "slurm-1.2.1.tgz", values: sound },
      0,
    ],
    [
      "the Slurm chart without values => refused for both keys",
      chartsCreateNoKeys,
      release,
      { chart: "oci://registry.test/charts/slurm" },
      2,
    ],
    [
      "the JWT key left to the chart => refused once",
      chartsCreateNoKeys,
      release,
      { chart: "slurm", values: { slurmKey: { create: false } } },
      1,
    ],
    [
      "the operator's chart => passes",
      chartsCreateNoKeys,
      release,
      { chart: "oci://registry.test/charts/slurm-operator" },
      0,
    ],
  ] as [string, RuleFactory, string, Record<string, unknown>, number][]) {
    it(name, () => {
      assert.equal(violations(rule, type, props).length, count);
    });
  }

  it("a refused Secret => the message never holds its data", () => {
    const [message] = violations(secretsAreImmutable, secret, {
      data: { "slurm.key": "c2VjcmV0" },
    });
    assert.ok(message && !message.includes("c2VjcmV0"));
  });
});
