import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../cluster/clock.ts";
import type { ClusterFolder, ClusterShape } from "./clusterFolder.ts";
import { type CommandRunner, runOrThrow } from "./commandRunner.ts";
import { removeCluster } from "./deleteCluster.ts";
import { docker, type DockerNode, listNodes } from "./dockerNodes.ts";
import { toKindConfig } from "./kindConfig.ts";
import type { HeldLock } from "./lockFile.ts";
import { requireOurs } from "./ownership.ts";
import { inotifyWarnings, type Machine, requireFreeDisk } from "./preflight.ts";
import type { KindNetwork } from "./kindNetwork.ts";
import type { KindSettings } from "./settings.ts";

/** What working on a cluster needs from outside. */
export interface KindEdges {
  readonly runner: CommandRunner;
  readonly clock: Clock;
  readonly machine: Machine;
  readonly folder: ClusterFolder;
  readonly network: KindNetwork;
  /** Tells people what happens; never the kubeconfig. */
  readonly note: (line: string) => void;
}

/** Milliseconds between two questions to the API server. */
const pauseMs = 1000;
/** Milliseconds that reading or writing a kubeconfig may take. */
const kubeconfigMs = 60_000;

/**
 * Makes sure that the cluster exists, and returns its kubeconfig. May be run any number of times and killed at any
 * moment: what a killed run left half-made is deleted and made anew, what was completed is kept.
 *
 * | found                                    | done                                         |
 * | ---------------------------------------- | -------------------------------------------- |
 * | nothing                                  | create                                       |
 * | nodes of somebody else                   | refuse; never delete                         |
 * | ours, completed                          | start stopped nodes, wait for the API, reuse |
 * | ours, completed, another shape asked for | refuse: kind cannot change it                |
 * | ours, not completed                      | reuse when all nodes are ready, else delete and create |
 *
 * @param deadline milliseconds since the epoch
 */
export async function ensureCluster(
  settings: KindSettings,
  deadline: number,
  lock: HeldLock,
  edges: KindEdges,
  dockerRoot: string,
): Promise<string> {
  const { runner, folder, note } = edges;
  const nodes = await listNodes(runner, settings.name);
  await requireOurs(nodes, settings, folder);
  await folder.claim(settings.stack);

  const shape = nodes.length > 0 ? await folder.completedShape() : undefined;
  if (shape) {
    requireSameShape(shape, settings);
    await startStopped(nodes, edges);
    await waitUntilReady(settings, deadline, edges);
  } else if (nodes.length > 0 && (await isReady(settings, edges))) {
    note(`KinD cluster ${settings.name} is complete; it is used as it is`);
  } else {
    if (nodes.length > 0) {
      note(`KinD cluster ${settings.name} was left half-made; it is deleted and made anew`);
      await removeCluster(settings.name, nodes, edges);
    }
    await create(settings, deadline, lock, edges, dockerRoot);
  }
  await folder.markComplete(settings);
  return readKubeconfig(settings.name, edges);
}

function requireSameShape(shape: ClusterShape, settings: KindSettings): void {
  const names = {
    workers: "kindWorkers",
    nodeImage: "kindNodeImage",
    kubeadmPatches: "kindKubeadmPatches",
  };
  for (const field of ["workers", "nodeImage", "kubeadmPatches"] as const) {
    if (!isDeepStrictEqual(shape[field], settings[field])) {
      throw new Error(
        `KinD cluster ${settings.name} was made with ${names[field]} ${JSON.stringify(shape[field])}, and kind cannot ` +
          `change it to ${JSON.stringify(settings[field])}. Put the value back, choose another kindName, or run ` +
          "`npm run down` and `npm run up` (this loses the cluster's jobs and data).",
      );
    }
  }
}

async function startStopped(nodes: readonly DockerNode[], edges: KindEdges): Promise<void> {
  const stopped = nodes.filter(({ running }) => !running).map(({ name }) => name);
  if (stopped.length === 0) return;
  edges.note(`starting ${stopped.join(", ")}`);
  await docker(edges.runner, "start", ...stopped);
}

async function waitUntilReady(
  settings: KindSettings,
  deadline: number,
  edges: KindEdges,
): Promise<void> {
  while (!(await isReady(settings, edges))) {
    if (edges.clock.now() >= deadline) {
      throw new Error(
        `not all ${settings.workers + 1} nodes of KinD cluster ${settings.name} became ready within ` +
          `${settings.timeoutSeconds} s. They were left as they are. Look at \`docker logs ${settings.name}-control-plane\`; ` +
          "to start over run `npm run down` and `npm run up` (this loses the cluster's jobs and data).",
      );
    }
    await edges.clock.sleep(pauseMs);
  }
}

/** Whether the API answers and every node is Ready. Asked inside the node, because the host may lack kubectl. */
async function isReady(settings: KindSettings, { runner }: KindEdges): Promise<boolean> {
  const expected = settings.workers + 1;
  const path = '{range .items[*]}{.status.conditions[?(@.type=="Ready")].status}{" "}{end}';
  const args = ["exec", `${settings.name}-control-plane`, "kubectl"];
  args.push("--kubeconfig=/etc/kubernetes/admin.conf", "--request-timeout=10s");
  args.push("get", "nodes", "-o", `jsonpath=${path}`);
  const { code, stdout } = await runner.run("docker", args, { timeoutMs: 30_000 });
  const ready = stdout.split(/\s+/).filter((status) => status === "True");
  return code === 0 && ready.length === expected;
}

async function create(
  settings: KindSettings,
  deadline: number,
  lock: HeldLock,
  edges: KindEdges,
  dockerRoot: string,
): Promise<void> {
  const { runner, clock, machine, folder, network, note } = edges;
  await requireFreeDisk(machine, [dockerRoot, folder.owner], settings.minimumFreeGiB);
  for (const warning of await inotifyWarnings(machine)) note(warning);
  await folder.claim(settings.stack);
  await folder.markIncomplete();
  await network.noteBeforeCreate();

  const remainingMs = Math.max(deadline - clock.now(), 1000);
  const args = ["create", "cluster", "--name", settings.name, "--image", settings.nodeImage];
  args.push("--config", "-", "--kubeconfig", folder.kubeconfig);
  args.push("--wait", `${Math.ceil(remainingMs / 1000)}s`);
  note(`creating KinD cluster ${settings.name} with ${settings.workers} workers`);
  await runOrThrow(runner, "kind", args, {
    timeoutMs: remainingMs,
    input: toKindConfig(settings, folder.owner),
    onStart: (pid) => lock.noteChild(pid),
  });
  // kind waits for the control plane only.
  await waitUntilReady(settings, deadline, edges);
}

/** The kubeconfig as kind gives it now: the API's port may be another one than at creation (R28). */
async function readKubeconfig(name: string, { runner, folder }: KindEdges): Promise<string> {
  const options = { timeoutMs: kubeconfigMs };
  const args = ["export", "kubeconfig", "--name", name, "--kubeconfig", folder.kubeconfig];
  await runOrThrow(runner, "kind", args, options);
  return runOrThrow(runner, "kind", ["get", "kubeconfig", "--name", name], options);
}
