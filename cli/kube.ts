/** The cluster's API as the commands use it: few reads, one delete, and exec; every call has a deadline. */

import type { V1Pod } from "@kubernetes/client-node";

import { execInPod, podSocketOpener } from "../cluster/podExec.ts";
import type { ExecResult, ExecTarget } from "../cluster/podExec.ts";
import type { HelmRecord } from "./recoveryPlan.ts";

/** A pod, reduced to what the commands show and decide from. */
export interface PodView {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly phase: string;
  /** Whether every container is ready and the pod is not going away. */
  readonly ready: boolean;
  /** Ready and all containers, as `1/2`. */
  readonly readyCount: string;
  readonly restarts: number;
  readonly node: string;
  /** Image of each container by container name, in order. */
  readonly images: Readonly<Record<string, string>>;
}

/** The cluster of a stack. */
export interface Kube {
  /** Version of the API server. @throws Error when it does not answer */
  version(): Promise<string>;
  pods(namespace: string): Promise<PodView[]>;
  /** Labels of a namespace, undefined when there is none of that name. */
  namespaceLabels(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Helm's release records of a namespace: their labels only, never their content. */
  helmRecords(namespace: string): Promise<HelmRecord[]>;
  /** An entry of a ConfigMap; undefined when there is none. */
  configMapEntry(namespace: string, name: string, entry: string): Promise<string | undefined>;
  deleteSecret(namespace: string, name: string): Promise<void>;
  exec(target: ExecTarget, command: readonly string[], seconds: number): Promise<ExecResult>;
}

/** Seconds one API request may take. */
const REQUEST_SECONDS = 15;

/** Connects with a kubeconfig's text; `context` empty means its current one. */
export async function connectKube(kubeconfig: string, context: string): Promise<Kube> {
  const { CoreV1Api, KubeConfig, VersionApi } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  if (context !== "") config.setCurrentContext(context);
  const core = config.makeApiClient(CoreV1Api);
  const open = podSocketOpener(config);

  return {
    async version() {
      const api = config.makeApiClient(VersionApi);
      return (await within("the version of the cluster", api.getCode())).gitVersion;
    },
    async pods(namespace) {
      const list = await within(`the pods of ${namespace}`, core.listNamespacedPod({ namespace }));
      return list.items.map(toPodView);
    },
    async namespaceLabels(name) {
      const fieldSelector = `metadata.name=${name}`;
      const list = await within(`the namespace ${name}`, core.listNamespace({ fieldSelector }));
      const [found] = list.items;
      return found === undefined ? undefined : (found.metadata?.labels ?? {});
    },
    async helmRecords(namespace) {
      const labelSelector = "owner=helm";
      const fieldSelector = "type=helm.sh/release.v1";
      const request = core.listNamespacedSecret({ namespace, labelSelector, fieldSelector });
      const list = await within(`the Helm records of ${namespace}`, request);
      return list.items.map(({ metadata }) => ({
        namespace,
        secret: metadata?.name ?? "",
        release: metadata?.labels?.["name"] ?? "",
        revision: Number(metadata?.labels?.["version"]),
        status: metadata?.labels?.["status"] ?? "",
      }));
    },
    async configMapEntry(namespace, name, entry) {
      const fieldSelector = `metadata.name=${name}`;
      const list = await within(
        `ConfigMap ${namespace}/${name}`,
        core.listNamespacedConfigMap({ namespace, fieldSelector }),
      );
      return list.items[0]?.data?.[entry];
    },
    async deleteSecret(namespace, name) {
      await within(
        `the deletion of Secret ${namespace}/${name}`,
        core.deleteNamespacedSecret({ namespace, name }),
      );
    },
    exec(target, command, timeoutSeconds) {
      return execInPod(open, target, command, { timeoutSeconds });
    },
  };
}

/** The shown part of a pod. */
export function toPodView({ metadata, spec, status }: V1Pod): PodView {
  const statuses = status?.containerStatuses ?? [];
  const containers = spec?.containers ?? [];
  const readyContainers = statuses.filter((each) => each.ready).length;
  return {
    namespace: metadata?.namespace ?? "",
    name: metadata?.name ?? "",
    labels: metadata?.labels ?? {},
    phase: metadata?.deletionTimestamp ? "Terminating" : (status?.phase ?? "Unknown"),
    ready: !metadata?.deletionTimestamp && readyContainers === containers.length,
    readyCount: `${readyContainers}/${containers.length}`,
    restarts: statuses.reduce((sum, each) => sum + each.restartCount, 0),
    node: spec?.nodeName ?? "",
    images: Object.fromEntries(containers.map(({ name, image }) => [name, image ?? ""])),
  };
}

async function within<T>(what: string, request: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${REQUEST_SECONDS} s`)),
      REQUEST_SECONDS * 1000,
    );
  });
  try {
    return await Promise.race([request, deadline]);
  } catch (error) {
    throw new Error(`the cluster did not give ${what}: ${whyRefused(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The HTTP code of a refused request, or the cause of a lost one; never a body, which may repeat what was sent. */
export function whyRefused(error: unknown): string {
  if (!(error instanceof Error)) return "no reason given";
  const { code } = error as { code?: unknown };
  if (typeof code === "number") return `HTTP ${code}`;
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
