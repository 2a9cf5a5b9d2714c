import * as pulumi from "@pulumi/pulumi";
import { ServiceAccount } from "@pulumi/kubernetes/core/v1/serviceAccount.js";
import { ClusterRole } from "@pulumi/kubernetes/rbac/v1/clusterRole.js";
import { ClusterRoleBinding } from "@pulumi/kubernetes/rbac/v1/clusterRoleBinding.js";
import { Role } from "@pulumi/kubernetes/rbac/v1/role.js";
import { RoleBinding } from "@pulumi/kubernetes/rbac/v1/roleBinding.js";
import { type AccessPlace, rotationAccess } from "../rotation/access.ts";
import { childOptions } from "./childOptions.ts";

/** Arguments of {@link RotatorAccess}. */
export interface RotatorAccessArgs {
  /** Slurm's namespace, in which the ServiceAccount lives. */
  readonly namespace: pulumi.Input<string>;
  readonly operatorNamespace: pulumi.Input<string>;
}

/** Name of the ServiceAccount, and of the roles that it is bound to. */
export const rotatorName = "slinky-stack-rotator";

/** Pure: the rules of a role, as RBAC writes them. */
export function rotatorRules(place: AccessPlace, namespace: string) {
  return rotationAccess
    .filter((rule) => rule.place === place)
    .map(({ group, resource, verbs, names }) => ({
      ...{ apiGroups: [group], resources: [resource], verbs: [...verbs] },
      ...(names && { resourceNames: names.map((name) => name.replace("{slurm}", namespace)) }),
    }));
}

/** A ServiceAccount that may do what a rotation does, and nothing else. */
export class RotatorAccess extends pulumi.ComponentResource {
  constructor(name: string, args: RotatorAccessArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:RotatorAccess", name, {}, opts);
    const { namespace, operatorNamespace } = args;
    const own = childOptions(this, opts);
    const account = new ServiceAccount(name, { metadata: { name: rotatorName, namespace } }, own);
    const subjects = [{ kind: "ServiceAccount", name: account.metadata.name, namespace }];
    const rules = (place: AccessPlace) =>
      pulumi.output(namespace).apply((slurm) => rotatorRules(place, slurm));
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", name: rotatorName };
    for (const [place, within] of [
      ["slurm", namespace],
      ["operator", operatorNamespace],
    ] as const) {
      const metadata = { name: rotatorName, namespace: within };
      const role = new Role(`${name}-${place}`, { metadata, rules: rules(place) }, own);
      const binding = { metadata, roleRef: { ...roleRef, kind: "Role" }, subjects };
      new RoleBinding(`${name}-${place}`, binding, { ...own, dependsOn: [role] });
    }
    // One name a namespace: two stacks on one cluster keep out of each other's way.
    const metadata = { name: pulumi.interpolate`${rotatorName}.${namespace}` };
    const role = new ClusterRole(`${name}-cluster`, { metadata, rules: rules("cluster") }, own);
    new ClusterRoleBinding(
      `${name}-cluster`,
      {
        metadata,
        roleRef: { ...roleRef, name: role.metadata.name, kind: "ClusterRole" },
        subjects,
      },
      own,
    );
    this.registerOutputs({});
  }
}
