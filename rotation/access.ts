import { AUTH_SECRET, ROTATE_VERB } from "./wireNames.ts";

/** Where a right is needed: Slurm's namespace, the operator's, or the cluster as a whole. */
export type AccessPlace = "slurm" | "operator" | "cluster";

/** A right that a rotation uses, as RBAC writes it. */
export interface AccessRule {
  readonly place: AccessPlace;
  /** API group; empty for core. */
  readonly group: string;
  /** With a subresource behind a slash. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** The only objects that are meant; all where absent. `{slurm}` stands for Slurm's namespace. */
  readonly names?: readonly string[];
}

/**
 * Everything a rotation asks of the API server, and nothing else. The Role of the rotator is made of it, and a rotation
 * asks for each before it touches anything.
 */
export const rotationAccess: readonly AccessRule[] = [
  {
    ...{ place: "slurm", group: "", resource: "secrets" },
    verbs: ["get", "list", "create", "patch", "delete", ROTATE_VERB],
  },
  {
    ...{ place: "slurm", group: "", resource: "pods" },
    verbs: ["get", "list", "create", "delete", "deletecollection"],
  },
  // A WebSocket is opened by GET; Kubernetes 1.35 asks for create besides.
  { place: "slurm", group: "", resource: "pods/exec", verbs: ["get", "create"] },
  { place: "slurm", group: "", resource: "configmaps", verbs: ["get", "create", "update"] },
  {
    ...{ place: "slurm", group: "coordination.k8s.io", resource: "leases" },
    verbs: ["get", "create", "update"],
  },
  { place: "slurm", group: "apps", resource: "deployments", verbs: ["list"] },
  { place: "slurm", group: "apps", resource: "deployments/scale", verbs: ["patch"] },
  { place: "slurm", group: "apps", resource: "statefulsets", verbs: ["list", "patch"] },
  { place: "slurm", group: "apps", resource: "statefulsets/scale", verbs: ["patch"] },
  { place: "operator", group: "", resource: "pods", verbs: ["list", "deletecollection"] },
  { place: "operator", group: "apps", resource: "deployments", verbs: ["get"] },
  { place: "operator", group: "apps", resource: "deployments/scale", verbs: ["patch"] },
  { place: "cluster", group: "", resource: "namespaces", verbs: ["get"], names: ["kube-system"] },
  { place: "cluster", group: "", resource: "namespaces", verbs: ["patch"], names: ["{slurm}"] },
];

/** One right, to be asked for. */
export interface AccessQuestion {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly verb: string;
  /** Empty for the cluster as a whole. */
  readonly namespace: string;
  /** Empty for all objects. */
  readonly name: string;
}

/** Pure: every right as a question, for the given namespaces. */
export function accessQuestions(namespace: string, operatorNamespace: string): AccessQuestion[] {
  const within = { slurm: namespace, operator: operatorNamespace, cluster: "" };
  return rotationAccess.flatMap(({ place, group, resource, verbs, names = [""] }) => {
    const [kind = "", subresource = ""] = resource.split("/");
    return verbs.flatMap((verb) =>
      names.map((name) => ({
        ...{ group, resource: kind, subresource, verb, namespace: within[place] },
        name: verb === ROTATE_VERB ? AUTH_SECRET.name : name.replace("{slurm}", namespace),
      })),
    );
  });
}

/** Pure: a right in words, as `kubectl auth can-i` takes them. */
export function wordsOf({ verb, resource, subresource, group, namespace, name }: AccessQuestion) {
  const kind = [resource, group].filter(Boolean).join(".") + (name ? `/${name}` : "");
  const sub = subresource ? ` --subresource=${subresource}` : "";
  return `${verb} ${kind}${sub}${namespace ? ` -n ${namespace}` : ""}`;
}
