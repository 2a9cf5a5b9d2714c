import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import * as pulumi from "@pulumi/pulumi";
import { webhookProvider } from "../../components/webhook/webhookReady.ts";
import { keyProvider } from "../../rotation/provider.ts";

/** Evaluates a stored provider as Pulumi's provider process does (cmd/dynamic-provider). */
async function serializeAndRevive(
  provider: pulumi.dynamic.ResourceProvider,
): Promise<pulumi.dynamic.ResourceProvider> {
  const serialized = await pulumi.runtime.serializeFunction(() => provider);
  const exports: { handler?: () => pulumi.dynamic.ResourceProvider } = {};
  const require = createRequire(import.meta.url);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const evaluate = new Function("exports", "require", serialized.text) as (
    exports: object,
    require: NodeJS.Require,
  ) => void;
  evaluate(exports, require);
  assert.ok(exports.handler);
  return exports.handler();
}

describe("serialized providers (R39)", () => {
  for (const [name, provider] of [
    ["keyProvider", keyProvider],
    ["webhookProvider", webhookProvider],
  ] as const) {
    it(`${name} => small text without secrets, paths or environment`, async () => {
      const { containsSecrets, text } = await pulumi.runtime.serializeFunction(() => provider);
      assert.equal(containsSecrets, false);
      assert.ok(text.length < 4000, `${text.length} characters`);
      assert.ok(!text.includes(process.cwd()));
      assert.ok(!text.includes(homedir()));
      assert.doesNotMatch(text, /client-node|require\(/);
    });

    it(`${name} => the same text every time (R03)`, async () => {
      const first = await pulumi.runtime.serializeFunction(() => provider);
      const second = await pulumi.runtime.serializeFunction(() => provider);
      assert.equal(first.text, second.text);
    });
  }

  it("keyProvider revived => a failing call fails with the engine's own words", async () => {
    const revived = await serializeAndRevive(keyProvider as pulumi.dynamic.ResourceProvider);
    const inputs = { root: "c2hvcnQ=", keySeed: "s", kubeconfig: "{}", context: "x" };
    await assert.rejects(
      revived.create(inputs),
      (error: Error) => error instanceof Error && /key root has 5 bytes/.test(error.message),
    );
  });

  it("webhookProvider revived => a failing call fails with the engine's own words", async () => {
    const revived = await serializeAndRevive(webhookProvider as pulumi.dynamic.ResourceProvider);
    await assert.rejects(
      revived.create({ kubeconfig: "{}", context: "prod", namespace: "slurm" }),
      /has no context "prod"/,
    );
  });
});
