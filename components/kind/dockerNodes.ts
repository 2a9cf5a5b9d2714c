import { type CommandRunner, runOrThrow } from "./commandRunner.ts";
import { ownerMountPath } from "./kindConfig.ts";

/** Milliseconds for one question to Docker. */
const questionMs = 30_000;

/** A container that is a node of a KinD cluster. */
export interface DockerNode {
  readonly name: string;
  readonly running: boolean;
  /** Folder of the host mounted as the mark of ownership; undefined on a node that is not ours. */
  readonly ownerFolder: string | undefined;
  /** Anonymous volumes of the container. */
  readonly volumes: readonly string[];
}

interface Inspected {
  readonly Name: string;
  readonly State: { readonly Running: boolean };
  readonly Mounts: readonly {
    readonly Type: string;
    readonly Name?: string;
    readonly Source: string;
    readonly Destination: string;
  }[];
}

/** Asks Docker questions under a deadline. */
export async function docker(runner: CommandRunner, ...args: string[]): Promise<string> {
  return runOrThrow(runner, "docker", args, { timeoutMs: questionMs });
}

/** The containers that belong to a KinD cluster of this name, whoever made them. */
export async function listNodes(runner: CommandRunner, cluster: string): Promise<DockerNode[]> {
  const label = `label=io.x-k8s.kind.cluster=${cluster}`;
  const ids = words(
    await docker(runner, "ps", "--all", "--quiet", "--no-trunc", "--filter", label),
  );
  if (ids.length === 0) return [];
  const inspected = JSON.parse(await docker(runner, "inspect", ...ids)) as Inspected[];
  return inspected
    .map((container) => ({
      name: container.Name.replace(/^\//, ""),
      running: container.State.Running,
      ownerFolder: container.Mounts.find((mount) => mount.Destination === ownerMountPath)?.Source,
      volumes: container.Mounts.flatMap(({ Type, Name }) =>
        Type === "volume" && Name ? [Name] : [],
      ),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Words of an output, split at blanks and line ends. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
