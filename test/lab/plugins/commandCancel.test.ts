import { strict as assert } from "node:assert";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pluginPath, startPlugin } from "./pluginProcess.ts";
import type { PluginProcess } from "./pluginProcess.ts";

const URN = "urn:pulumi:dev::stack::command:local:Command::long";

describe("lab plugin command, cancelled", function () {
  this.timeout(30_000);
  let plugin: PluginProcess;
  let dir: string;

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "plugin-cancel-"));
    plugin = await startPlugin(pluginPath("pulumi-resource-command"));
  });
  afterEach(async () => {
    await plugin.close();
    rmSync(dir, { recursive: true });
  });

  /** Starts a command that writes the process id of its own child, and waits for that. */
  async function startLong(prefix: string): Promise<{ ended: Promise<Error>; pid: number }> {
    const file = join(dir, "pid");
    const create = `${prefix} sleep 300 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`;
    const ended = plugin.create(URN, { create }).then(
      () => new Error("the command succeeded"),
      (error: Error) => error,
    );
    for (let tries = 0; !existsSync(file); tries++) {
      assert.ok(tries < 500, "the command did not start");
      await delay(20);
    }
    return { ended, pid: Number(readFileSync(file, "utf8")) };
  }

  it("cancel => the command's children are gone, create fails, no new command starts", async () => {
    const { ended, pid } = await startLong("");
    await plugin.cancel();
    assert.match((await ended).message, /create command was ended: the update was cancelled/);
    assert.equal(isAlive(pid), false);
    await assert.rejects(plugin.create(URN, { create: "true" }), /not started: .* cancelled/);
  });

  it("cancel of a command that ignores SIGTERM => killed after 5 s", async () => {
    const { ended, pid } = await startLong("trap '' TERM;");
    const begin = Date.now();
    await plugin.cancel();
    const seconds = (Date.now() - begin) / 1000;
    await ended;
    assert.equal(isAlive(pid), false);
    assert.ok(seconds > 4.5 && seconds < 8, `took ${seconds} s`);
  });

  it("SIGINT to the plugin => the command's children are gone, then the plugin", async () => {
    const { ended, pid } = await startLong("");
    const exited = once(plugin.child, "exit");
    plugin.child.kill("SIGINT");
    await Promise.all([ended, exited]);
    assert.equal(isAlive(pid), false);
  });
});

/** A zombie that nobody has reaped yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
