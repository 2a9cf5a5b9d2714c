import { workerName, type WorkerPod } from "../builders/worker.ts";
import type { NodeSet } from "../crds.ts";
import { namespaceOf, nameOf } from "../kube/object.ts";
import { workerLabels } from "../labels.ts";
import { annotations, REASON_PREFIX } from "../names.ts";
import {
  isBusy,
  isDrained,
  isDraining,
  isReasonOurs,
  isSamePod,
  storedPodInfo,
  type PodInfo,
  type SlurmNode,
  type SlurmNodeChange,
} from "../slurm/nodeState.ts";

/** What was observed. `slurmNodes` is undefined when the cluster has no RestApi. */
export interface NodeSetObservation {
  nodeSet: NodeSet;
  revision: string;
  pods: WorkerPod[];
  slurmNodes: Map<string, SlurmNode> | undefined;
  nowMs: number;
}

/** What to do now; the next sync decides on what follows. */
export interface NodeSetPlan {
  create: number[];
  delete: WorkerPod[];
  /** Pods to mark as cordoned, or to unmark. */
  cordon: { pod: WorkerPod; cordoned: boolean }[];
  /** Pods whose protection label changes. */
  protect: { pod: WorkerPod; protect: boolean }[];
  slurm: { node: string; change: SlurmNodeChange }[];
  /** Look again after this time: Slurm's state comes without events. */
  requeueSeconds: number;
}

/** Interval of the operator's look at Slurm (contract §6). */
const POLL_SECONDS = 30;
/** A slurmd may answer its readiness probe before slurmctld has recorded the registration. */
const REGISTRATION_GRACE_SECONDS = 10;

/**
 * Pure decision of a NodeSet sync (contract §4.2, §4.4):
 * 1. a pod leaves only when its Slurm node is drained; without a RestApi every node counts as drained;
 * 2. a ready pod whose Slurm node is not registered is deleted;
 * 3. a rolling update keeps all but maxUnavailable pods ready, other strategies leave old pods alone;
 * 4. only nodes with a reason of the operator's are undrained, but a pod that leaves has its reason overwritten.
 */
export function planNodeSet(observed: NodeSetObservation): NodeSetPlan {
  const { nodeSet, pods, slurmNodes } = observed;
  const active = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const broken = active.filter((pod) => isFinished(pod) || isUnregistered(observed, pod));
  const working = active.filter((pod) => !broken.includes(pod));
  const condemned = condemnedPods(observed, working);
  const plan: NodeSetPlan = {
    create: missingOrdinals(nodeSet, pods),
    delete: [...broken],
    cordon: [],
    protect: [],
    slurm: [],
    requeueSeconds: requeueSeconds(observed, active),
  };
  for (const pod of working) {
    const node = slurmNodes?.get(nodeNameOf(pod));
    if (condemned.includes(pod)) {
      planCondemned(plan, pod, node);
    } else {
      planKept(plan, pod, node);
    }
    planProtection(plan, nodeSet, pod, node);
    if (node !== undefined && isReady(pod)) {
      planPodInfo(plan, nodeSet, pod, node);
    }
  }
  return plan;
}

/** Whether the pod's Ready condition is true. */
export function isReady(pod: WorkerPod): boolean {
  return readyCondition(pod)?.status === "True";
}

/** Slurm node name of a pod. */
export function nodeNameOf(pod: WorkerPod): string {
  return pod.spec?.hostname ?? nameOf(pod);
}

/** Pods that may exist at the same time as not ready during a rolling update: 25 % rounded up, at least one. */
export function maxUnavailable(nodeSet: NodeSet): number {
  const setting = nodeSet.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? "25%";
  const replicas = nodeSet.spec.replicas ?? 1;
  const count =
    typeof setting === "number"
      ? setting
      : setting.endsWith("%")
        ? Math.ceil((replicas * Number(setting.slice(0, -1))) / 100)
        : Number(setting);
  return Math.max(1, count);
}

function condemnedPods(observed: NodeSetObservation, pods: WorkerPod[]): WorkerPod[] {
  const { nodeSet, revision } = observed;
  const replicas = nodeSet.spec.replicas ?? 1;
  const surplus = pods.filter((pod) => ordinalOf(pod) >= replicas);
  const kept = pods.filter((pod) => ordinalOf(pod) < replicas);
  if ((nodeSet.spec.updateStrategy?.type ?? "RollingUpdate") !== "RollingUpdate") {
    return surplus;
  }
  const outdated = kept.filter((pod) => pod.metadata.labels?.[workerLabels.revision] !== revision);
  const notReady = outdated.filter((pod) => !isReady(pod));
  const unavailable = replicas - kept.filter(isReady).length;
  const budget = Math.max(0, maxUnavailable(nodeSet) - unavailable);
  // Pods already on their way out come first, so that every sync picks the same ones.
  const ready = outdated
    .filter(isReady)
    .sort((a, b) => Number(isCordoned(b)) - Number(isCordoned(a)) || ordinalOf(b) - ordinalOf(a));
  return [...surplus, ...notReady, ...ready.slice(0, budget)];
}

