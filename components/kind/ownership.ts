import type { ClusterFolder } from "./clusterFolder.ts";
import type { DockerNode } from "./dockerNodes.ts";
import type { KindSettings } from "./settings.ts";

/**
 * Refuses to go on with a cluster that this stack did not make. Ownership is a mount that kind put into every node
 * when the cluster was created: it cannot be added later, and it names the checkout that did it.
 * @throws when any node lacks our mount, or another stack of this checkout claimed the cluster
 */
export async function requireOurs(
  nodes: readonly DockerNode[],
  settings: Pick<KindSettings, "name" | "stack">,
  folder: ClusterFolder,
): Promise<void> {
  const { name, stack } = settings;
  const foreign = nodes.find(({ ownerFolder }) => !isOwnerFolder(ownerFolder, folder.owner));
  const claimedBy = nodes.length > 0 ? await folder.claimedBy() : undefined;
  const owner = foreign ? foreignOwner(foreign) : claimedBy;
  if (foreign || (claimedBy !== undefined && claimedBy !== stack)) {
    throw new Error(
      `a KinD cluster named ${name} exists already and belongs to ${owner}, not to stack ${stack}. It was left as it ` +
        "is. Choose another name: `pulumi config set kindName <name>`.",
    );
  }
}

/** Docker Desktop reports a folder of the host below a prefix of its virtual machine. */
function isOwnerFolder(reported: string | undefined, owner: string): boolean {
  return reported?.endsWith(owner) ?? false;
}

function foreignOwner({ name, ownerFolder }: DockerNode): string {
  return ownerFolder === undefined
    ? `somebody else (node ${name} does not carry our mark)`
    : `another checkout (${ownerFolder})`;
}
