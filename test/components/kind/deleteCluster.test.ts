import { strict as assert } from "node:assert";
import { existsSync, rmSync } from "node:fs";
import { deleteCluster } from "../../../components/kind/deleteCluster.ts";
import { ensureCluster } from "../../../components/kind/ensureCluster.ts";
import { type KindMachine, kindMachine, kindSettings } from "../../support/kindEdges.ts";

describe("deleteCluster", () => {
  let machine: KindMachine;

  beforeEach(async () => {
    machine = await kindMachine();
  });
  afterEach(() => rmSync(machine.stateFolder, { recursive: true }));

  const create = () => {
    const lock = { noteChild: () => undefined };
    const deadline = machine.clock.now() + 300_000;
    return ensureCluster(kindSettings(), deadline, lock, machine, "/var/lib/docker");
  };
  const remove = () => deleteCluster(kindSettings(), machine);

  it("ours => no container, volume, network or folder left", async () => {
    await create();
    await remove();
    assert.equal(machine.docker.containers.length, 0);
    assert.equal(machine.docker.volumes.size, 0);
    assert.equal(machine.docker.networks.size, 0);
    assert.equal(existsSync(machine.folder.owner), false);
  });

  it("gone already => fine, twice too", async () => {
    await remove();
    await remove();
    assert.deepEqual(machine.docker.ran("kind "), []);
  });

  it("half-made => deleted as well", async () => {
    machine.docker.dieAfterContainers = 1;
    await assert.rejects(create());
    await remove();
    assert.equal(machine.docker.containers.length, 0);
  });

  it("not ours => refused, never deleted", async () => {
    machine.docker.addForeign("slinky");
    await assert.rejects(remove(), /belongs to somebody else/);
    assert.equal(machine.docker.containers.length, 1);
  });

  it("the network was there before us => it stays", async () => {
    machine.docker.networks.add("kind");
    await create();
    await remove();
    assert.ok(machine.docker.networks.has("kind"));
  });

  it("another cluster is in our network => it stays until that one is gone", async () => {
    await create();
    machine.docker.addForeign("other");
    await remove();
    assert.ok(machine.docker.networks.has("kind"));
    assert.equal(machine.docker.containers.length, 1);
    machine.docker.containers.length = 0;
    await remove();
    assert.equal(machine.docker.networks.size, 0);
  });

  it("kind leaves a container behind => failure that names it, folder kept", async () => {
    await create();
    machine.docker.undeletable.add("slinky-worker");
    await assert.rejects(remove(), /but slinky-worker is still there/);
    assert.ok(existsSync(machine.folder.owner));
  });
});
