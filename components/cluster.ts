import type * as pulumi from "@pulumi/pulumi";
import type { Provider } from "@pulumi/kubernetes/provider.js";
import type { ImageArchive } from "../bundle.ts";
import type { ExistingClusterConfig, KindClusterConfig } from "../config/cluster.ts";
import { ExistingCluster } from "./existingCluster.ts";
import { KindCluster } from "./kindCluster.ts";

/** A Kubernetes cluster that the other components are put into. */
export interface Cluster {
  /** kubeconfig text; secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Context of that kubeconfig. */
  readonly context: pulumi.Output<string>;
  /** Provider of every Kubernetes resource of the stack. */
  readonly provider: Provider;
  /** Options that put a component into this cluster: its provider, its order, and what dies with the cluster. */
  readonly placement: ClusterPlacement;
}

/** Component options that a cluster gives to what lives in it. */
export interface ClusterPlacement {
  readonly providers: Provider[];
  readonly dependsOn: pulumi.Resource[];
  /** Set where the stack owns the cluster: deleting the cluster deletes everything in it. */
  readonly deletedWith?: pulumi.Resource;
}

/** Creates the stack's own KinD cluster, or connects to the one the configuration names. */
export function openCluster(
  config: KindClusterConfig | ExistingClusterConfig,
  imageArchives: readonly ImageArchive[],
): Cluster {
  return config.kind === "kind"
    ? new KindCluster("kind", { ...config, imageArchives })
    : new ExistingCluster("existing", config);
}