function planCondemned(plan: NodeSetPlan, pod: WorkerPod, node: SlurmNode | undefined): void {
  const reason = `${REASON_PREFIX}Pod (${namespaceOf(pod)}/${nameOf(pod)}) is pending termination for scale-in`;
  if (node === undefined || isDrained(node)) {
    plan.delete.push(pod);
    return;
  }
  if (!isCordoned(pod)) {
    plan.cordon.push({ pod, cordoned: true });
  }
  if (!isDraining(node) || node.reason !== reason) {
    plan.slurm.push({ node: node.name, change: { state: "DRAIN", reason } });
  }
}

function planKept(plan: NodeSetPlan, pod: WorkerPod, node: SlurmNode | undefined): void {
  if (isCordoned(pod)) {
    plan.cordon.push({ pod, cordoned: false });
  }
  if (node !== undefined && isDraining(node) && isReasonOurs(node)) {
    const reason = `${REASON_PREFIX}Pod (${namespaceOf(pod)}/${nameOf(pod)}) was uncordoned`;
    plan.slurm.push({ node: node.name, change: { state: "UNDRAIN", reason } });
  }
}

function planProtection(
  plan: NodeSetPlan,
  nodeSet: NodeSet,
  pod: WorkerPod,
  node: SlurmNode | undefined,
): void {
  const enabled = nodeSet.spec.workloadDisruptionProtection !== false;
  const protect = enabled && node !== undefined && isBusy(node);
  if (protect !== (pod.metadata.labels?.[workerLabels.podProtect] === "true")) {
    plan.protect.push({ pod, protect });
  }
}

/** IDLE only for a node that lived in another pod or on another Kubernetes node before (contract §4.2). */
function planPodInfo(plan: NodeSetPlan, nodeSet: NodeSet, pod: WorkerPod, node: SlurmNode): void {
  const info: PodInfo = {
    namespace: namespaceOf(pod),
    podName: nameOf(pod),
    node: pod.spec?.nodeName ?? "",
    nodeSet: nameOf(nodeSet),
    uid: pod.metadata.uid ?? "",
  };
  const stored = storedPodInfo(node);
  if (!isSamePod(stored, info)) {
    const change: SlurmNodeChange = { comment: JSON.stringify(info) };
    plan.slurm.push({
      node: node.name,
      change: stored?.node ? { ...change, state: "IDLE" } : change,
    });
  }
}

function missingOrdinals(nodeSet: NodeSet, pods: WorkerPod[]): number[] {
  const present = new Set(pods.map(nameOf));
  const ordinals = Array.from({ length: nodeSet.spec.replicas ?? 1 }, (_, ordinal) => ordinal);
  return ordinals.filter((ordinal) => !present.has(workerName(nodeSet, ordinal)));
}

function isUnregistered(observed: NodeSetObservation, pod: WorkerPod): boolean {
  const { slurmNodes, nowMs } = observed;
  if (slurmNodes === undefined || !isReady(pod) || slurmNodes.has(nodeNameOf(pod))) {
    return false;
  }
  return readySeconds(pod, nowMs) >= REGISTRATION_GRACE_SECONDS;
}

function requeueSeconds(observed: NodeSetObservation, active: WorkerPod[]): number {
  const { slurmNodes, nowMs } = observed;
  const waiting = active
    .filter((pod) => isReady(pod) && slurmNodes?.has(nodeNameOf(pod)) === false)
    .map((pod) => REGISTRATION_GRACE_SECONDS - readySeconds(pod, nowMs))
    .filter((seconds) => seconds > 0);
  return Math.max(1, Math.min(POLL_SECONDS, ...waiting));
}

function readySeconds(pod: WorkerPod, nowMs: number): number {
  const since = Date.parse(readyCondition(pod)?.lastTransitionTime ?? "");
  return Number.isNaN(since) ? Infinity : (nowMs - since) / 1000;
}

function readyCondition(
  pod: WorkerPod,
): { status: string; lastTransitionTime?: string } | undefined {
  return pod.status?.conditions?.find((condition) => condition.type === "Ready");
}

function isFinished(pod: WorkerPod): boolean {
  return pod.status?.phase === "Failed" || pod.status?.phase === "Succeeded";
}

function isCordoned(pod: WorkerPod): boolean {
  return pod.metadata.annotations?.[annotations.podCordon] === "true";
}

function ordinalOf(pod: WorkerPod): number {
  return Number(pod.metadata.labels?.[workerLabels.podIndex] ?? -1);
}
