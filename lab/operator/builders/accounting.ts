import type { V1PodSpec } from "@kubernetes/client-node";
import type { Accounting } from "../crds.ts";
import type { DataObject, Workload } from "../kube/apply.ts";
import { nameOf } from "../kube/object.ts";
import { components, ownedMeta, selectorLabels } from "../labels.ts";
import { annotations, ids, names, ports } from "../names.ts";
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

const CONF_FILE = "slurmdbd.conf";
const securityContext = { runAsNonRoot: true, runAsUser: ids.slurm, runAsGroup: ids.slurm };

/** Hashes that roll slurmdbd (contract §4.1): it reloads nothing by itself. */
export interface AccountingHashes {
  slurmKey: string;
  jwtKey: string;
  conf: string;
}

/** slurmdbd.conf; holds the database password, so it goes into a Secret. */
export function toSlurmdbdConf(accounting: Accounting, password: string): string {
  const storage = accounting.spec.storageConfig;
  const lines = [
    "AuthType=auth/slurm",
    "AuthAltTypes=auth/jwt",
    "AuthAltParameters=jwt_key=/etc/slurm/jwt.key",
    "AuthInfo=use_client_ids",
    `DbdHost=${names.accounting(nameOf(accounting))}-0`,
    `DbdPort=${String(ports.slurmdbd)}`,
    "SlurmUser=slurm",
    "StorageType=accounting_storage/mysql",
    `StorageHost=${storage?.host ?? ""}`,
    `StoragePort=${String(storage?.port ?? 3306)}`,
    `StorageLoc=${storage?.database ?? "slurm_acct_db"}`,
    `StorageUser=${storage?.username ?? "slurm"}`,
    `StoragePass=${password}`,
  ];
  const extra = accounting.spec.extraConf?.trim();
  return [...lines, ...(extra ? [extra] : [])].join("\n") + "\n";
}

/** Secret with slurmdbd.conf. */
export function toAccountingSecret(accounting: Accounting, conf: string): DataObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: ownedMeta(accounting, components.accounting, names.accounting(nameOf(accounting))),
    type: "Opaque",
    immutable: false,
    data: { [CONF_FILE]: Buffer.from(conf).toString("base64") },
  };
}

/** StatefulSet of slurmdbd. */
export function toAccountingStatefulSet(
  accounting: Accounting,
  hashes: AccountingHashes,
): Workload {
  const name = names.accounting(nameOf(accounting));
  const parts = {
    owner: accounting,
    component: components.accounting,
    name,
    defaultContainer: "slurmdbd",
    hashes: {
      [annotations.slurmKeyHash]: hashes.slurmKey,
      [annotations.jwtKeyHash]: hashes.jwtKey,
      [annotations.slurmdbdConfHash]: hashes.conf,
    },
    spec: podSpec(accounting),
  };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: ownedMeta(accounting, components.accounting, name),
    spec: {
      podManagementPolicy: "Parallel",
      replicas: 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: selectorLabels(components.accounting, nameOf(accounting)) },
      serviceName: name,
      template: toPodTemplate(parts, accounting.spec.template),
      updateStrategy: { type: "RollingUpdate" },
    },
  };
}

function podSpec(accounting: Accounting): V1PodSpec {
  const { spec } = accounting;
  const conf = { name: names.accounting(nameOf(accounting)), key: CONF_FILE };
  return {
    automountServiceAccountToken: false,
    containers: [
      toContainer(
        {
          name: "slurmdbd",
          ports: [{ name: "slurmdbd", containerPort: ports.slurmdbd, protocol: "TCP" }],
          readinessProbe: { tcpSocket: { port: ports.slurmdbd } },
          securityContext,
          volumeMounts: [ETC_MOUNT, { name: "run", mountPath: "/run" }],
        },
        spec.slurmdbd,
      ),
    ],
    securityContext: { ...securityContext, fsGroup: ids.slurm },
    volumes: [
      projectedVolume(ETC_VOLUME, MODE_0600, [
        secretItem(conf, CONF_FILE),
        secretItem(spec.slurmKeyRef, "slurm.key"),
        secretItem(spec.jwtKeyRef, "jwt.key"),
      ]),
      memoryVolume("run"),
    ],
  };
}
