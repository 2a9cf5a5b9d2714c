import * as pulumi from "@pulumi/pulumi";
import type * as engine from "./engine.ts";

/** Arguments of {@link WebhookReady}. */
export interface WebhookReadyArgs {
  /** kubeconfig text. Kept as a secret. */
  kubeconfig: pulumi.Input<string>;
  /** Context of that kubeconfig. */
  context: pulumi.Input<string>;
  /** Namespace in which the probe asks to create a Controller (dry run). */
  namespace: pulumi.Input<string>;
  /** Helm revision of the operator; another one makes the webhook prove itself again. */
  operatorRevision: pulumi.Input<number>;
  /** How long until the webhook must have answered. */
  timeoutSeconds: pulumi.Input<number>;
}

/** Loads the engine from the program's folder; stored in the state as text, so it captures nothing (R39). */
async function loadEngine(): Promise<typeof engine> {
  const path = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const file = path.join(process.cwd(), "components", "webhook", "engine.ts");
  return (await import(pathToFileURL(file).href)) as typeof engine;
}

type Inputs = Parameters<typeof engine.admit>[0];
type Outputs = Awaited<ReturnType<typeof engine.admit>>;

/** The thin shell of the gate. It has no read and no delete: nothing in the cluster belongs to it. */
export const webhookProvider: pulumi.dynamic.ResourceProvider<Inputs, Outputs> = {
  async diff(_id, olds, news) {
    return (await loadEngine()).diff(olds, news);
  },
  async create(inputs) {
    return { id: `${inputs.namespace}/webhook`, outs: await (await loadEngine()).admit(inputs) };
  },
  async update(_id, _olds, news) {
    return { outs: await (await loadEngine()).admit(news) };
  },
};

/**
 * A gate: exists once the operator's admission webhook answers. A ready Deployment is not enough, because the API
 * server trusts the webhook's certificate only some time later, and a chart installed in between fails half-way (R35).
 */
export class WebhookReady extends pulumi.dynamic.Resource {
  /** Probes made until the first was admitted. */
  declare readonly attempts: pulumi.Output<number>;
  /** Seconds until then. */
  declare readonly seconds: pulumi.Output<number>;

  constructor(name: string, args: WebhookReadyArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      webhookProvider,
      name,
      {
        ...args,
        kubeconfig: pulumi.secret(args.kubeconfig),
        attempts: undefined,
        seconds: undefined,
      },
      opts,
      "slurm",
      "WebhookReady",
    );
  }
}
