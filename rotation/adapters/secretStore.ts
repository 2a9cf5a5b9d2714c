import type { CoreV1Api, V1OwnerReference, V1Secret } from "@kubernetes/client-node";
import { SecretExists, type SecretStore, type SecretToStore, type StoredSecret } from "../ports.ts";
import { AUTH_SECRET, MANAGER, ROLE_LABEL, STAGED_ROLE } from "../wireNames.ts";
import { ApiRefusal, callApiSteadily, unlessAbsent } from "./connect.ts";
import { createAnnounced, deleteUnlocked, setUnlocked } from "./guardMarks.ts";
import { mapValues, toLiveSecret } from "./kubernetes.ts";

/** {@link SecretStore} on the Kubernetes API. */
export function secretStore(api: CoreV1Api, namespace: string): SecretStore {
  return {
    async read(name) {
      const read = callApiSteadily(`read Secret ${namespace}/${name}`, () =>
        api.readNamespacedSecret({ namespace, name }),
      );
      const secret = await unlessAbsent(read);
      return secret && toStoredSecret(secret);
    },

    async create(secret) {
      const action = `create Secret ${namespace}/${secret.name}`;
      try {
        const body = toBody(namespace, secret);
        const create = () =>
          callApiSteadily(action, () =>
            api.createNamespacedSecret({ namespace, body, fieldManager: MANAGER }),
          );
        return toStoredSecret(await createAnnounced(api, { ...secret, namespace }, create));
      } catch (error) {
        if (error instanceof ApiRefusal && error.code === 409) {
          throw new SecretExists(`Secret ${namespace}/${secret.name} exists already`);
        }
        throw error;
      }
    },

    async remove(name, uid) {
      await deleteUnlocked(api, { namespace, name, uid }, (body) =>
        callApiSteadily(`delete Secret ${namespace}/${name}`, () =>
          api.deleteNamespacedSecret({ namespace, name, body }),
        ),
      );
    },

    async lock(name) {
      await unlessAbsent(setUnlocked(api, namespace, name, null));
    },

    async staged() {
      const labelSelector = `${ROLE_LABEL}=${STAGED_ROLE}`;
      const list = await callApiSteadily(`list staged keys of ${namespace}`, () =>
        api.listNamespacedSecret({ namespace, labelSelector }),
      );
      return list.items.map(({ metadata }) => metadata?.name ?? "");
    },
  };
}

function toBody(namespace: string, secret: SecretToStore): V1Secret {
  const { name, type, data, labels, annotations, ownerReferences } = secret;
  return {
    apiVersion: "v1",
    kind: "Secret",
    type,
    immutable: true,
    metadata: {
      ...{ name, namespace, labels: { ...labels }, annotations: { ...annotations } },
      ownerReferences: ownerReferences as unknown as V1OwnerReference[],
    },
    data: mapValues(data, (bytes) => Buffer.from(bytes).toString("base64")),
  };
}

function toStoredSecret(secret: V1Secret): StoredSecret {
  const { metadata, type } = secret;
  const managers = (metadata?.managedFields ?? []).filter(({ fieldsV1 }) => {
    const data = (fieldsV1 as { "f:data"?: Record<string, unknown> } | undefined)?.["f:data"];
    return data !== undefined && `f:${AUTH_SECRET.key}` in data;
  });
  return {
    ...toLiveSecret(secret),
    name: metadata?.name ?? "",
    type: type ?? "Opaque",
    ownerReferences: (metadata?.ownerReferences ?? []) as unknown as Record<string, unknown>[],
    finalizers: metadata?.finalizers ?? [],
    isBeingDeleted: metadata?.deletionTimestamp !== undefined,
    createdAtSeconds: Math.floor((metadata?.creationTimestamp?.getTime() ?? 0) / 1000),
    keyManagers: [...new Set(managers.map(({ manager }) => manager ?? "unknown"))],
  };
}
