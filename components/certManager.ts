import * as pulumi from "@pulumi/pulumi";
import { Namespace } from "@pulumi/kubernetes/core/v1/namespace.js";
import { Release } from "@pulumi/kubernetes/helm/v3/release.js";
import { imageParts } from "./imageParts.ts";
import type { ChartSource } from "../config/sources.ts";
import type { ImageName } from "../versions.ts";
import { childOptions } from "./childOptions.ts";

/** Arguments of {@link CertManager}. */
export interface CertManagerArgs {
  /** Chart and version. */
  chart: ChartSource;
  /** Image of each container by base name. */
  images: Readonly<Record<ImageName, string>>;
  /** Names of image pull Secrets in the namespace. */
  imagePullSecrets: readonly string[];
  /** How long until all objects and the chart's own API check are ready. */
  timeoutSeconds: number;
}

/** cert-manager with its CRDs in a namespace of its own: it issues the certificate of the operator's webhook. */
export class CertManager extends pulumi.ComponentResource {
  constructor(name: string, args: CertManagerArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:CertManager", name, {}, opts);
    const namespace = new Namespace(
      `${name}-namespace`,
      { metadata: { name: "cert-manager" } },
      childOptions(this, opts),
    );
    new Release(
      name,
      {
        name: "cert-manager",
        namespace: namespace.metadata.name,
        ...args.chart,
        values: toCertManagerValues(args),
        timeout: args.timeoutSeconds,
        atomic: false,
      },
      childOptions(this, opts),
    );
    this.registerOutputs({});
  }
}

/** Pure: values of the cert-manager chart. The chart's startupapicheck makes the release wait for a working API. */
export function toCertManagerValues(args: CertManagerArgs): Record<string, unknown> {
  const { images } = args;
  return {
    crds: { enabled: true },
    global: { imagePullSecrets: args.imagePullSecrets.map((name) => ({ name })) },
    image: imageParts(images["cert-manager-controller"]),
    webhook: { image: imageParts(images["cert-manager-webhook"]) },
    cainjector: { image: imageParts(images["cert-manager-cainjector"]) },
    startupapicheck: { image: imageParts(images["cert-manager-startupapicheck"]) },
  };
}
