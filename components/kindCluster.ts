import * as pulumi from "@pulumi/pulumi";
import { Command } from "@pulumi/command/local/command.js";
import { Provider } from "@pulumi/kubernetes/provider.js";
import type { ImageArchive } from "../bundle.ts";
import type { Cluster, ClusterPlacement } from "./cluster.ts";
import { type ImageSettings, type KindSettings, settingsVariable } from "./kind/settings.ts";

/** Arguments of {@link KindCluster}. All plain: they decide what is created, not what flows. */
export interface KindClusterArgs {
  /** Name of the cluster, also in its context `kind-<name>`. Another name is another cluster. */
  name: string;
  /** Worker nodes beside the one control plane. A live cluster cannot change it. */
  workers: number;
  /** Node image, pinned. A live cluster cannot change it. */
  nodeImage: string;
  /** Patches of kubeadm's configuration, each with its kind. A live cluster cannot change them. */
  kubeadmPatches: readonly Readonly<Record<string, unknown>>[];
  /** Free disk space below which nothing is created, in GiB. */
  minimumFreeGiB: number;
  /** How long creating, deleting or waiting for another process may take. */
  timeoutSeconds: number;
  /** Image archives to load into every node; images that are there already are left out. */
  imageArchives: readonly ImageArchive[];
}

/**
 * A KinD cluster on this machine, its kubeconfig and its provider. The work is done by `kind/main.ts` in child
 * processes that can be killed at any time: the next `up` repairs what they left.
 */
export class KindCluster extends pulumi.ComponentResource implements Cluster {
  readonly kubeconfig: pulumi.Output<string>;
  readonly context: pulumi.Output<string>;
  readonly provider: Provider;
  readonly placement: ClusterPlacement;

  constructor(name: string, args: KindClusterArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:KindCluster", name, {}, opts);

    const cluster = new Command(
      name,
      {
        create: "node components/kind/main.ts ensure",
        update: "node components/kind/main.ts ensure",
        delete: "node components/kind/main.ts delete",
        environment: { [settingsVariable]: JSON.stringify(toKindSettings(args)) },
        triggers: [args.name],
        logging: "none",
      },
      { parent: this, additionalSecretOutputs: ["stdout"] },
    );
    this.kubeconfig = pulumi.secret(cluster.stdout);
    this.context = pulumi.output(`kind-${args.name}`);
    this.provider = new Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        context: this.context,
        clusterIdentifier: `kind/${args.name}`,
        deleteUnreachable: false,
      },
      { parent: this },
    );

    const ready: pulumi.Resource[] = [cluster];
    if (args.imageArchives.length > 0) {
      ready.push(
        new Command(
          `${name}-images`,
          {
            create: "node components/kind/main.ts load-images",
            update: "node components/kind/main.ts load-images",
            environment: { [settingsVariable]: JSON.stringify(toImageSettings(args)) },
            triggers: [args.name],
          },
          { parent: this, dependsOn: [cluster], deletedWith: cluster },
        ),
      );
    }
    this.placement = { providers: [this.provider], dependsOn: ready, deletedWith: cluster };
    this.registerOutputs({ context: this.context });
  }
}

/** Pure: what the child process that creates and deletes the cluster needs to know. */
export function toKindSettings(args: KindClusterArgs): KindSettings {
  return {
    name: args.name,
    stack: `${pulumi.getProject()}/${pulumi.getStack()}`,
    workers: args.workers,
    nodeImage: args.nodeImage,
    kubeadmPatches: args.kubeadmPatches,
    minimumFreeGiB: args.minimumFreeGiB,
    timeoutSeconds: args.timeoutSeconds,
  };
}

/** Pure: what the child process that loads images needs to know. Image ids make new content a new input. */
export function toImageSettings(args: KindClusterArgs): ImageSettings {
  return {
    name: args.name,
    archives: args.imageArchives,
    timeoutSeconds: args.timeoutSeconds,
  };
}
