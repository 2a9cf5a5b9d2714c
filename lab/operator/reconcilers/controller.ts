import {
  configHash,
  fileRefs,
  toConfigMap,
  toControllerStatefulSet,
} from "../builders/controller.ts";
import { dataHash } from "../builders/hash.ts";
import { toService } from "../builders/service.ts";
import { toSlurmConf, type ScriptParameter } from "../builders/slurmConf.ts";
import type { Accounting, Controller, NodeSet } from "../crds.ts";
import { applyData, applySpec, applyWorkload } from "../kube/apply.ts";
import type { KubeApi } from "../kube/client.ts";
import { nameOf } from "../kube/object.ts";
import { components } from "../labels.ts";
import { names, ports } from "../names.ts";
import { readCustom, readData } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";

type Files = Record<string, Record<string, string>>;

/** Keeps slurm.conf, the Service and the StatefulSet of slurmctld. */
export const reconcileController: Reconciler = async ({ api }, namespace, name) => {
  const controller = await readCustom<Controller>(api, "Controller", namespace, name);
  if (controller === undefined) {
    return undefined;
  }
  const { spec } = controller;
  const nodeSets = await api.list<NodeSet>("NodeSet", namespace);
  const accountingName = spec.accountingRef?.name;
  const accounting =
    accountingName === undefined
      ? undefined
      : await readCustom<Accounting>(api, "Accounting", namespace, accountingName);
  const files = await readFiles(api, namespace, fileRefs(spec));
  const conf = toSlurmConf({
    controller,
    accounting,
    nodeSets: nodeSets.filter((item) => item.spec.controllerRef.name === name),
    scripts: scriptFiles(controller, files),
  });
  const userFiles = Object.values(files);
  const ownCgroup = !userFiles.some((data) => "cgroup.conf" in data);
  const config = toConfigMap(controller, conf, ownCgroup);
  await applyData(api, config);
  if (spec.external === true) {
    return undefined;
  }
  await applySpec(
    api,
    toService({
      owner: controller,
      component: components.controller,
      name: names.controller(nameOf(controller)),
      port: ports.slurmctld,
      patch: spec.service,
    }),
  );
  const [slurmKey, jwtKey] = await Promise.all([
    readData(api, "Secret", namespace, spec.slurmKeyRef.name),
    readData(api, "Secret", namespace, spec.jwtKeyRef.name),
  ]);
  const hashes = {
    slurmKey: dataHash(slurmKey),
    jwtKey: dataHash(jwtKey),
    config: configHash([config.data ?? {}, ...userFiles]),
  };
  await applyWorkload(api, toControllerStatefulSet(controller, hashes));
  return undefined;
};

async function readFiles(api: KubeApi, namespace: string, refs: string[]): Promise<Files> {
  const entries = await Promise.all(
    refs.map(async (ref) => {
      const object = await readData(api, "ConfigMap", namespace, ref);
      return [ref, object?.data ?? {}] as const;
    }),
  );
  return Object.fromEntries(entries);
}

function scriptFiles(controller: Controller, files: Files): Record<ScriptParameter, string[]> {
  const { spec } = controller;
  const fileNames = (refs: { name: string }[] | null | undefined): string[] =>
    (refs ?? []).flatMap((ref) => Object.keys(files[ref.name] ?? {}));
  return {
    Prolog: fileNames(spec.prologScriptRefs),
    Epilog: fileNames(spec.epilogScriptRefs),
    PrologSlurmctld: fileNames(spec.prologSlurmctldScriptRefs),
    EpilogSlurmctld: fileNames(spec.epilogSlurmctldScriptRefs),
  };
}
