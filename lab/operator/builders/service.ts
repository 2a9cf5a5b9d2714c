import type { V1Service } from "@kubernetes/client-node";
import type { CustomResource, NodeSet, ServicePatch } from "../crds.ts";
import { namespaceOf, ownerReference, type KubeObject } from "../kube/object.ts";
import {
  CLUSTER_LABEL,
  componentLabels,
  components,
  ownedMeta,
  selectorLabels,
  type Component,
} from "../labels.ts";
import { names, ports } from "../names.ts";
import { strategicMerge } from "./strategicMerge.ts";

export type ServiceObject = KubeObject & { spec: NonNullable<V1Service["spec"]> };

/** What differs between the components' Services. */
export interface ServiceParts {
  owner: CustomResource;
  component: Component;
  name: string;
  port: number;
  patch?: ServicePatch | undefined;
  /** The real operator makes slurmrestd's Service without the owner's labels and annotations. */
  bareMeta?: boolean;
}

/** Service of a component; port and target port carry the daemon's name. */
export function toService(parts: ServiceParts): ServiceObject {
  const { owner, component, patch } = parts;
  const instance = owner.metadata.name ?? "";
  const inherited = ownedMeta(owner, component, parts.name);
  const own =
    parts.bareMeta === true
      ? { labels: componentLabels(component, instance), annotations: {} }
      : inherited;
  const annotations = { ...own.annotations, ...patch?.metadata?.annotations };
  const spec = {
    type: "ClusterIP",
    ports: [{ name: component.app, port: parts.port, protocol: "TCP", targetPort: component.app }],
    selector: selectorLabels(component, instance),
  };
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: parts.name,
      namespace: namespaceOf(owner),
      labels: { ...patch?.metadata?.labels, ...own.labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(inherited.ownerReferences && { ownerReferences: inherited.ownerReferences }),
    },
    spec: strategicMerge(spec, patch?.spec ?? {}),
  };
}

/** The Service all worker pods of a cluster share; it gives each its DNS name, ready or not. */
export function toWorkersService(nodeSet: NodeSet): ServiceObject {
  const controller = nodeSet.spec.controllerRef.name;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: names.workersService(controller),
      namespace: namespaceOf(nodeSet),
      ownerReferences: [ownerReference(nodeSet, false)],
    },
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      ports: [{ name: "slurmd", port: ports.slurmd, protocol: "TCP", targetPort: "slurmd" }],
      selector: {
        "app.kubernetes.io/name": components.worker.app,
        [CLUSTER_LABEL]: controller,
      },
      type: "ClusterIP",
    },
  };
}
