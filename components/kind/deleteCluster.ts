import { runOrThrow } from "./commandRunner.ts";
import { type DockerNode, listNodes } from "./dockerNodes.ts";
import type { KindEdges } from "./ensureCluster.ts";
import { requireOurs } from "./ownership.ts";
import type { KindSettings } from "./settings.ts";

/** Milliseconds that deleting the nodes may take. */
const deleteMs = 180_000;

/**
 * Deletes the cluster and everything the program made for it: containers, their volumes, the network when it is ours
 * and empty, and the folder. A cluster that is gone already is fine; one that is not ours is refused.
 */
export async function deleteCluster(
  settings: Pick<KindSettings, "name" | "stack">,
  edges: KindEdges,
): Promise<void> {
  const nodes = await listNodes(edges.runner, settings.name);
  await requireOurs(nodes, settings, edges.folder);
  if (nodes.length > 0) await removeCluster(settings.name, nodes, edges);
  await edges.network.removeIfOurs();
  await edges.folder.remove();
  edges.note(`KinD cluster ${settings.name} is deleted`);
}

/** Removes the nodes and volumes of a cluster that is known to be ours. */
export async function removeCluster(
  name: string,
  nodes: readonly DockerNode[],
  { runner, folder }: Pick<KindEdges, "runner" | "folder">,
): Promise<void> {
  await folder.markIncomplete();
  const args = ["delete", "cluster", "--name", name, "--kubeconfig", folder.kubeconfig];
  await runOrThrow(runner, "kind", args, { timeoutMs: deleteMs });
  const left = await listNodes(runner, name);
  if (left.length > 0) {
    throw new Error(
      `kind deleted cluster ${name}, but ${left.map((node) => node.name).join(", ")} is still there; ` +
        "remove it with `docker rm -f -v` and run the command again.",
    );
  }
  // kind removes anonymous volumes with their containers; what is left of a killed removal goes here.
  for (const volume of nodes.flatMap((node) => node.volumes)) {
    await runner.run("docker", ["volume", "rm", volume], { timeoutMs: deleteMs });
  }
}
