import { strict as assert } from "node:assert";
import { existsSync, rmSync } from "node:fs";
import { ensureCluster } from "../../../components/kind/ensureCluster.ts";
import type { KindSettings } from "../../../components/kind/settings.ts";
import { type KindMachine, kindMachine, kindSettings } from "../../support/kindEdges.ts";

describe("ensureCluster", () => {
  let machine: KindMachine;
  let children: number[];

  beforeEach(async () => {
    machine = await kindMachine();
    children = [];
  });
  afterEach(() => rmSync(machine.stateFolder, { recursive: true }));

  const ensure = (overrides: Partial<KindSettings> = {}) => {
    const settings = kindSettings(overrides);
    const deadline = machine.clock.now() + settings.timeoutSeconds * 1000;
    const lock = { noteChild: (pid: number) => void children.push(pid) };
    return ensureCluster(settings, deadline, lock, machine, "/var/lib/docker");
  };
  const created = () => machine.docker.ran("kind create");

  it("nothing there => created with our mark on every node, kubeconfig returned", async () => {
    assert.equal(await ensure(), "kubeconfig of slinky");
    assert.equal(machine.docker.containers.length, 3);
    for (const { owner } of machine.docker.containers) assert.equal(owner, machine.folder.owner);
    assert.match(
      created()[0] ?? "",
      /--name slinky --image lab\/node:v1\.34\.4 --config - --kubeconfig .*\/slinky\/kubeconfig --wait 300s/,
    );
    assert.deepEqual(children, [4711]);
  });

  it("every kind command that writes a kubeconfig => into our folder, never the user's", async () => {
    await ensure();
    await ensure();
    for (const line of machine.docker
      .ran("kind ")
      .filter((text) => !text.includes("get kubeconfig"))) {
      assert.ok(line.includes(`--kubeconfig ${machine.folder.kubeconfig}`), line);
    }
  });

  it("complete and answering => reused", async () => {
    await ensure();
    assert.equal(await ensure(), "kubeconfig of slinky");
    assert.equal(created().length, 1);
  });

  it("complete but stopped => started, not made anew", async () => {
    await ensure();
    for (const node of machine.docker.containers) node.running = false;
    await ensure();
    assert.equal(created().length, 1);
    assert.ok(machine.docker.containers.every(({ running }) => running));
  });

  it("complete but never ready again => refused at the deadline, left as it is", async () => {
    await ensure();
    for (const node of machine.docker.containers) node.ready = false;
    await assert.rejects(ensure(), /not all 3 nodes .* within 300 s\. They were left as they are/);
    assert.equal(machine.docker.containers.length, 3);
  });

  for (const containers of [1, 2]) {
    it(`killed after ${containers} of 3 nodes => the next run deletes and creates`, async () => {
      machine.docker.dieAfterContainers = containers;
      await assert.rejects(ensure(), /killed/);
      machine.docker.dieAfterContainers = Number.POSITIVE_INFINITY;
      assert.equal(await ensure(), "kubeconfig of slinky");
      assert.equal(machine.docker.containers.length, 3);
      assert.equal(machine.docker.volumes.size, 3);
      assert.match(machine.notes.join("\n"), /left half-made; it is deleted and made anew/);
    });
  }

  it("a node does not get ready => failure; the next run deletes and creates", async () => {
    machine.docker.neverReady.add("slinky-worker");
    await assert.rejects(ensure(), /not all 3 nodes/);
    machine.docker.neverReady.clear();
    await ensure();
    assert.equal(created().length, 2);
  });

  it("killed between ready and the record => reused as it is", async () => {
    await ensure();
    await machine.folder.markIncomplete();
    await ensure();
    assert.equal(created().length, 1);
  });

  it("our state folder was removed => reused by the mark on the nodes", async () => {
    await ensure();
    await machine.folder.remove();
    await ensure();
    assert.equal(created().length, 1);
    assert.equal(await machine.folder.claimedBy(), "slinky-stack/dev");
  });

  for (const [situation, owner, says] of [
    ["a cluster that carries no mark", undefined, /belongs to somebody else/],
    [
      "another checkout's cluster",
      "/elsewhere/.slinky/kind/slinky/owner",
      /another checkout \(\/elsewhere/,
    ],
  ] as const) {
    it(`${situation} => refused, never deleted`, async () => {
      machine.docker.addForeign("slinky", owner);
      await assert.rejects(ensure(), says);
      await assert.rejects(ensure(), /pulumi config set kindName/);
      assert.equal(machine.docker.containers.length, 1);
      assert.deepEqual(machine.docker.ran("kind "), []);
      assert.equal(existsSync(machine.folder.owner), false);
    });
  }

  it("another stack's cluster of this checkout => refused", async () => {
    await ensure();
    await assert.rejects(
      ensure({ stack: "slinky-stack/lab" }),
      /belongs to slinky-stack\/dev, not to stack slinky-stack\/lab/,
    );
    assert.equal(await machine.folder.claimedBy(), "slinky-stack/dev");
  });

  it("Docker Desktop's prefix before our folder => still ours", async () => {
    machine.docker.addForeign("slinky", `/host_mnt${machine.folder.owner}`);
    assert.equal(await ensure({ workers: 0 }), "kubeconfig of slinky");
    assert.deepEqual(created(), []);
  });

  for (const [key, change] of [
    ["kindWorkers", { workers: 3 }],
    ["kindNodeImage", { nodeImage: "lab/node:v1.35.0" }],
    ["kindKubeadmPatches", { kubeadmPatches: [] }],
  ] as const) {
    it(`${key} changed on a live cluster => refused by name, left as it is`, async () => {
      await ensure();
      await assert.rejects(
        ensure(change),
        new RegExp(`was made with ${key} .* Put the value back`),
      );
      assert.equal(machine.docker.containers.length, 3);
    });
  }

  it("too little disk => refused before anything is created", async () => {
    machine.freeGiB = 9.5;
    await assert.rejects(ensure(), /only 9\.5 GiB are free .* needs 10 GiB/);
    assert.deepEqual(created(), []);
  });

  it("R28: low inotify limits => a warning that names the sysctl", async () => {
    machine.inotify = 128;
    await ensure();
    assert.match(machine.notes.join("\n"), /sysctl -w fs\.inotify\.max_user_instances=256/);
  });
});
