import type {
  Accounting,
  Controller,
  CustomKind,
  CustomResource,
  LoginSet,
  NodeSet,
  Token,
} from "./crds.ts";
import { customKinds } from "./crds.ts";
import { fileRefs } from "./builders/controller.ts";
import { namespaceOf, nameOf, type KubeObject, type ObjectRef } from "./kube/object.ts";
import { SLINKY_API_VERSION } from "./kube/resources.ts";

/** Kinds that are watched besides the custom resources. */
export const watchedKinds = [
  "Secret",
  "ConfigMap",
  "Pod",
  "Service",
  "StatefulSet",
  "Deployment",
  "PodDisruptionBudget",
] as const;

/**
 * The custom resources to reconcile after `object` changed or went away: itself, its owners, and those that refer to
 * it. `all` are the known custom resources.
 */
export function dependents(object: KubeObject, all: CustomResource[]): ObjectRef[] {
  const namespace = namespaceOf(object);
  const neighbours = all.filter((item) => namespaceOf(item) === namespace);
  const refs: ObjectRef[] = isCustom(object.kind)
    ? [{ kind: object.kind, namespace, name: nameOf(object) }]
    : [];
  for (const owner of object.metadata.ownerReferences ?? []) {
    if (owner.apiVersion === SLINKY_API_VERSION && isCustom(owner.kind)) {
      refs.push({ kind: owner.kind, namespace, name: owner.name });
    }
  }
  for (const item of neighbours) {
    if (refersTo(item, object)) {
      refs.push({ kind: item.kind, namespace, name: nameOf(item) });
    }
  }
  return refs;
}

function isCustom(kind: string): kind is CustomKind {
  return (customKinds as readonly string[]).includes(kind);
}

/** Whether a change of `object` can change what `item` asks for. */
function refersTo(item: CustomResource, object: KubeObject): boolean {
  const name = nameOf(object);
  switch (object.kind) {
    case "Controller":
      return controllerOf(item) === name;
    case "NodeSet":
      return item.kind === "Controller" && controllerOf(object as NodeSet) === nameOf(item);
    case "Accounting":
      return item.kind === "Controller" && (item as Controller).spec.accountingRef?.name === name;
    case "RestApi":
      return item.kind === "NodeSet" && controllerOf(item) === controllerOf(object as NodeSet);
    case "Secret":
    case "ConfigMap":
      return sourceNames(item, object.kind).includes(name);
    default:
      return false;
  }
}

function controllerOf(item: CustomResource): string | undefined {
  return (item.spec as { controllerRef?: { name: string } }).controllerRef?.name;
}

/** Names of the Secrets or ConfigMaps whose data a resource's workload depends on. */
function sourceNames(item: CustomResource, kind: "Secret" | "ConfigMap"): (string | undefined)[] {
  if (kind === "ConfigMap") {
    return item.kind === "Controller" ? fileRefs((item as Controller).spec) : [];
  }
  switch (item.kind) {
    case "Controller": {
      const { slurmKeyRef, jwtKeyRef } = (item as Controller).spec;
      return [slurmKeyRef.name, jwtKeyRef.name];
    }
    case "Accounting": {
      const { slurmKeyRef, jwtKeyRef, storageConfig } = (item as Accounting).spec;
      return [slurmKeyRef.name, jwtKeyRef.name, storageConfig?.passwordKeyRef?.name];
    }
    case "LoginSet":
      return [(item as LoginSet).spec.sssdConfRef?.name];
    case "Token":
      return [(item as Token).spec.jwtKeyRef.name];
    default:
      return [];
  }
}
