import { strict as assert } from "node:assert";
import { markSecret, UNKNOWN } from "../../../lab/plugins/wire/propertyValue.ts";
import { pluginPath, startPlugin } from "./pluginProcess.ts";
import type { PluginProcess } from "./pluginProcess.ts";

const URN = "urn:pulumi:dev::stack::slinky:kind:Cluster$command:local:Command::kind";

describe("lab plugin command, before it runs anything", function () {
  this.timeout(30_000);
  let plugin: PluginProcess;

  before(async () => {
    plugin = await startPlugin(pluginPath("pulumi-resource-command"));
  });
  after(() => plugin.close());

  describe("check", () => {
    it("valid inputs with a secret => returned unchanged, no failures", async () => {
      const inputs = { create: "true", environment: { KEY: markSecret("abcd") }, triggers: [1] };
      assert.deepEqual(await plugin.check(URN, inputs), { inputs, failures: [] });
    });

    it("wrong kinds => a failure for each property by name", async () => {
      const { failures } = await plugin.check(URN, {
        create: 5,
        environment: { A: 1 },
        logging: "all",
        interpreter: ["/bin/sh", 1],
        crate: "true",
      });
      const properties = failures.map(([property]) => property).sort();
      assert.deepEqual(properties, [
        "crate",
        "create",
        "environment.A",
        "interpreter[1]",
        "logging",
      ]);
    });

    it("assetPaths or archivePaths => refused with the way out", async () => {
      const inputs = { create: "true", assetPaths: ["*"], archivePaths: ["*"] };
      const { failures } = await plugin.check(URN, inputs);
      assert.deepEqual(failures.map(([property]) => property).sort(), [
        "archivePaths",
        "assetPaths",
      ]);
      assert.match(failures[0]?.[1] ?? "", /not offered .* read the file in the program/);
    });

    it("unknown inputs => no failure", async () => {
      const inputs = { create: UNKNOWN, environment: { A: UNKNOWN }, logging: UNKNOWN };
      assert.deepEqual((await plugin.check(URN, inputs)).failures, []);
    });

    it("another resource of the package => refused by name", async () => {
      const remote = "urn:pulumi:dev::stack::command:remote:Command::x";
      await assert.rejects(plugin.check(remote, {}), /command:remote:Command is not offered/);
    });
  });

  describe("diff", () => {
    const olds = { create: "a", environment: { A: "1" }, triggers: ["t"], stdout: "", stderr: "" };

    it("same inputs => no changes", async () => {
      const news = { create: "a", environment: { A: markSecret("1") }, triggers: ["t"] };
      assert.deepEqual(await plugin.diff(URN, olds, news), { changes: false, replaces: [] });
    });

    it("an environment value or only delete changed => update", async () => {
      const environment = { create: "a", environment: { A: "2" }, triggers: ["t"] };
      assert.deepEqual(await plugin.diff(URN, olds, environment), { changes: true, replaces: [] });
      const onlyDelete = { create: "a", environment: { A: "1" }, triggers: ["t"], delete: "d" };
      assert.deepEqual(await plugin.diff(URN, olds, onlyDelete), { changes: true, replaces: [] });
    });

    it("triggers changed or unknown => replacement", async () => {
      const expected = { changes: true, replaces: ["triggers"] };
      const changed = { create: "a", environment: { A: "1" }, triggers: ["u"] };
      assert.deepEqual(await plugin.diff(URN, olds, changed), expected);
      assert.deepEqual(await plugin.diff(URN, olds, { ...changed, triggers: [UNKNOWN] }), expected);
    });
  });
});
