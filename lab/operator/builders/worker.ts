import type { V1Container, V1Pod, V1PodSpec } from "@kubernetes/client-node";
import type { Controller, NodeSet } from "../crds.ts";
import { nodeConfLine } from "./nodeConf.ts";
import { namespaceOf, nameOf, ownerReference, type KubeObject } from "../kube/object.ts";
import { CLUSTER_LABEL, components, workerLabels } from "../labels.ts";
import { annotations, names, ports } from "../names.ts";
import { daemonProbes, toContainer } from "./container.ts";
import { sha256 } from "./hash.ts";
import { LOGFILE_VOLUME, logfileSidecar } from "./logfile.ts";
import { toPodTemplate } from "./podTemplate.ts";
import {
  ETC_MOUNT,
  ETC_VOLUME,
  memoryVolume,
  MODE_0600,
  projectedVolume,
  secretItem,
} from "./projection.ts";
import { cpuCount, memoryMegabytes } from "./quantity.ts";
import { PRE_STOP_SCRIPT } from "./scripts.ts";
import { controllerAddress, hostnamePrefix, slurmNodeSetName } from "./slurmConf.ts";

/** A worker pod as the API holds it; times are text. */
export type WorkerPod = KubeObject & Pick<V1Pod, "spec"> & { status?: WorkerPodStatus };
interface WorkerPodStatus {
  phase?: string;
  conditions?: { type: string; status: string; lastTransitionTime?: string }[];
}

/** Hostname of a worker, which is also its Slurm node name. */
export function workerHostname(nodeSet: NodeSet, ordinal: number): string {
  const digits = String(ordinal).padStart(nodeSet.spec.ordinalPadding ?? 0, "0");
  return `${hostnamePrefix(nodeSet)}${digits}`;
}

/** Name of a worker pod. */
export function workerName(nodeSet: NodeSet, ordinal: number): string {
  return `${nameOf(nodeSet)}-${String(ordinal).padStart(nodeSet.spec.ordinalPadding ?? 0, "0")}`;
}

/** A worker pod of the given revision; the NodeSet itself owns it. It carries no key hash (contract §4.1). */
export function toWorkerPod(
  nodeSet: NodeSet,
  controller: Controller,
  revision: string,
  ordinal: number,
): WorkerPod {
  const name = workerName(nodeSet, ordinal);
  const hostname = workerHostname(nodeSet, ordinal);
  const parts = {
    owner: nodeSet,
    component: components.worker,
    name,
    defaultContainer: "slurmd",
    hashes: {
      // ssh into workers is not offered: both files are empty, as on a NodeSet with ssh switched off.
      [annotations.sshdConfHash]: sha256(""),
      [annotations.sssdConfHash]: sha256(""),
      [annotations.topologySpec]: "",
    },
    spec: podSpec(nodeSet, controller),
  };
  const { metadata, spec } = toPodTemplate(parts, nodeSet.spec.template);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...metadata,
      labels: {
        ...metadata?.labels,
        [CLUSTER_LABEL]: nameOf(controller),
        [workerLabels.revision]: revision,
        [workerLabels.podName]: name,
        [workerLabels.podIndex]: String(ordinal),
        [workerLabels.podHostname]: hostname,
        [workerLabels.scalingMode]: nodeSet.spec.scalingMode ?? "StatefulSet",
      },
      ownerReferences: [ownerReference(nodeSet, true)],
    },
    spec: {
      ...spec,
      containers: spec?.containers ?? [],
      hostname,
      subdomain: names.workersService(nameOf(controller)),
    },
  };
}

function podSpec(nodeSet: NodeSet, controller: Controller): V1PodSpec {
  const { spec } = nodeSet;
  const service = names.workersService(nameOf(controller));
  return {
    ...(spec.oversubscribeNode === true ? {} : { affinity: onePerKubernetesNode() }),
    automountServiceAccountToken: false,
    initContainers: [logfileSidecar("/var/log/slurm/slurmd.log", spec.logfile)],
    containers: [slurmd(nodeSet, controller)],
    dnsConfig: { searches: [`${service}.${namespaceOf(nodeSet)}.svc.cluster.local`] },
    enableServiceLinks: false,
    tolerations: [
      { key: "nodeset.slinky.slurm.net/worker", operator: "Equal", effect: "NoExecute" },
    ],
    volumes: [
      projectedVolume(ETC_VOLUME, MODE_0600, [
        secretItem(controller.spec.slurmKeyRef, "slurm.key"),
      ]),
      memoryVolume(LOGFILE_VOLUME),
    ],
  };
}

function slurmd(nodeSet: NodeSet, controller: Controller): V1Container {
  const { spec } = nodeSet;
  const limits = spec.slurmd?.resources?.limits ?? {};
  const conf = nodeConfLine(slurmNodeSetName(nodeSet), spec.extraConf);
  return toContainer(
    {
      name: "slurmd",
      // The quotes are part of the argument: the image evaluates the line in a shell (contract §3.2).
      args: ["-Z", "--conf-server", controllerAddress(controller), "--conf", `'${conf}'`],
      env: [
        {
          name: "POD_TOPOLOGY",
          valueFrom: {
            fieldRef: { fieldPath: `metadata.annotations['${annotations.topologySpec}']` },
          },
        },
        { name: "POD_CPUS", value: String(cpuCount(limits["cpu"])) },
        { name: "POD_MEMORY", value: String(memoryMegabytes(limits["memory"])) },
      ],
      ports: [{ name: "slurmd", containerPort: ports.slurmd, protocol: "TCP" }],
      ...daemonProbes("slurmd"),
      lifecycle: { preStop: { exec: { command: ["/usr/bin/sh", "-c", PRE_STOP_SCRIPT] } } },
      securityContext: {
        privileged: true,
        capabilities: { add: ["BPF", "NET_ADMIN", "SYS_ADMIN", "SYS_NICE"] },
      },
      volumeMounts: [ETC_MOUNT, { name: LOGFILE_VOLUME, mountPath: "/var/log/slurm" }],
    },
    spec.slurmd,
  );
}

function onePerKubernetesNode(): NonNullable<V1PodSpec["affinity"]> {
  const term = {
    labelSelector: {
      matchExpressions: [
        { key: "app.kubernetes.io/name", operator: "In", values: [components.worker.app] },
      ],
    },
    topologyKey: "kubernetes.io/hostname",
  };
  return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
}
