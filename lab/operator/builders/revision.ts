import type { V1ControllerRevision } from "@kubernetes/client-node";
import type { NodeSet } from "../crds.ts";
import { namespaceOf, nameOf, ownerReference, type KubeObject } from "../kube/object.ts";
import { workerLabels } from "../labels.ts";
import { revisionHash } from "./hash.ts";

export type RevisionObject = KubeObject & Pick<V1ControllerRevision, "data" | "revision">;

/**
 * What makes a NodeSet revision: a change of these fields replaces pods, and of nothing else. Annotations of the
 * NodeSet and the Controller's keys are not among them (contract §4.2).
 */
function revisionFields(nodeSet: NodeSet): object {
  const { template, slurmd, logfile, ssh, extraConf, ordinalPadding, oversubscribeNode } =
    nodeSet.spec;
  return { template, slurmd, logfile, ssh, extraConf, ordinalPadding, oversubscribeNode };
}

/** The hash that names the NodeSet's current revision. */
export function nodeSetRevision(nodeSet: NodeSet): string {
  return revisionHash(revisionFields(nodeSet));
}

/** ControllerRevision that records a NodeSet's revision. */
export function toControllerRevision(nodeSet: NodeSet, revision: number): RevisionObject {
  const hash = nodeSetRevision(nodeSet);
  const { labels, annotations } = nodeSet.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name: `${nameOf(nodeSet)}-${hash}`,
      namespace: namespaceOf(nodeSet),
      labels: { ...labels, [workerLabels.revision]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [ownerReference(nodeSet, true)],
    },
    data: { spec: revisionFields(nodeSet) },
    revision,
  };
}
