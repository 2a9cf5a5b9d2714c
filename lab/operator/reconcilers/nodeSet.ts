import { isDeepStrictEqual } from "node:util";
import { toWorkersBudget } from "../builders/pdb.ts";
import {
  nodeSetRevision,
  toControllerRevision,
  type RevisionObject,
} from "../builders/revision.ts";
import { toWorkersService } from "../builders/service.ts";
import { toWorkerPod, type WorkerPod } from "../builders/worker.ts";
import type { NodeSet, NodeSetStatus } from "../crds.ts";
import { applySpec } from "../kube/apply.ts";
import { hasStatus, type KubeApi } from "../kube/client.ts";
import { isControlledBy, nameOf, refOf } from "../kube/object.ts";
import { components, selectorLabels, workerLabels } from "../labels.ts";
import { annotations } from "../names.ts";
import { countStates, type SlurmNode } from "../slurm/nodeState.ts";
import type { SlurmApi } from "../slurm/restClient.ts";
import { isReady, nodeNameOf, planNodeSet, type NodeSetPlan } from "./nodeSetPlan.ts";
import { readController, readCustom } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";
import { selectorText } from "./selectorText.ts";

/**
 * Keeps a NodeSet's pods. The sync stops before any pod is touched while slurmrestd does not answer: an unknown
 * Slurm state is not a drained one (contract §4.2).
 */
export const reconcileNodeSet: Reconciler = async (context, namespace, name) => {
  const { api, slurmFor, now, log } = context;
  const nodeSet = await readCustom<NodeSet>(api, "NodeSet", namespace, name);
  if (nodeSet === undefined) {
    return undefined;
  }
  const controller = await readController(api, namespace, nodeSet.spec.controllerRef.name);
  await applySpec(api, toWorkersService(nodeSet));
  await applySpec(api, toWorkersBudget(nodeSet));
  const slurm = await slurmFor(controller);
  const nodes = slurm === undefined ? undefined : await slurm.nodes();
  const slurmNodes = nodes && new Map(nodes.map((node) => [node.name, node]));
  const pods = (await api.list<WorkerPod>("Pod", namespace)).filter((pod) =>
    isControlledBy(pod, nodeSet),
  );
  const revision = nodeSetRevision(nodeSet);
  await syncRevisions(api, nodeSet, revision, pods);
  const plan = planNodeSet({ nodeSet, revision, pods, slurmNodes, nowMs: now() });
  await writeStatus(api, nodeSet, toStatus(nodeSet, revision, pods, slurmNodes));
  const changes = plan.create.length + plan.delete.length + plan.slurm.length;
  if (changes > 0) {
    log(
      `NodeSet ${namespace}/${name}: create ${String(plan.create.length)}, ` +
        `delete ${plan.delete.map(nameOf).join(" ") || "none"}, ` +
        `Slurm ${plan.slurm.map(({ node, change }) => `${node}:${change.state ?? "comment"}`).join(" ") || "none"}`,
    );
  }
  await execute(api, slurm, plan, (ordinal) => toWorkerPod(nodeSet, controller, revision, ordinal));
  return plan.requeueSeconds;
};

/** Creates come first: a failing change of a leaving pod must not keep others from starting (slurm-operator#249). */
async function execute(
  api: KubeApi,
  slurm: SlurmApi | undefined,
  plan: NodeSetPlan,
  toPod: (ordinal: number) => WorkerPod,
): Promise<void> {
  for (const ordinal of plan.create) {
    await ignoreStatus(409, api.create(toPod(ordinal)));
  }
  for (const { pod, cordoned } of plan.cordon) {
    const value = cordoned ? "true" : null;
    const metadata = { annotations: { [annotations.podCordon]: value } };
    await ignoreStatus(404, api.mergePatch(refOf(pod), { metadata }));
  }
  for (const { pod, protect } of plan.protect) {
    const metadata = { labels: { [workerLabels.podProtect]: protect ? "true" : null } };
    await ignoreStatus(404, api.mergePatch(refOf(pod), { metadata }));
  }
  for (const { node, change } of plan.slurm) {
    await slurm?.updateNode(node, change);
  }
  for (const pod of plan.delete) {
    await api.delete(refOf(pod), pod.metadata.uid);
  }
}

async function ignoreStatus(status: number, request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!hasStatus(error, status)) {
      throw error;
    }
  }
}

/** Records the current revision; revisions without pods beyond the history limit are deleted, oldest first. */
async function syncRevisions(
  api: KubeApi,
  nodeSet: NodeSet,
  revision: string,
  pods: WorkerPod[],
): Promise<void> {
  const all = await api.list<RevisionObject>(
    "ControllerRevision",
    nodeSet.metadata.namespace ?? "",
  );
  const own = all
    .filter((item) => isControlledBy(item, nodeSet))
    .sort((a, b) => a.revision - b.revision);
  const hashOf = (item: RevisionObject | WorkerPod): string | undefined =>
    item.metadata.labels?.[workerLabels.revision];
  if (!own.some((item) => hashOf(item) === revision)) {
    await api.create(toControllerRevision(nodeSet, (own.at(-1)?.revision ?? 0) + 1));
  }
  const live = new Set([revision, ...pods.map(hashOf)]);
  const unused = own.filter((item) => !live.has(hashOf(item)));
  const surplus = unused.length - (nodeSet.spec.revisionHistoryLimit ?? 0);
  for (const item of unused.slice(0, Math.max(0, surplus))) {
    await api.delete(refOf(item), item.metadata.uid);
  }
}

function toStatus(
  nodeSet: NodeSet,
  revision: string,
  pods: WorkerPod[],
  slurmNodes: Map<string, SlurmNode> | undefined,
): NodeSetStatus {
  const active = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const ready = active.filter(isReady).length;
  const ownNodes = active.flatMap((pod) => slurmNodes?.get(nodeNameOf(pod)) ?? []);
  return {
    desired: nodeSet.spec.replicas ?? 1,
    replicas: active.length,
    updatedReplicas: active.filter(
      (pod) => pod.metadata.labels?.[workerLabels.revision] === revision,
    ).length,
    readyReplicas: ready,
    availableReplicas: ready,
    ...countStates(ownNodes),
    observedGeneration: nodeSet.metadata.generation ?? 0,
    nodeSetHash: revision,
    collisionCount: 0,
    selector: selectorText(selectorLabels(components.worker, nameOf(nodeSet))),
  };
}

async function writeStatus(api: KubeApi, nodeSet: NodeSet, status: NodeSetStatus): Promise<void> {
  if (!isDeepStrictEqual(nodeSet.status, status)) {
    await api.replaceStatus({ ...nodeSet, status });
  }
}
