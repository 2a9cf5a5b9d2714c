import type { Controller, CustomKind, CustomResource } from "../crds.ts";
import type { DataObject } from "../kube/apply.ts";
import type { KubeApi } from "../kube/client.ts";

/** The custom resource, unless it is gone or being deleted: its children then go by garbage collection. */
export async function readCustom<T extends CustomResource>(
  api: KubeApi,
  kind: CustomKind,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  const resource = await api.get<T>({ kind, namespace, name });
  return resource?.metadata.deletionTimestamp === undefined ? resource : undefined;
}

/** @throws Error when the Controller a resource refers to does not exist (yet) */
export async function readController(
  api: KubeApi,
  namespace: string,
  name: string,
): Promise<Controller> {
  const controller = await readCustom<Controller>(api, "Controller", namespace, name);
  if (controller === undefined) {
    throw new Error(`Controller ${namespace}/${name} does not exist: create it`);
  }
  return controller;
}

/** A Secret or ConfigMap; undefined when it does not exist. */
export function readData(
  api: KubeApi,
  kind: "Secret" | "ConfigMap",
  namespace: string,
  name: string,
): Promise<DataObject | undefined> {
  return api.get<DataObject>({ kind, namespace, name });
}
