import * as pulumi from "@pulumi/pulumi";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import type { ChartSource } from "../config/sources.ts";
import type { ImageName } from "../versions.ts";
import { childOptions } from "./childOptions.ts";
import { imageParts } from "./imageParts.ts";

/** Namespace of the operator and its webhook. */
export const operatorNamespace = "slinky";

/** Arguments of {@link SlurmOperator}. */
export interface SlurmOperatorArgs {
  /** Chart of the custom resource definitions. */
  crdsChart: ChartSource;
  /** Chart of the operator. */
  chart: ChartSource;
  /** Image of each container by base name. */
  images: Readonly<Record<ImageName, string>>;
  /** Names of image pull Secrets in the namespace. */
  imagePullSecrets: readonly string[];
  /** How long until all objects are ready, for each chart. */
  timeoutSeconds: number;
}

/**
 * The Slinky slurm-operator, its admission webhook and its CRDs. The CRDs are a release of their own: Helm applies
 * them with server-side semantics of an ordinary template and upgrades them, which it never does for `crds/` (R38).
 */
export class SlurmOperator extends pulumi.ComponentResource {
  readonly namespace: pulumi.Output<string>;
  /** Helm revision of the operator: a new one means the webhook was restarted. */
  readonly revision: pulumi.Output<number>;

  constructor(name: string, args: SlurmOperatorArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:SlurmOperator", name, {}, opts);
    const namespace = new Namespace(
      `${name}-namespace`,
      { metadata: { name: operatorNamespace } },
      childOptions(this, opts),
    );
    const crds = new Release(
      `${name}-crds`,
      {
        name: "slurm-operator-crds",
        namespace: namespace.metadata.name,
        ...args.crdsChart,
        timeout: args.timeoutSeconds,
        atomic: false,
      },
      childOptions(this, opts),
    );
    const operator = new Release(
      name,
      {
        name: "slurm-operator",
        namespace: namespace.metadata.name,
        ...args.chart,
        values: toOperatorValues(args),
        timeout: args.timeoutSeconds,
        atomic: false,
      },
      childOptions(this, opts, { dependsOn: [crds] }),
    );
    this.namespace = namespace.metadata.name;
    this.revision = operator.status.revision;
    this.registerOutputs({ namespace: this.namespace });
  }
}

/** Pure: values of the slurm-operator chart. Its webhook gets its certificate from cert-manager. */
export function toOperatorValues(args: SlurmOperatorArgs): Record<string, unknown> {
  return {
    imagePullSecrets: args.imagePullSecrets.map((name) => ({ name })),
    crds: { enabled: false },
    certManager: { enabled: true },
    operator: { image: imageParts(args.images["slurm-operator"]) },
    webhook: { image: imageParts(args.images["slurm-operator-webhook"]) },
  };
}
