import type { V1ObjectMeta, V1PodSpec, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { CustomResource, PodTemplatePatch } from "../crds.ts";
import { namespaceOf } from "../kube/object.ts";
import { componentLabels, type Component } from "../labels.ts";
import { annotations } from "../names.ts";
import { strategicMerge } from "./strategicMerge.ts";

/** What a pod template is made from besides the user's patch. */
export interface PodTemplateParts {
  owner: CustomResource;
  component: Component;
  name: string;
  /** The container that `kubectl exec` and `kubectl logs` pick. */
  defaultContainer: string;
  /** Hashes of what the pods read; a change rolls them. */
  hashes: Record<string, string>;
  spec: V1PodSpec;
}

/** The pod template: metadata from the builder and the custom resource, spec merged with the user's (contract §5.1). */
export function toPodTemplate(
  parts: PodTemplateParts,
  patch: PodTemplatePatch = {},
): V1PodTemplateSpec {
  return { metadata: podMeta(parts, patch), spec: mergedPodSpec(parts.spec, patch.spec) };
}

function podMeta(parts: PodTemplateParts, patch: PodTemplatePatch): V1ObjectMeta {
  const { owner, component } = parts;
  return {
    name: parts.name,
    namespace: namespaceOf(owner),
    labels: {
      ...owner.metadata.labels,
      ...patch.metadata?.labels,
      ...componentLabels(component, owner.metadata.name ?? ""),
    },
    annotations: {
      ...owner.metadata.annotations,
      ...patch.metadata?.annotations,
      [annotations.defaultContainer]: parts.defaultContainer,
      ...parts.hashes,
    },
  };
}

function mergedPodSpec(base: V1PodSpec, patch: Partial<V1PodSpec> = {}): V1PodSpec {
  const { containers, initContainers, ...fields } = patch;
  const merged = strategicMerge(base, fields);
  const init = [...(base.initContainers ?? []), ...(initContainers ?? [])];
  return {
    ...merged,
    containers: [...base.containers, ...(containers ?? [])],
    ...(init.length === 0 ? {} : { initContainers: init }),
  };
}
