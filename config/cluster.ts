import { isAbsolute, join, resolve } from "node:path";
import { readFile } from "node:fs/promises";
import { kindNodeImage } from "../versions.ts";
import { isDnsLabel } from "./dnsLabel.ts";
import { parseImageReference } from "./imageReference.ts";
import { isRecord, type RawValues } from "./rawValues.ts";

/** Where relative and `~` paths of the configuration start, and what the environment says. */
export interface ConfigPlace {
  /** Folder of Pulumi.yaml. */
  readonly projectFolder: string;
  /** Name of the stack. */
  readonly stack: string;
  readonly homeFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A KinD cluster that the stack creates and deletes. */
export interface KindClusterConfig {
  readonly kind: "kind";
  readonly name: string;
  readonly workers: number;
  readonly nodeImage: string;
  /** Patches of kubeadm's configuration objects, each with its `kind`. */
  readonly kubeadmPatches: readonly Readonly<Record<string, unknown>>[];
  readonly minimumFreeGiB: number;
  readonly timeoutSeconds: number;
}

/** A cluster that exists already. */
export interface ExistingClusterConfig {
  readonly kind: "existing";
  /** Content of the kubeconfig file. */
  readonly kubeconfig: string;
  readonly context: string;
}

const patchKinds = [
  "ClusterConfiguration",
  "InitConfiguration",
  "JoinConfiguration",
  "KubeletConfiguration",
  "KubeProxyConfiguration",
];

/** Reads everything that chooses the cluster. */
export async function readCluster(
  raw: RawValues,
  place: ConfigPlace,
): Promise<KindClusterConfig | ExistingClusterConfig> {
  const kind = raw.choice("cluster", ["kind", "existing"], "kind");
  return kind === "kind" ? readKind(raw) : readExisting(raw, place);
}

function readKind(raw: RawValues): KindClusterConfig {
  const { problems } = raw;
  for (const key of ["kubeconfig", "context"]) {
    if (raw.optional(key) !== undefined) {
      problems.add(key, "belongs to cluster: existing, but this stack creates a KinD cluster");
    }
  }
  // Node containers are called <name>-control-plane and so on, and 63 is the limit of a host name.
  const name = raw.text("kindName") ?? "slinky";
  if (!isDnsLabel(name, 40)) {
    problems.bad("kindName", name, "an RFC 1123 label of at most 40 characters");
  }
  const nodeImage = raw.optional("kindNodeImage") ?? kindNodeImage;
  const reference = parseImageReference(nodeImage);
  if (!reference || (!reference.digest && (reference.tag ?? "latest") === "latest")) {
    problems.bad("kindNodeImage", nodeImage, "an image reference with a tag other than latest");
  }
  return {
    kind: "kind",
    name,
    workers: raw.integer("kindWorkers", 2, 0, 9),
    nodeImage,
    kubeadmPatches: readPatches(raw),
    minimumFreeGiB: raw.integer("kindMinimumFreeGiB", 10, 0, 10_000),
    timeoutSeconds: raw.integer("kindTimeoutSeconds", 300, 30, 7200),
  };
}

function readPatches(raw: RawValues): Record<string, unknown>[] {
  const key = "kindKubeadmPatches";
  return raw.list(key).flatMap((patch, index) => {
    if (isRecord(patch) && patchKinds.some((kind) => kind === patch.kind)) return [patch];
    raw.problems.bad(`${key}[${index}]`, patch, `a map with kind: ${patchKinds.join(", ")}`);
    return [];
  });
}

async function readExisting(raw: RawValues, place: ConfigPlace): Promise<ExistingClusterConfig> {
  const { problems } = raw;
  const path = raw.optional("kubeconfig");
  const context = raw.optional("context") ?? "";
  if (!path) {
    problems.bad("kubeconfig", path, "the path of a kubeconfig file (cluster: existing needs it)");
    return { kind: "existing", kubeconfig: "", context };
  }
  const file = resolvePath(path, place);
  const kubeconfig = await readFile(file, "utf8").catch(() => undefined);
  if (kubeconfig === undefined) {
    problems.bad("kubeconfig", path, `a readable file (looked at ${file})`);
    return { kind: "existing", kubeconfig: "", context };
  }
  const contexts = await contextNames(kubeconfig);
  if (contexts === undefined) {
    problems.bad("kubeconfig", path, "a file that parses as a kubeconfig with a list of contexts");
  } else if (!contexts.includes(context)) {
    const known = contexts.length > 0 ? contexts.join(", ") : "none; the file names no context";
    problems.bad("context", raw.optional("context"), `a context of ${path}: ${known}`);
  }
  return { kind: "existing", kubeconfig, context };
}

/** Names of the contexts in a kubeconfig, or undefined when it is none. yaml is loaded only here: it costs 0.2 s. */
async function contextNames(text: string): Promise<string[] | undefined> {
  const { parse } = await import("yaml");
  try {
    const document: unknown = parse(text);
    if (!isRecord(document) || !Array.isArray(document.contexts)) return undefined;
    return (document.contexts as unknown[]).flatMap((entry) =>
      isRecord(entry) && typeof entry.name === "string" ? [entry.name] : [],
    );
  } catch {
    return undefined;
  }
}

/** A path as the configuration writes it: absolute, from the home folder (`~/`), or relative to Pulumi.yaml. */
export function resolvePath(path: string, place: ConfigPlace): string {
  if (path.startsWith("~/")) return join(place.homeFolder, path.slice(2));
  return isAbsolute(path) ? path : resolve(place.projectFolder, path);
}
