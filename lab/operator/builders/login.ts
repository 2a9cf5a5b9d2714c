import type { V1PodSpec, V1Volume, V1VolumeMount } from "@kubernetes/client-node";
import type { Controller, LoginSet } from "../crds.ts";
import type { DataObject, Workload } from "../kube/apply.ts";
import { namespaceOf, nameOf } from "../kube/object.ts";
import { components, ownedMeta, selectorLabels } from "../labels.ts";
import { annotations, names, ports } from "../names.ts";
import { toContainer } from "./container.ts";
import { toPodTemplate } from "./podTemplate.ts";
import {
  ETC_MOUNT,
  ETC_VOLUME,
  memoryVolume,
  MODE_0600,
  projectedVolume,
  secretItem,
} from "./projection.ts";
import { INITCONF_SCRIPT } from "./scripts.ts";
import { controllerAddress } from "./slurmConf.ts";
import { HOST_KEY_TYPES } from "./sshHostKeys.ts";

const CONFIG_VOLUME = "slurm-config";
const MODE_0644 = 0o644;
const hostKeyFiles = HOST_KEY_TYPES.flatMap((type) => [
  `ssh_host_${type}_key`,
  `ssh_host_${type}_key.pub`,
]);

/** Hashes that roll a login pod: its ssh and sssd files, never the Slurm key (contract §4.1). */
export interface LoginHashes {
  sshHostKeys: string;
  sshdConf: string;
  sssdConf: string;
}

/** ConfigMap with sshd_config and root's authorized_keys. */
export function toSshConfigMap(loginSet: LoginSet): DataObject {
  const extra = loginSet.spec.extraSshdConfig?.trim();
  const sshdConfig = [
    "Include /etc/ssh/sshd_config.d/*.conf",
    "X11Forwarding yes",
    "UsePAM yes",
    "Subsystem sftp internal-sftp",
    ...(extra ? [extra] : []),
  ];
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: ownedMeta(loginSet, components.login, names.sshConfig(nameOf(loginSet))),
    data: {
      authorized_keys: loginSet.spec.rootSshAuthorizedKeys ?? "",
      sshd_config: sshdConfig.join("\n") + "\n",
    },
  };
}

/** Immutable Secret with the ssh host keys, so that a login host keeps its identity over restarts. */
export function toSshHostKeysSecret(loginSet: LoginSet, keys: Record<string, string>): DataObject {
  const data = Object.entries(keys).map(([file, text]) => [
    file,
    Buffer.from(text).toString("base64"),
  ]);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: ownedMeta(loginSet, components.login, names.sshHostKeys(nameOf(loginSet))),
    type: "Opaque",
    immutable: true,
    data: Object.fromEntries(data) as Record<string, string>,
  };
}

/** Deployment of login pods: initconf copies the key into memory once, so it never refreshes (contract §3.1). */
export function toLoginDeployment(
  loginSet: LoginSet,
  controller: Controller,
  hashes: LoginHashes,
): Workload {
  const name = nameOf(loginSet);
  const parts = {
    owner: loginSet,
    component: components.login,
    name,
    defaultContainer: "login",
    hashes: {
      [annotations.sshHostKeysHash]: hashes.sshHostKeys,
      [annotations.sshdConfHash]: hashes.sshdConf,
      [annotations.sssdConfHash]: hashes.sssdConf,
    },
    spec: podSpec(loginSet, controller),
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: ownedMeta(loginSet, components.login, name),
    spec: {
      replicas: loginSet.spec.replicas ?? 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: selectorLabels(components.login, name) },
      template: toPodTemplate(parts, loginSet.spec.template),
    },
  };
}

function podSpec(loginSet: LoginSet, controller: Controller): V1PodSpec {
  const { spec } = loginSet;
  const namespace = namespaceOf(loginSet);
  return {
    automountServiceAccountToken: false,
    initContainers: [
      toContainer(
        {
          name: "initconf",
          command: ["sh", "-c", INITCONF_SCRIPT],
          env: [{ name: "SLURM_USER", value: "slurm" }],
          volumeMounts: [
            { name: ETC_VOLUME, mountPath: "/mnt/etc/slurm" },
            { name: CONFIG_VOLUME, mountPath: "/mnt/slurm", readOnly: true },
          ],
        },
        spec.initconf,
      ),
    ],
    containers: [
      toContainer(
        {
          name: "login",
          env: [{ name: "SACKD_OPTIONS", value: `--conf-server ${controllerAddress(controller)}` }],
          ports: [{ name: "login", containerPort: ports.login, protocol: "TCP" }],
          readinessProbe: { exec: { command: ["test", "-S", "/run/slurm/sack.socket"] } },
          volumeMounts: volumeMounts(),
        },
        spec.login,
      ),
    ],
    dnsConfig: {
      searches: [`${names.workersService(nameOf(controller))}.${namespace}.svc.cluster.local`],
    },
    enableServiceLinks: false,
    volumes: volumes(loginSet, controller),
  };
}

function volumeMounts(): V1VolumeMount[] {
  const fileMount = (name: string, mountPath: string, subPath: string): V1VolumeMount => ({
    name,
    mountPath,
    subPath,
    readOnly: true,
  });
  return [
    ETC_MOUNT,
    { name: "sackd-dir", mountPath: "/run/slurm" },
    ...hostKeyFiles.map((file) => fileMount("ssh-host-keys", `/etc/ssh/${file}`, file)),
    fileMount("ssh-config", "/etc/ssh/sshd_config", "sshd_config"),
    fileMount("ssh-config", "/root/.ssh/authorized_keys", "authorized_keys"),
    fileMount("sssd-conf", "/etc/sssd/sssd.conf", "sssd.conf"),
  ];
}

function volumes(loginSet: LoginSet, controller: Controller): V1Volume[] {
  const name = nameOf(loginSet);
  const keyItems = hostKeyFiles.map((file) => ({
    key: file,
    path: file,
    mode: file.endsWith(".pub") ? MODE_0644 : MODE_0600,
  }));
  const confItems = ["sshd_config", "authorized_keys"].map((file) => ({
    key: file,
    path: file,
    mode: MODE_0600,
  }));
  const sssd = loginSet.spec.sssdConfRef;
  return [
    memoryVolume(ETC_VOLUME),
    memoryVolume("sackd-dir"),
    projectedVolume(CONFIG_VOLUME, MODE_0600, [
      secretItem(controller.spec.slurmKeyRef, "slurm.key"),
    ]),
    projectedVolume("ssh-host-keys", MODE_0600, [
      { secret: { name: names.sshHostKeys(name), items: keyItems } },
    ]),
    projectedVolume("ssh-config", MODE_0600, [
      { configMap: { name: names.sshConfig(name), items: confItems } },
    ]),
    projectedVolume("sssd-conf", MODE_0600, sssd ? [secretItem(sssd, "sssd.conf", MODE_0600)] : []),
  ];
}
