import type {
  CommandOptions,
  CommandResult,
  CommandRunner,
} from "../../components/kind/commandRunner.ts";
import { ownerMountPath } from "../../components/kind/kindConfig.ts";

interface Container {
  readonly name: string;
  readonly cluster: string;
  readonly owner: string | undefined;
  readonly volume: string;
  running: boolean;
  ready: boolean;
  images: Map<string, string>;
}

interface KindConfigFile {
  readonly name: string;
  readonly nodes: {
    readonly role: string;
    readonly extraMounts: { readonly hostPath: string }[];
  }[];
}

/** Docker, kind, kubectl and crictl in memory: containers, volumes and the network that kind makes. */
export class FakeDocker implements CommandRunner {
  readonly containers: Container[] = [];
  readonly volumes = new Set<string>();
  readonly networks = new Set<string>();
  /** Every command line, in order. */
  readonly log: string[] = [];
  /** Docker's daemon does not run. */
  isDown = false;
  /** kind is killed after this many containers. */
  dieAfterContainers = Number.POSITIVE_INFINITY;
  /** Nodes whose kubelet never gets ready. */
  neverReady = new Set<string>();
  /** crictl is not in the node image. */
  lacksCrictl = false;
  /** Containers that kind fails to delete. */
  undeletable = new Set<string>();
  /** Images of each archive by path: reference as containerd writes it, and id. */
  archives: Record<string, Record<string, string>> = {};

  run(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
    this.log.push([command, ...args].join(" "));
    options.onStart?.(4711);
    try {
      const stdout = command === "kind" ? this.#kind(args, options) : this.#docker(args);
      return Promise.resolve({ code: 0, stdout, stderr: "" });
    } catch (error) {
      if (error instanceof Killed) return Promise.reject(error);
      return Promise.resolve({ code: 1, stdout: "", stderr: (error as Error).message });
    }
  }

  /** Nodes of a cluster made by somebody else. */
  addForeign(cluster: string, owner?: string): void {
    this.networks.add("kind");
    this.#add(cluster, `${cluster}-control-plane`, owner).ready = true;
  }

  ran(start: string): string[] {
    return this.log.filter((line) => line.startsWith(start));
  }

  #docker(args: readonly string[]): string {
    if (this.isDown) throw new Error("Cannot connect to the Docker daemon");
    const line = args.join(" ");
    const [verb, ...rest] = args;
    if (verb === "info") return "/var/lib/docker\n";
    if (verb === "ps")
      return this.#of(line)
        .map(({ name }) => `id-${name}`)
        .join("\n");
    if (verb === "inspect") return JSON.stringify(rest.map((id) => this.#inspect(id.slice(3))));
    if (verb === "start") {
      for (const name of rest) this.#named(name).running = true;
      return "";
    }
    if (verb === "volume") {
      if (!this.volumes.delete(rest[1] ?? "")) throw new Error("no such volume");
      return "";
    }
    if (line.startsWith("network inspect kind")) {
      if (!this.networks.has("kind")) throw new Error("no such network");
      return line.includes("len .Containers") ? `${this.containers.length}\n` : "id\n";
    }
    if (line === "network rm kind") {
      this.networks.delete("kind");
      return "";
    }
    if (verb === "exec") return this.#exec(rest);
    throw new Error(`docker does not know ${line}`);
  }

  #exec([name = "", program]: readonly string[]): string {
    const node = this.#named(name);
    if (!node.running) throw new Error("container is not running");
    if (program === "crictl") {
      if (this.lacksCrictl) throw new Error("crictl: not found");
      return JSON.stringify({
        images: [...node.images].map(([tag, id]) => ({ id, repoTags: [tag] })),
      });
    }
    return this.containers
      .filter(({ cluster }) => cluster === node.cluster)
      .map((other) => (other.ready && other.running ? "True" : "False"))
      .join(" ");
  }

  #kind(args: readonly string[], { input = "" }: CommandOptions): string {
    const name = args[args.indexOf("--name") + 1] ?? "";
    const verb = args.slice(0, 2).join(" ");
    if (verb === "create cluster") return this.#create(JSON.parse(input) as KindConfigFile);
    if (verb === "get kubeconfig") return `kubeconfig of ${name}`;
    if (verb === "export kubeconfig") return "";
    if (verb === "load image-archive") {
      const images = Object.entries(this.archives[args[2] ?? ""] ?? {});
      for (const node of this.#of(name)) for (const [tag, id] of images) node.images.set(tag, id);
      return "";
    }
    if (verb === "delete cluster") {
      for (const node of this.#of(name)) {
        if (this.undeletable.has(node.name)) continue;
        this.containers.splice(this.containers.indexOf(node), 1);
        this.volumes.delete(node.volume);
      }
      return "";
    }
    throw new Error(`kind does not know ${args.join(" ")}`);
  }

  #create({ name, nodes }: KindConfigFile): string {
    if (this.#of(name).length > 0) throw new Error(`node(s) already exist for "${name}"`);
    this.networks.add("kind");
    const made = nodes.map(({ role, extraMounts }, index) => {
      if (index >= this.dieAfterContainers) throw new Killed("killed");
      const suffix = role === "worker" && index > 1 ? `worker${index}` : role;
      return this.#add(name, `${name}-${suffix}`, extraMounts[0]?.hostPath);
    });
    for (const node of made) node.ready = !this.neverReady.has(node.name);
    return "";
  }

  #add(cluster: string, name: string, owner: string | undefined): Container {
    const node: Container = {
      name,
      cluster,
      owner,
      volume: `volume-${name}`,
      running: true,
      ready: false,
      images: new Map(),
    };
    this.containers.push(node);
    this.volumes.add(node.volume);
    return node;
  }

  #inspect(name: string): unknown {
    const { owner, running, volume } = this.#named(name);
    const mark = { Type: "bind", Source: owner, Destination: ownerMountPath };
    const data = { Type: "volume", Name: volume, Source: "/volumes", Destination: "/var" };
    return {
      Name: `/${name}`,
      State: { Running: running },
      Mounts: owner === undefined ? [data] : [data, mark],
    };
  }

  #of(text: string): Container[] {
    return this.containers.filter(
      ({ cluster }) => text === cluster || text.endsWith(`io.x-k8s.kind.cluster=${cluster}`),
    );
  }

  #named(name: string): Container {
    const found = this.containers.find((container) => container.name === name);
    if (!found) throw new Error(`No such container: ${name}`);
    return found;
  }
}

/** The process that did the work was ended from outside. */
class Killed extends Error {}
