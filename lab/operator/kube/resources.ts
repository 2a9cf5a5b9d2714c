/** Where the API server serves a kind. */
export interface ResourceKind {
  apiVersion: string;
  plural: string;
}

/** API group and version of the Slinky custom resources. */
export const SLINKY_API_VERSION = "slinky.slurm.net/v1beta1";

/** Every kind the operator reads or writes; all are namespaced. */
export const resourceKinds: Readonly<Record<string, ResourceKind>> = {
  Accounting: { apiVersion: SLINKY_API_VERSION, plural: "accountings" },
  Controller: { apiVersion: SLINKY_API_VERSION, plural: "controllers" },
  LoginSet: { apiVersion: SLINKY_API_VERSION, plural: "loginsets" },
  NodeSet: { apiVersion: SLINKY_API_VERSION, plural: "nodesets" },
  RestApi: { apiVersion: SLINKY_API_VERSION, plural: "restapis" },
  Token: { apiVersion: SLINKY_API_VERSION, plural: "tokens" },
  ConfigMap: { apiVersion: "v1", plural: "configmaps" },
  Pod: { apiVersion: "v1", plural: "pods" },
  Secret: { apiVersion: "v1", plural: "secrets" },
  Service: { apiVersion: "v1", plural: "services" },
  ControllerRevision: { apiVersion: "apps/v1", plural: "controllerrevisions" },
  Deployment: { apiVersion: "apps/v1", plural: "deployments" },
  StatefulSet: { apiVersion: "apps/v1", plural: "statefulsets" },
  PodDisruptionBudget: { apiVersion: "policy/v1", plural: "poddisruptionbudgets" },
  Lease: { apiVersion: "coordination.k8s.io/v1", plural: "leases" },
};

/**
 * Path of a collection, or of one object when `name` is given.
 * @param namespace all namespaces when omitted
 * @throws Error when the kind is not in `resourceKinds`
 */
export function resourcePath(kind: string, namespace?: string, name?: string): string {
  const resource = resourceKinds[kind];
  if (resource === undefined) {
    throw new Error(`kind ${kind} has no API path: add it to resourceKinds`);
  }
  const root = resource.apiVersion.includes("/") ? "/apis/" : "/api/";
  const scope = namespace === undefined ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
  const item = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${resource.apiVersion}${scope}/${resource.plural}${item}`;
}
