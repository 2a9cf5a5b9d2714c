import type { V1ObjectMeta } from "@kubernetes/client-node";
import type { CustomResource } from "./crds.ts";
import { namespaceOf, ownerReference } from "./kube/object.ts";

/** A Slurm component: `app` is its app.kubernetes.io/name, `component` its role (contract §3.1). */
export interface Component {
  app: string;
  component: string;
}

/** The five components that become pods. */
export const components = {
  controller: { app: "slurmctld", component: "controller" },
  accounting: { app: "slurmdbd", component: "accounting" },
  restapi: { app: "slurmrestd", component: "restapi" },
  login: { app: "login", component: "login" },
  worker: { app: "slurmd", component: "worker" },
} as const satisfies Record<string, Component>;

/** Label of every worker pod: the name of its Controller. */
export const CLUSTER_LABEL = "slinky.slurm.net/cluster";

/** Labels the operator puts on worker pods beside the common ones. */
export const workerLabels = {
  podName: "nodeset.slinky.slurm.net/pod-name",
  podIndex: "nodeset.slinky.slurm.net/pod-index",
  podHostname: "nodeset.slinky.slurm.net/pod-hostname",
  scalingMode: "nodeset.slinky.slurm.net/scaling-mode",
  /** Present while the Slurm node works on a job: the PodDisruptionBudget selects it. */
  podProtect: "nodeset.slinky.slurm.net/pod-protect",
  /** Revision of a pod and of a ControllerRevision. */
  revision: "controller.kubernetes.io/hash",
} as const;

/** Selector of a component's pods. */
export function selectorLabels(component: Component, instance: string): Record<string, string> {
  return { "app.kubernetes.io/instance": instance, "app.kubernetes.io/name": component.app };
}

/** Selector labels plus the role. */
export function componentLabels(component: Component, instance: string): Record<string, string> {
  return {
    ...selectorLabels(component, instance),
    "app.kubernetes.io/component": component.component,
  };
}

/** Metadata of an object owned by `owner`: its labels and annotations are inherited. */
export function ownedMeta(owner: CustomResource, component: Component, name: string): V1ObjectMeta {
  const { labels, annotations } = owner.metadata;
  return {
    name,
    namespace: namespaceOf(owner),
    labels: { ...labels, ...componentLabels(component, owner.metadata.name ?? "") },
    ...(annotations === undefined ? {} : { annotations }),
    ownerReferences: [ownerReference(owner, true)],
  };
}
