import type { V1Container, V1Pod } from "@kubernetes/client-node";
import {
  COMPONENT_LABEL,
  DAEMON_CONTAINERS,
  NODE_NAME_LABEL,
} from "../../cluster/slurmPodContract.ts";
import type { Component, KeyPod } from "../ports.ts";
import { referencesSecret } from "./kubernetes.ts";

const INSTANCE_LABEL = "app.kubernetes.io/instance";

/** Pure: a pod of the Slurm namespace, or undefined for one that has nothing to do with the key. */
export function toKeyPod(pod: V1Pod, secretName: string): KeyPod | undefined {
  const { metadata, spec, status } = pod;
  const labels = metadata?.labels ?? {};
  const component = componentOf(labels);
  const usesKey = referencesSecret(pod, secretName);
  if (component === "unknown" && !usesKey) return undefined;
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  return {
    name: metadata?.name ?? "",
    namespace: metadata?.namespace ?? "",
    uid: metadata?.uid ?? "",
    component,
    set: component === "worker" || component === "login" ? (labels[INSTANCE_LABEL] ?? "") : "",
    slurmNode: component === "worker" ? (labels[NODE_NAME_LABEL] ?? "") : "",
    kubernetesNode: spec?.nodeName ?? "no node",
    isReady:
      status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
    isTerminating: metadata?.deletionTimestamp !== undefined,
    usesKey,
    usesRing: containers.some(takesRing),
    problem: problemOf(pod),
  };
}

/** Pure: the operator's pod. It holds no key. */
export function toOperatorPod(pod: V1Pod): KeyPod {
  return {
    ...{ name: pod.metadata?.name ?? "", namespace: pod.metadata?.namespace ?? "" },
    ...{ uid: pod.metadata?.uid ?? "", component: "operator", set: "", slurmNode: "" },
    kubernetesNode: pod.spec?.nodeName ?? "no node",
    isReady:
      pod.status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ??
      false,
    isTerminating: pod.metadata?.deletionTimestamp !== undefined,
    usesKey: false,
    usesRing: false,
    problem: problemOf(pod),
  };
}

/** The component by the operator's label; `unknown` for any other pod or workload. */
export function componentOf(labels: Readonly<Record<string, string>>): Component {
  const component = labels[COMPONENT_LABEL] ?? "";
  return component in DAEMON_CONTAINERS ? (component as Component) : "unknown";
}

function takesRing({ env }: V1Container): boolean {
  return env?.some(({ name }) => name === "SLURM_SACK_JWKS") ?? false;
}

/** What keeps the pod from being ready: a container's waiting reason, or why it is not scheduled. */
function problemOf({ status }: V1Pod): string {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = statuses.find((each) => each.state?.waiting?.reason);
  if (waiting) return `${waiting.name}: ${waiting.state?.waiting?.reason}`;
  const unscheduled = status?.conditions?.find(
    (each) => each.type === "PodScheduled" && each.status === "False",
  );
  return unscheduled?.reason ?? "";
}
