import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { backendFolder, isPulumiProcess, readLocks } from "../../cli/backendLocks.ts";

describe("backendFolder", () => {
  it("file URLs => a folder; other backends => none", () => {
    assert.equal(backendFolder("file:///srv/state"), "/srv/state");
    assert.equal(backendFolder("file://~", "/home/ada"), "/home/ada");
    assert.equal(backendFolder("file://~/state", "/home/ada"), "/home/ada/state");
    assert.equal(backendFolder("https://api.pulumi.com"), undefined);
    assert.equal(backendFolder("s3://bucket"), undefined);
  });
});

describe("readLocks", () => {
  let folder: string;
  let locks: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "locks-"));
    locks = join(folder, ".pulumi/locks/organization/slinky-stack/lab");
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("no lock folder => no locks", async () => {
    assert.deepEqual(await readLocks(folder, "slinky-stack", "lab"), []);
  });

  it("a lock of this stack => who, where and since when", async () => {
    await mkdir(locks, { recursive: true });
    const lock = { pid: 9, username: "ada", hostname: "h", timestamp: "2026-01-01T00:00:00Z" };
    await writeFile(join(locks, "f0e1.json"), JSON.stringify(lock));
    assert.deepEqual(await readLocks(folder, "slinky-stack", "lab"), [lock]);
    assert.deepEqual(await readLocks(folder, "slinky-stack", "dev"), []);
  });

  for (const content of ["", "{}", "null"]) {
    it(`a lock file with "${content}" => an error: nobody knows who holds it`, async () => {
      await mkdir(locks, { recursive: true });
      await writeFile(join(locks, "f0e1.json"), content);
      await assert.rejects(readLocks(folder, "slinky-stack", "lab"), /cannot be read/);
    });
  }
});

describe("isPulumiProcess", () => {
  it("a process that is not there, and one that is not Pulumi => false", async () => {
    assert.equal(await isPulumiProcess(2 ** 22 + 1), false);
    if (process.platform === "linux") assert.equal(await isPulumiProcess(process.pid), false);
  });
});
