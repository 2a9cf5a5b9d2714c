import * as pulumi from "@pulumi/pulumi";
import { Provider } from "@pulumi/kubernetes/provider.js";
import type { Cluster, ClusterPlacement } from "./cluster.ts";

/** Arguments of {@link ExistingCluster}. */
export interface ExistingClusterArgs {
  /** kubeconfig text. Kept as a secret. */
  kubeconfig: string;
  /** Context of the kubeconfig. The current context is never used: several people run one stack. */
  context: string;
}

/** A cluster that was there before the stack and stays after it: only a provider with an explicit context. */
export class ExistingCluster extends pulumi.ComponentResource implements Cluster {
  readonly kubeconfig: pulumi.Output<string>;
  readonly context: pulumi.Output<string>;
  readonly provider: Provider;
  readonly placement: ClusterPlacement;

  constructor(name: string, args: ExistingClusterArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:ExistingCluster", name, {}, opts);
    this.kubeconfig = pulumi.secret(args.kubeconfig);
    this.context = pulumi.output(args.context);
    this.provider = new Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        context: args.context,
        clusterIdentifier: `existing/${args.context}`,
        deleteUnreachable: false,
      },
      { parent: this },
    );
    this.placement = { providers: [this.provider], dependsOn: [] };
    this.registerOutputs({ context: this.context });
  }
}
