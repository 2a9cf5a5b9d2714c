import { isDeepStrictEqual } from "node:util";
import type {
  V1ConfigMap,
  V1Deployment,
  V1ObjectMeta,
  V1OwnerReference,
  V1Secret,
  V1StatefulSet,
} from "@kubernetes/client-node";
import type { KubeApi } from "./client.ts";
import { refOf, type KubeObject } from "./object.ts";

/** A StatefulSet or Deployment as the builders make it: kind, metadata and spec are there. */
export type Workload = KubeObject &
  (
    | { kind: "StatefulSet"; spec: NonNullable<V1StatefulSet["spec"]> }
    | { kind: "Deployment"; spec: NonNullable<V1Deployment["spec"]> }
  );

/** A ConfigMap or Secret as the builders make it. */
export type DataObject = KubeObject & Pick<V1ConfigMap & V1Secret, "data" | "immutable" | "type">;

/**
 * Creates the workload, or writes `replicas` and the whole `template` over the live ones, so that foreign restart
 * annotations and foreign replica counts go away (contract §4.4). The API server drops a write that changes nothing.
 */
export async function applyWorkload(api: KubeApi, desired: Workload): Promise<void> {
  const live = await api.get<Workload>(refOf(desired));
  if (live === undefined) {
    await api.create(desired);
    return;
  }
  const spec = { ...live.spec, replicas: desired.spec.replicas, template: desired.spec.template };
  await api.replace({ ...live, metadata: mergedMeta(live, desired), spec } as Workload);
}

/** Creates the ConfigMap or Secret, or sets its data where they differ. */
export async function applyData(api: KubeApi, desired: DataObject): Promise<void> {
  const live = await api.get<DataObject>(refOf(desired));
  if (live === undefined) {
    await api.create(desired);
    return;
  }
  const metadata = mergedMeta(live, desired);
  if (!isDeepStrictEqual(live.data, desired.data) || !isDeepStrictEqual(live.metadata, metadata)) {
    await api.replace({ ...live, metadata, data: desired.data } as DataObject);
  }
}

/**
 * Creates a Service or PodDisruptionBudget, or writes the desired spec fields over the live ones; fields that the API
 * server filled in (cluster address, policies) stay. Owners are added: NodeSets share such objects.
 */
export async function applySpec(
  api: KubeApi,
  desired: KubeObject & { spec?: object },
): Promise<void> {
  const live = await api.get<KubeObject & { spec?: object }>(refOf(desired));
  if (live === undefined) {
    await api.create(desired);
    return;
  }
  const spec = { ...live.spec, ...desired.spec };
  const metadata = mergedMeta(live, desired);
  if (!isSubset(desired.spec, live.spec) || !isDeepStrictEqual(live.metadata, metadata)) {
    await api.replace({ ...live, metadata, spec });
  }
}

/** Whether every field of `part` has the same value in `whole`; lists need the same length. */
export function isSubset(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part)) {
    return (
      Array.isArray(whole) &&
      part.length === whole.length &&
      part.every((item, index) => isSubset(item, whole[index]))
    );
  }
  if (typeof part === "object" && part !== null) {
    return (
      typeof whole === "object" &&
      whole !== null &&
      Object.entries(part).every(([key, value]) =>
        isSubset(value, (whole as Record<string, unknown>)[key]),
      )
    );
  }
  return part === whole;
}

function mergedMeta(live: KubeObject, desired: KubeObject): V1ObjectMeta {
  const metadata = { ...live.metadata };
  if (desired.metadata.labels !== undefined) {
    metadata.labels = { ...metadata.labels, ...desired.metadata.labels };
  }
  if (desired.metadata.annotations !== undefined) {
    metadata.annotations = { ...metadata.annotations, ...desired.metadata.annotations };
  }
  const owners = metadata.ownerReferences ?? [];
  const missing = (desired.metadata.ownerReferences ?? []).filter(
    (owner) => !owners.some((present) => present.uid === owner.uid),
  );
  if (missing.length > 0) {
    // A controlling owner of the same kind and name with another uid is gone: the custom resource was recreated.
    metadata.ownerReferences = [
      ...owners.filter((owner) => !replacedBy(owner, missing)),
      ...missing,
    ];
  }
  return metadata;
}

function replacedBy(owner: V1OwnerReference, missing: V1OwnerReference[]): boolean {
  return missing.some((next) => next.kind === owner.kind && next.name === owner.name);
}
