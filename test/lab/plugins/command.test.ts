import { strict as assert } from "node:assert";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { markSecret, UNKNOWN } from "../../../lab/plugins/wire/propertyValue.ts";
import { pluginPath, startPlugin } from "./pluginProcess.ts";
import type { PluginProcess } from "./pluginProcess.ts";

const EXECUTABLE = pluginPath("pulumi-resource-command");
const URN = "urn:pulumi:dev::stack::slinky:kind:Cluster$command:local:Command::kind";

describe("lab plugin command", function () {
  this.timeout(30_000);
  let plugin: PluginProcess;
  let dir: string;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), "plugin-command-"));
    plugin = await startPlugin(EXECUTABLE);
  });
  after(async () => {
    await plugin.close();
    rmSync(dir, { recursive: true });
  });

  describe("plugin", () => {
    it("configure => takes secrets, is never called in a preview", async () => {
      const response = await plugin.configure();
      assert.equal(response.getAcceptsecrets(), true);
      assert.equal(response.getSupportspreview(), false);
    });

    it("version and schema => those of the SDK, with the resource's token", async () => {
      assert.equal(await plugin.version(), "1.2.1");
      assert.deepEqual(Object.keys((await plugin.schema()).resources), ["command:local:Command"]);
    });

    it("executable started through a symbolic link => serves", async () => {
      const link = join(dir, "linked");
      symlinkSync(EXECUTABLE, link);
      const linked = await startPlugin(link);
      assert.equal(await linked.version(), "1.2.1");
      await linked.close();
    });
  });

  describe("create", () => {
    it("dir, environment, stdin and interpreter => used; one last newline cut off", async () => {
      const { id, outs } = await plugin.create(URN, {
        create: 'pwd; echo "$A"; cat; echo; echo warn >&2',
        dir,
        environment: { A: "from env" },
        stdin: "from stdin\n",
        interpreter: ["/bin/bash", "-c"],
      });
      assert.match(id, /^kind[0-9a-f]{16}$/);
      assert.equal(outs["stdout"], `${dir}\nfrom env\nfrom stdin\n`);
      assert.equal(outs["stderr"], "warn");
      assert.equal(outs["dir"], dir);
    });

    it("no create command => nothing runs, outputs empty", async () => {
      const { outs } = await plugin.create(URN, { delete: "true" });
      assert.deepEqual(outs, { delete: "true", stdout: "", stderr: "" });
    });

    it("a secret input => it and the outputs are marked secret", async () => {
      const secret = markSecret("tops3cret");
      const { outs } = await plugin.create(URN, {
        create: "echo $A",
        environment: { A: secret },
        logging: "none",
      });
      assert.deepEqual(outs["environment"], { A: secret });
      assert.deepEqual(outs["stdout"], markSecret("tops3cret"));
      assert.deepEqual(outs["stderr"], markSecret(""));
      assert.equal(outs["create"], "echo $A");
    });

    it("an unknown input => unknown outputs, the command does not run", async () => {
      const file = join(dir, "preview");
      const { outs } = await plugin.create(URN, {
        create: `touch ${file}`,
        environment: { A: UNKNOWN },
      });
      assert.equal(outs["stdout"], UNKNOWN);
      assert.equal(outs["stderr"], UNKNOWN);
      assert.equal(existsSync(file), false);
    });

    it("failing command => exit code and end of stderr, secrets blanked out", async () => {
      const creating = plugin.create(URN, {
        create: 'for i in $(seq 1 40); do echo "line $i" >&2; done; echo "key $K" >&2; exit 3',
        environment: { K: markSecret("tops3cret") },
      });
      await assert.rejects(creating, (error: Error & { details: string }) => {
        assert.match(error.details, /^create command failed with exit code 3; end of stderr:\n/);
        assert.match(error.details, /line 40\nkey \[secret\]$/);
        assert.doesNotMatch(error.details, /line 20\n|tops3cret/);
        return true;
      });
    });

    it("missing dir or interpreter => error says which", async () => {
      const missing = join(dir, "missing");
      const noDir = plugin.create(URN, { create: "true", dir: missing });
      await assert.rejects(noDir, /'dir' .*missing is not a directory/);
      const noShell = plugin.create(URN, { create: "true", interpreter: [missing] });
      await assert.rejects(noShell, /create command could not be started: .*ENOENT/);
    });
  });

  describe("logging", () => {
    const create = "echo out; echo err >&2; printf rest";
    const lines = async (logging?: string) => {
      plugin.logged.length = 0;
      await plugin.create(URN, logging === undefined ? { create } : { create, logging });
      return plugin.logged.map(({ message }) => message).sort();
    };

    it("default => both streams as status lines of the resource", async () => {
      assert.deepEqual(await lines(), ["err", "out", "rest"]);
      assert.ok(plugin.logged.every(({ urn, ephemeral }) => urn === URN && ephemeral));
    });

    it("one stream or none => only that", async () => {
      assert.deepEqual(await lines("stdout"), ["out", "rest"]);
      assert.deepEqual(await lines("stderr"), ["err"]);
      assert.deepEqual(await lines("none"), []);
    });

    it("a secret of several lines printed => blanked out line by line", async () => {
      plugin.logged.length = 0;
      const secret = markSecret("first line\nsecond line");
      await plugin.create(URN, { create: 'echo "$A"', environment: { A: secret } });
      assert.deepEqual(
        plugin.logged.map(({ message }) => message),
        ["[secret]", "[secret]"],
      );
    });
  });

  describe("update and delete", () => {
    const old = { id: "kind01", outs: { create: "echo c", stdout: "so", stderr: "se" } };
    const show = 'echo "$PULUMI_COMMAND_STDOUT,$PULUMI_COMMAND_STDERR"';

    it("update command given => it runs with the previous outputs", async () => {
      const { outs } = await plugin.update(URN, old, { create: "echo c", update: show });
      assert.equal(outs["stdout"], "so,se");
    });

    it("no update command => create runs again", async () => {
      const { outs } = await plugin.update(URN, old, { create: "echo again" });
      assert.deepEqual(outs, { create: "echo again", stdout: "again", stderr: "" });
    });

    it("neither => the outputs stay", async () => {
      const { outs } = await plugin.update(URN, old, { delete: "true" });
      assert.deepEqual(outs, { delete: "true", stdout: "so", stderr: "se" });
    });

    it("addPreviousOutputInEnv false => previous outputs not offered", async () => {
      const news = { update: show, addPreviousOutputInEnv: false };
      assert.equal((await plugin.update(URN, old, news)).outs["stdout"], ",");
    });

    it("delete => the recorded command runs with the recorded outputs", async () => {
      const file = join(dir, "deleted");
      await plugin.delete(URN, {
        id: "kind01",
        outs: { ...old.outs, delete: `${show} > ${file}` },
      });
      assert.equal(readFileSync(file, "utf8"), "so,se\n");
    });

    it("failing delete => error with its exit code", async () => {
      const deleting = plugin.delete(URN, { id: "kind01", outs: { delete: "exit 4" } });
      await assert.rejects(deleting, /delete command failed with exit code 4; stderr is empty/);
    });
  });

  describe("function run", () => {
    it("command => arguments and outputs", async () => {
      const { outs } = await plugin.invoke("command:local:run", { command: "echo hi" });
      assert.deepEqual(outs, { command: "echo hi", stdout: "hi", stderr: "" });
    });

    it("command missing => failure, another function => error", async () => {
      const { failures } = await plugin.invoke("command:local:run", {});
      assert.deepEqual(failures, ["required property 'command' is missing"]);
      await assert.rejects(plugin.invoke("command:local:walk", {}), /is not offered/);
    });
  });
});
