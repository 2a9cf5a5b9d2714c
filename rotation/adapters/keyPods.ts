import type { V1Container, V1Pod } from "@kubernetes/client-node";
import type { Component, KeyPod } from "../ports.ts";
import { referencesSecret } from "./kubernetes.ts";

/** Label that carries the component of a pod or workload (slinky-contract, 3.1). */
export const COMPONENT_LABEL = "app.kubernetes.io/component";

const INSTANCE_LABEL = "app.kubernetes.io/instance";
const HOSTNAME_LABEL = "nodeset.slinky.slurm.net/pod-hostname";

/** Container of each component that runs its daemon and mounts the key. */
export const daemonContainers: Readonly<Record<string, string>> = {
  controller: "slurmctld",
  accounting: "slurmdbd",
  restapi: "slurmrestd",
  login: "login",
  worker: "slurmd",
};

/** Where every holder has the key (slinky-contract, 3.1). */
export const keyFile = "/etc/slurm/slurm.key";

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
    slurmNode: component === "worker" ? (labels[HOSTNAME_LABEL] ?? "") : "",
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
  return component in daemonContainers ? (component as Component) : "unknown";
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
