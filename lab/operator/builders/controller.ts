import type {
  V1PersistentVolumeClaim,
  V1PodSpec,
  V1Volume,
  V1VolumeProjection,
} from "@kubernetes/client-node";
import type { Controller, ControllerSpec } from "../crds.ts";
import type { DataObject, Workload } from "../kube/apply.ts";
import { namespaceOf, nameOf } from "../kube/object.ts";
import { components, ownedMeta, selectorLabels } from "../labels.ts";
import { annotations, ids, names, ports } from "../names.ts";
import { daemonProbes, toContainer } from "./container.ts";
import { sha256 } from "./hash.ts";
import { LOGFILE_VOLUME, logfileSidecar } from "./logfile.ts";
import { toPodTemplate } from "./podTemplate.ts";
import {
  ETC_MOUNT,
  ETC_VOLUME,
  memoryVolume,
  MODE_0610,
  projectedVolume,
  secretItem,
} from "./projection.ts";
import { RECONFIGURE_SCRIPT } from "./scripts.ts";
import { CGROUP_CONF, clusterName } from "./slurmConf.ts";

const STATE_VOLUME = "statesave";
const SOCKET_VOLUME = "slurm-authsocket";
const securityContext = { runAsNonRoot: true, runAsUser: ids.slurm, runAsGroup: ids.slurm };

/** Hashes that roll slurmctld (contract §4.1). */
export interface ControllerHashes {
  slurmKey: string;
  jwtKey: string;
  /** Of slurm.conf and all user files; unused with in-place reconfigure, which reloads instead. */
  config: string;
}

/** ConfigMap with slurm.conf, and cgroup.conf unless the user brings one. */
export function toConfigMap(
  controller: Controller,
  slurmConf: string,
  ownCgroup: boolean,
): DataObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: ownedMeta(controller, components.controller, names.config(nameOf(controller))),
    data: { "slurm.conf": slurmConf, ...(ownCgroup ? { "cgroup.conf": CGROUP_CONF } : {}) },
  };
}

/** Hash over slurm.conf and the user's configuration and script files. */
export function configHash(files: Record<string, string>[]): string {
  const entries = files
    .flatMap((data) => Object.entries(data))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(entries));
}

/** StatefulSet of slurmctld: one pod, state on a volume, configuration and keys projected into /etc/slurm. */
export function toControllerStatefulSet(
  controller: Controller,
  hashes: ControllerHashes,
): Workload {
  const { spec } = controller;
  const name = names.controller(nameOf(controller));
  const parts = {
    owner: controller,
    component: components.controller,
    name,
    defaultContainer: "slurmctld",
    hashes: {
      [annotations.slurmKeyHash]: hashes.slurmKey,
      [annotations.jwtKeyHash]: hashes.jwtKey,
      ...(spec.inplaceReconfigure === true ? {} : { [annotations.slurmConfigHash]: hashes.config }),
    },
    spec: podSpec(controller),
  };
  const claims = volumeClaims(controller);
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: ownedMeta(controller, components.controller, name),
    spec: {
      podManagementPolicy: "Parallel",
      replicas: 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: selectorLabels(components.controller, nameOf(controller)) },
      serviceName: name,
      template: toPodTemplate(parts, spec.template),
      updateStrategy: { type: "RollingUpdate" },
      ...(claims.length === 0 ? {} : { volumeClaimTemplates: claims }),
    },
  };
}

function podSpec(controller: Controller): V1PodSpec {
  const { spec } = controller;
  const logFile = "/var/log/slurm/slurmctld.log";
  return {
    automountServiceAccountToken: false,
    initContainers: [
      logfileSidecar(logFile, spec.logfile),
      ...(spec.inplaceReconfigure === true ? [reconfigureSidecar(spec)] : []),
    ],
    containers: [
      toContainer(
        {
          name: "slurmctld",
          ports: [{ name: "slurmctld", containerPort: ports.slurmctld, protocol: "TCP" }],
          ...daemonProbes("slurmctld"),
          securityContext,
          volumeMounts: [
            ETC_MOUNT,
            { name: "run", mountPath: "/run" },
            { name: STATE_VOLUME, mountPath: `/var/spool/slurmctld/${clusterName(controller)}` },
            { name: SOCKET_VOLUME, mountPath: "/run/slurmctld" },
            { name: LOGFILE_VOLUME, mountPath: "/var/log/slurm" },
          ],
        },
        spec.slurmctld,
      ),
    ],
    securityContext: { ...securityContext, fsGroup: ids.slurm },
    volumes: [
      projectedVolume(ETC_VOLUME, MODE_0610, etcSources(controller)),
      memoryVolume(LOGFILE_VOLUME),
      memoryVolume("run"),
      { name: SOCKET_VOLUME, emptyDir: {} },
      ...stateVolume(spec),
    ],
  };
}

function reconfigureSidecar(spec: ControllerSpec): ReturnType<typeof toContainer> {
  return toContainer(
    {
      name: "reconfigure",
      command: ["tini", "-g", "--", "bash", "-c", RECONFIGURE_SCRIPT],
      restartPolicy: "Always",
      securityContext,
      volumeMounts: [ETC_MOUNT, { name: SOCKET_VOLUME, mountPath: "/run/slurmctld" }],
    },
    spec.reconfigure,
  );
}

/** ConfigMaps with user files in the order of their projection. */
export function fileRefs(spec: ControllerSpec): string[] {
  const refs = [
    spec.configFileRefs,
    spec.prologScriptRefs,
    spec.epilogScriptRefs,
    spec.prologSlurmctldScriptRefs,
    spec.epilogSlurmctldScriptRefs,
  ];
  return refs.flatMap((list) => (list ?? []).map((ref) => ref.name));
}

function etcSources(controller: Controller): V1VolumeProjection[] {
  const { spec } = controller;
  return [
    { configMap: { name: names.config(nameOf(controller)) } },
    secretItem(spec.slurmKeyRef, "slurm.key"),
    secretItem(spec.jwtKeyRef, "jwt.key"),
    ...fileRefs(spec).map((name) => ({ configMap: { name } })),
    ...(spec.jwksKeyRef
      ? [
          {
            configMap: {
              name: spec.jwksKeyRef.name,
              items: [{ key: spec.jwksKeyRef.key, path: "jwks.json" }],
            },
          },
        ]
      : []),
  ];
}

/** A claim template only where the operator makes the claim; without persistence the state is lost with the pod. */
function volumeClaims(controller: Controller): V1PersistentVolumeClaim[] {
  const { enabled, existingClaim, ...claim } = controller.spec.persistence ?? {};
  if (enabled !== true || existingClaim) {
    return [];
  }
  return [
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: STATE_VOLUME, namespace: namespaceOf(controller) },
      spec: claim,
    },
  ];
}

function stateVolume(spec: ControllerSpec): V1Volume[] {
  const { enabled, existingClaim } = spec.persistence ?? {};
  if (enabled !== true) {
    return [{ name: STATE_VOLUME, emptyDir: {} }];
  }
  return existingClaim
    ? [{ name: STATE_VOLUME, persistentVolumeClaim: { claimName: existingClaim } }]
    : [];
}
