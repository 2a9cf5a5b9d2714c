import { strict as assert } from "node:assert";
import {
  requireDocker,
  requireFreeDisk,
  systemMachine,
} from "../../../components/kind/preflight.ts";
import { FakeDocker } from "../../fakes/fakeDocker.ts";

describe("requireDocker", () => {
  it("Docker answers => the folder of its data", async () => {
    assert.equal(await requireDocker(new FakeDocker()), "/var/lib/docker");
  });

  it("Docker does not answer => refused with what to look at", async () => {
    const docker = new FakeDocker();
    docker.isDown = true;
    await assert.rejects(
      requireDocker(docker),
      /Docker does not answer.*DOCKER_HOST.*Cannot connect/s,
    );
  });
});

describe("requireFreeDisk", () => {
  const machine = {
    freeBytes: (folder: string) => Promise.resolve(folder === "/here" ? 5 * 1024 ** 3 : undefined),
    kernelParameter: () => Promise.resolve(undefined),
  };

  it("the first folder that is on this machine => counts", async () => {
    await requireFreeDisk(machine, ["/remote", "/here"], 5);
    await assert.rejects(
      requireFreeDisk(machine, ["/remote", "/here"], 6),
      /5\.0 GiB are free at \/here/,
    );
  });

  it("no folder is on this machine => nothing to refuse", async () => {
    await requireFreeDisk(machine, ["/remote"], 1000);
  });
});

describe("systemMachine", () => {
  it("a folder => its free bytes; an absent one => undefined", async () => {
    assert.ok(((await systemMachine.freeBytes("/")) ?? 0) > 0);
    assert.equal(await systemMachine.freeBytes("/no/such/folder"), undefined);
  });
});
