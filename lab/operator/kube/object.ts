import type { V1ObjectMeta, V1OwnerReference } from "@kubernetes/client-node";

/** Any Kubernetes object as plain JSON, with the parts every reconciler needs. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: V1ObjectMeta;
}

/** Names one object: its kind (a key of `resourceKinds`), namespace and name. */
export interface ObjectRef {
  kind: string;
  namespace: string;
  name: string;
}

/** The reference of an existing object. */
export function refOf(object: KubeObject): ObjectRef {
  return { kind: object.kind, namespace: namespaceOf(object), name: nameOf(object) };
}

/** The object's name; the API server sets it on every stored object. */
export function nameOf(object: { metadata: V1ObjectMeta }): string {
  return object.metadata.name ?? "";
}

/** The object's namespace; everything the operator handles is namespaced. */
export function namespaceOf(object: { metadata: V1ObjectMeta }): string {
  return object.metadata.namespace ?? "";
}

/**
 * An owner reference to `owner`.
 * `controller` is false for objects that several NodeSets share (the worker Service and its PodDisruptionBudget):
 * an object may have one controlling owner only.
 */
export function ownerReference(owner: KubeObject, controller: boolean): V1OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: nameOf(owner),
    uid: owner.metadata.uid ?? "",
    blockOwnerDeletion: true,
    ...(controller ? { controller: true } : {}),
  };
}

/** Whether `owner` is the controlling owner of `object`, compared by uid. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return (object.metadata.ownerReferences ?? []).some(
    (reference) => reference.controller === true && reference.uid === owner.metadata.uid,
  );
}
