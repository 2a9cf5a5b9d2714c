import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openClusterFolder } from "../../components/kind/clusterFolder.ts";
import type { KindEdges } from "../../components/kind/ensureCluster.ts";
import { kindNetwork } from "../../components/kind/kindNetwork.ts";
import type { KindSettings } from "../../components/kind/settings.ts";
import { FakeDocker } from "../fakes/fakeDocker.ts";
import { ManualClock } from "../fakes/manualClock.ts";

/** Settings of a cluster with overrides. */
export const kindSettings = (overrides: Partial<KindSettings> = {}): KindSettings => ({
  name: "slinky",
  stack: "slinky-stack/dev",
  workers: 2,
  nodeImage: "lab/node:v1.34.4",
  kubeadmPatches: [{ kind: "KubeletConfiguration", cgroupDriver: "cgroupfs" }],
  minimumFreeGiB: 10,
  timeoutSeconds: 300,
  ...overrides,
});

/** A machine with Docker in memory and a state folder of its own. */
export interface KindMachine extends KindEdges {
  readonly docker: FakeDocker;
  readonly clock: ManualClock;
  readonly stateFolder: string;
  readonly notes: string[];
  freeGiB: number;
  inotify: number;
}

/** A fresh machine. */
export async function kindMachine(name = "slinky"): Promise<KindMachine> {
  const docker = new FakeDocker();
  const stateFolder = realpathSync(mkdtempSync(join(tmpdir(), "kind-")));
  const notes: string[] = [];
  const machine: KindMachine = {
    docker,
    runner: docker,
    clock: new ManualClock(),
    stateFolder,
    notes,
    freeGiB: 100,
    inotify: 1_000_000,
    machine: {
      freeBytes: (folder) =>
        Promise.resolve(folder === "/var/lib/docker" ? undefined : machine.freeGiB * 1024 ** 3),
      kernelParameter: () => Promise.resolve(machine.inotify),
    },
    folder: await openClusterFolder(stateFolder, name),
    network: kindNetwork(docker, join(stateFolder, "network-is-ours")),
    note: (line) => notes.push(line),
  };
  return machine;
}
