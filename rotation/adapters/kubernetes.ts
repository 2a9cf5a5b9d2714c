import type { CoreV1Api, V1Pod, V1Secret } from "@kubernetes/client-node";
import { type KeyCluster, type LiveSecret, type NewSecret, SecretExists } from "../ports.ts";
import { ApiRefusal, callApi, openCoreApi, unlessAbsent } from "./connect.ts";
import { createAnnounced, deleteUnlocked } from "./guardMarks.ts";

/** {@link KeyCluster} on the Kubernetes API. */
export async function connectKubernetes(kubeconfig: string, context: string): Promise<KeyCluster> {
  return new KubernetesKeyCluster(await openCoreApi(kubeconfig, context));
}

class KubernetesKeyCluster implements KeyCluster {
  readonly #api: CoreV1Api;

  constructor(api: CoreV1Api) {
    this.#api = api;
  }

  async identity(): Promise<string> {
    const namespace = await callApi("read namespace kube-system", () =>
      this.#api.readNamespace({ name: "kube-system" }),
    );
    return namespace.metadata?.uid ?? "";
  }

  async readSecret(namespace: string, name: string): Promise<LiveSecret | undefined> {
    const read = callApi(`read Secret ${namespace}/${name}`, () =>
      this.#api.readNamespacedSecret({ namespace, name }),
    );
    const secret = await unlessAbsent(read);
    return secret && toLiveSecret(secret);
  }

  async createSecret(secret: NewSecret): Promise<LiveSecret> {
    const { namespace, name, labels, annotations } = secret;
    const body: V1Secret = {
      apiVersion: "v1",
      kind: "Secret",
      type: "Opaque",
      immutable: true,
      metadata: { name, namespace, labels: { ...labels }, annotations: { ...annotations } },
      data: mapValues(secret.data, (bytes) => Buffer.from(bytes).toString("base64")),
    };
    try {
      const create = () =>
        callApi(`create Secret ${namespace}/${name}`, () =>
          this.#api.createNamespacedSecret({ namespace, body }),
        );
      return toLiveSecret(await createAnnounced(this.#api, secret, create));
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 409) {
        throw new SecretExists(`Secret ${namespace}/${name} exists already`);
      }
      throw error;
    }
  }

  async deleteSecret(namespace: string, name: string, uid: string): Promise<void> {
    await deleteUnlocked(this.#api, { namespace, name, uid }, (body) =>
      callApi(`delete Secret ${namespace}/${name}`, () =>
        this.#api.deleteNamespacedSecret({ namespace, name, body }),
      ),
    );
  }

  async holders(namespace: string, secretName: string): Promise<readonly string[]> {
    const pods = await callApi(`list pods of ${namespace}`, () =>
      this.#api.listNamespacedPod({ namespace }),
    );
    return pods.items
      .filter((pod) => !pod.metadata?.deletionTimestamp && referencesSecret(pod, secretName))
      .map((pod) => pod.metadata?.name ?? "");
  }
}

/** Pure: whether a pod mounts a Secret, alone or as part of a projected volume, or takes variables from it. */
export function referencesSecret(pod: V1Pod, secretName: string): boolean {
  const spec = pod.spec;
  const mounted = (spec?.volumes ?? []).some(
    (volume) =>
      volume.secret?.secretName === secretName ||
      volume.projected?.sources?.some((source) => source.secret?.name === secretName),
  );
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return (
    mounted ||
    containers.some(
      (container) =>
        container.env?.some((entry) => entry.valueFrom?.secretKeyRef?.name === secretName) ||
        container.envFrom?.some((entry) => entry.secretRef?.name === secretName),
    )
  );
}

/** The part of a Secret that the engines look at, its data decoded. */
export function toLiveSecret(secret: V1Secret): LiveSecret {
  return {
    uid: secret.metadata?.uid ?? "",
    immutable: secret.immutable ?? false,
    data: mapValues(secret.data ?? {}, (text) => new Uint8Array(Buffer.from(text, "base64"))),
    labels: secret.metadata?.labels ?? {},
    annotations: secret.metadata?.annotations ?? {},
  };
}

/** Pure: the same map with other values. */
export function mapValues<A, B>(
  map: Readonly<Record<string, A>>,
  to: (value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, to(value)]));
}
