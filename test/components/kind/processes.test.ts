import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { systemProcesses } from "../../../components/kind/processes.ts";

describe("systemProcesses", () => {
  it("this process => alive; the same id with another start => not alive", function () {
    const self = systemProcesses.identify(process.pid);
    assert.equal(systemProcesses.isAlive(self), true);
    assert.equal(
      systemProcesses.isAlive({ ...self, startTicks: "1" }),
      self.startTicks === undefined,
    );
  });

  it("a child => ended by its identity, and only by it", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const identity = systemProcesses.identify(child.pid ?? 0);
    systemProcesses.end({ ...identity, startTicks: "1" });
    assert.equal(systemProcesses.isAlive(identity), true);
    const exit = once(child, "exit");
    if (identity.startTicks === undefined) child.kill("SIGKILL");
    else systemProcesses.end(identity);
    await exit;
    assert.equal(systemProcesses.isAlive(identity), false);
  });
});
