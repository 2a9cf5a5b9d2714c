import type { ImageArchive } from "../../bundle.ts";
import { type CommandRunner, runOrThrow } from "./commandRunner.ts";
import { listNodes } from "./dockerNodes.ts";
import type { ImageSettings } from "./settings.ts";

interface NodeImages {
  readonly images?: readonly {
    readonly id: string;
    readonly repoTags?: readonly string[] | null;
  }[];
}

/**
 * Loads the archives whose images some node lacks, one after the other: kind itself fills the nodes in parallel.
 * @returns names of the archives that were loaded
 */
export async function loadImages(
  settings: ImageSettings,
  runner: CommandRunner,
  note: (line: string) => void,
): Promise<string[]> {
  const nodes = await listNodes(runner, settings.name);
  if (nodes.length === 0) {
    throw new Error(
      `KinD cluster ${settings.name} has no nodes; run \`pulumi up\` after \`pulumi refresh\`, or \`npm run down\` first`,
    );
  }
  const onNodes = await Promise.all(nodes.map(({ name }) => readImageIds(runner, name)));
  const loaded: string[] = [];
  for (const archive of settings.archives) {
    if (onNodes.every((present) => holdsAll(present, archive))) continue;
    note(`loading ${archive.images.map(({ reference }) => reference).join(", ")}`);
    const args = ["load", "image-archive", archive.path, "--name", settings.name];
    await runOrThrow(runner, "kind", args, { timeoutMs: settings.timeoutSeconds * 1000 });
    loaded.push(archive.path);
  }
  return loaded;
}

/** Images of a node; none when the node cannot tell, so that everything is loaded. */
async function readImageIds(
  runner: CommandRunner,
  node: string,
): Promise<ReadonlyMap<string, string>> {
  const args = ["exec", node, "crictl", "images", "-o", "json"];
  const { code, stdout } = await runner.run("docker", args, { timeoutMs: 60_000 });
  return code === 0 ? toImageIds(JSON.parse(stdout) as NodeImages) : new Map();
}

/** Pure: image id by full reference, as containerd writes it. */
export function toImageIds({ images = [] }: NodeImages): ReadonlyMap<string, string> {
  return new Map(
    images.flatMap(({ id, repoTags }) => (repoTags ?? []).map((tag) => [tag, id] as const)),
  );
}

/** Pure: whether a node has every image of an archive, with the same content. */
export function holdsAll(present: ReadonlyMap<string, string>, archive: ImageArchive): boolean {
  return archive.images.every(({ reference, id }) => present.get(fullReference(reference)) === id);
}

/** Pure: the reference with the registry that Docker leaves out: `lab/slurmd:1` is `docker.io/lab/slurmd:1`. */
export function fullReference(reference: string): string {
  const [first = "", ...rest] = reference.split("/");
  if (rest.length === 0) return `docker.io/library/${reference}`;
  return /[.:]/.test(first) || first === "localhost" ? reference : `docker.io/${reference}`;
}
