import { join } from "node:path";
import { systemClock } from "../../cluster/clock.ts";
import { openClusterFolder } from "./clusterFolder.ts";
import { systemRunner } from "./commandRunner.ts";
import { deleteCluster } from "./deleteCluster.ts";
import { ensureCluster, type KindEdges } from "./ensureCluster.ts";
import { kindNetwork } from "./kindNetwork.ts";
import { loadImages } from "./loadImages.ts";
import { withLock } from "./lockFile.ts";
import { requireDocker, systemMachine } from "./preflight.ts";
import { systemProcesses } from "./processes.ts";
import { settingsFrom } from "./settings.ts";

/*
 * Child process of the KindCluster component: `node components/kind/main.ts ensure | delete | load-images`.
 * ensure prints the kubeconfig and nothing else on standard output; progress and errors go to standard error.
 */

const stateFolder = join(import.meta.dirname, "..", "..", ".slinky", "kind");

const note = (line: string) => void process.stderr.write(`${line}\n`);

try {
  await main(process.argv[2]);
} catch (error) {
  note(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(verb: string | undefined): Promise<void> {
  const settings = settingsFrom(process.env);
  const dockerRoot = await requireDocker(systemRunner);
  const folder = await openClusterFolder(stateFolder, settings.name);
  const deadline = systemClock.now() + settings.timeoutSeconds * 1000;
  const edges: KindEdges = {
    runner: systemRunner,
    clock: systemClock,
    machine: systemMachine,
    network: kindNetwork(systemRunner, join(stateFolder, "network-is-ours")),
    folder,
    note,
  };
  const lockFile = join(stateFolder, `${settings.name}.lock`);
  await withLock(
    lockFile,
    deadline,
    { clock: systemClock, processes: systemProcesses },
    async (lock) => {
      if (verb === "ensure") {
        process.stdout.write(await ensureCluster(settings, deadline, lock, edges, dockerRoot));
      } else if (verb === "delete") {
        await deleteCluster(settings, edges);
      } else if (verb === "load-images") {
        await loadImages(settings, systemRunner, note);
      } else {
        throw new Error(`unknown verb ${verb}; allowed: ensure, delete, load-images`);
      }
    },
  );
}
