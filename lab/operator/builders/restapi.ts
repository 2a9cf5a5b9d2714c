import type { Controller, RestApi } from "../crds.ts";
import type { Workload } from "../kube/apply.ts";
import { nameOf } from "../kube/object.ts";
import { components, ownedMeta, selectorLabels } from "../labels.ts";
import { ids, names, ports } from "../names.ts";
import { probes, toContainer } from "./container.ts";
import { toPodTemplate } from "./podTemplate.ts";
import { ETC_MOUNT, ETC_VOLUME, MODE_0600, projectedVolume, secretItem } from "./projection.ts";

const securityContext = { runAsNonRoot: true, runAsUser: ids.nobody, runAsGroup: ids.nobody };

/** Deployment of slurmrestd. It mounts slurm.key without using it, and carries no key hash (contract §3.1, §4.1). */
export function toRestApiDeployment(restApi: RestApi, controller: Controller): Workload {
  const name = names.restapi(nameOf(restApi));
  const tcp = { tcpSocket: { port: ports.slurmrestd } };
  const container = toContainer(
    {
      name: "slurmrestd",
      args: [
        // Without accounting the slurmdbd plugin cannot load, so only slurmctld's is asked for.
        ...(controller.spec.accountingRef ? [] : ["-s", "openapi/slurmctld"]),
        `0.0.0.0:${String(ports.slurmrestd)}`,
      ],
      env: [
        { name: "SLURM_JWT", value: "daemon" },
        { name: "SLURMRESTD_SECURITY", value: "disable_unshare_files,disable_unshare_sysv" },
      ],
      ports: [{ name: "slurmrestd", containerPort: ports.slurmrestd, protocol: "TCP" }],
      ...probes(tcp, tcp),
      securityContext,
      volumeMounts: [ETC_MOUNT],
    },
    restApi.spec.slurmrestd,
  );
  const conf = {
    name: names.config(nameOf(controller)),
    items: [{ key: "slurm.conf", path: "slurm.conf" }],
  };
  const parts = {
    owner: restApi,
    component: components.restapi,
    name,
    defaultContainer: "slurmrestd",
    hashes: {},
    spec: {
      automountServiceAccountToken: false,
      containers: [container],
      securityContext: { ...securityContext, fsGroup: ids.nobody },
      volumes: [
        projectedVolume(ETC_VOLUME, MODE_0600, [
          { configMap: conf },
          secretItem(controller.spec.slurmKeyRef, "slurm.key"),
        ]),
      ],
    },
  };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: ownedMeta(restApi, components.restapi, name),
    spec: {
      replicas: restApi.spec.replicas ?? 1,
      revisionHistoryLimit: 0,
      selector: { matchLabels: selectorLabels(components.restapi, nameOf(restApi)) },
      template: toPodTemplate(parts, restApi.spec.template),
    },
  };
}
