import type { KubeConfig } from "@kubernetes/client-node";
import { customKinds, type CustomKind, type CustomResource } from "./crds.ts";
import { dependents, watchedKinds } from "./events.ts";
import { startHealthServer } from "./healthServer.ts";
import { KubeClient } from "./kube/client.ts";
import { LeaderLease } from "./kube/lease.ts";
import { refOf, type ObjectRef } from "./kube/object.ts";
import { Informer } from "./kube/watch.ts";
import { reconcileAccounting } from "./reconcilers/accounting.ts";
import { reconcileController } from "./reconcilers/controller.ts";
import { reconcileLoginSet } from "./reconcilers/loginSet.ts";
import { reconcileNodeSet } from "./reconcilers/nodeSet.ts";
import type { Reconciler } from "./reconcilers/reconciler.ts";
import { reconcileRestApi } from "./reconcilers/restApi.ts";
import { reconcileToken } from "./reconcilers/token.ts";
import { SlurmClients } from "./slurm/slurmClients.ts";
import { WorkQueue } from "./workQueue.ts";

/** Name of the Lease that the managers compete for. */
export const LEASE_NAME = "slurm-operator.slinky.slurm.net";
const RESYNC_MS = 5 * 60 * 1000;

const reconcilers: Record<CustomKind, Reconciler> = {
  Accounting: reconcileAccounting,
  Controller: reconcileController,
  LoginSet: reconcileLoginSet,
  NodeSet: reconcileNodeSet,
  RestApi: reconcileRestApi,
  Token: reconcileToken,
};

/** Settings of the manager, from its flags and environment. */
export interface ManagerOptions {
  config: KubeConfig;
  /** Namespace of the operator's own pod; holds the Lease. */
  ownNamespace: string;
  /** Holder identity, unique per process. */
  identity: string;
  /** Namespaces to watch; all when empty. */
  namespaces: string[];
  leaderElect: boolean;
  healthPort: number;
  log: (text: string) => void;
}

/** Runs the operator until the signal aborts; a clean stop releases the Lease. */
export async function runManager(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { log } = options;
  const client = new KubeClient(options.config);
  const health = await startHealthServer(options.healthPort, () => true);
  const lease = new LeaderLease(client, options.ownNamespace, LEASE_NAME, options.identity);
  if (options.leaderElect) {
    log(`waiting for Lease ${options.ownNamespace}/${LEASE_NAME}`);
    await lease.acquire(signal, log);
  }
  try {
    if (!signal.aborted) {
      log("leading: starting the reconcilers");
      await lead(options, client, options.leaderElect ? lease : undefined, signal);
    }
  } finally {
    health.close();
    if (options.leaderElect) {
      // Not released means only that the next process waits until the Lease expires.
      await lease.release().catch((error: unknown) => {
        log(`Lease not released: ${(error as Error).message}`);
      });
    }
  }
}

async function lead(
  options: ManagerOptions,
  client: KubeClient,
  lease: LeaderLease | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { log } = options;
  const clients = new SlurmClients(client);
  const context = {
    api: client,
    slurmFor: clients.for.bind(clients),
    now: Date.now,
    log,
  };
  const handle = ({ kind, namespace, name }: ObjectRef): Promise<number | undefined> =>
    reconcilers[kind as CustomKind](context, namespace, name);
  const queue = new WorkQueue(handle, log);
  const customInformers: Informer[] = [];
  const allCustom = (): CustomResource[] =>
    customInformers.flatMap((informer) => informer.objects()) as CustomResource[];
  const scopes = options.namespaces.length === 0 ? [undefined] : options.namespaces;
  const makeInformers = (kinds: readonly string[]): Informer[] =>
    kinds.flatMap((kind) =>
      scopes.map(
        (namespace) =>
          new Informer(client, kind, namespace, (object) => {
            dependents(object, allCustom()).forEach((ref) => {
              queue.add(ref);
            });
          }),
      ),
    );
  customInformers.push(...makeInformers(customKinds));
  const informers = [...customInformers, ...makeInformers(watchedKinds)];
  const resync = setInterval(() => {
    allCustom().forEach((item) => {
      queue.add(refOf(item));
    });
  }, RESYNC_MS);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const watching = informers.map((informer) => informer.run(both, log));
  try {
    await (lease === undefined ? aborted(signal) : lease.keep(signal));
  } finally {
    clearInterval(resync);
    ended.abort();
    await Promise.allSettled(watching);
    await queue.stop();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
}
