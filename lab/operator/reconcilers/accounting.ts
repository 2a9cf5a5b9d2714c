import {
  toAccountingSecret,
  toAccountingStatefulSet,
  toSlurmdbdConf,
} from "../builders/accounting.ts";
import { dataHash } from "../builders/hash.ts";
import { toService } from "../builders/service.ts";
import type { Accounting } from "../crds.ts";
import { applyData, applySpec, applyWorkload } from "../kube/apply.ts";
import { components } from "../labels.ts";
import { names, ports } from "../names.ts";
import { secretBytes } from "../slurm/secretBytes.ts";
import { readCustom, readData } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";

/** Keeps slurmdbd.conf, the Service and the StatefulSet of slurmdbd; an external slurmdbd needs nothing. */
export const reconcileAccounting: Reconciler = async ({ api }, namespace, name) => {
  const accounting = await readCustom<Accounting>(api, "Accounting", namespace, name);
  if (accounting === undefined || accounting.spec.external === true) {
    return undefined;
  }
  const { spec } = accounting;
  const passwordRef = spec.storageConfig?.passwordKeyRef;
  const password =
    passwordRef === undefined ? "" : (await secretBytes(api, namespace, passwordRef)).toString();
  const secret = toAccountingSecret(accounting, toSlurmdbdConf(accounting, password));
  await applyData(api, secret);
  await applySpec(
    api,
    toService({
      owner: accounting,
      component: components.accounting,
      name: names.accounting(name),
      port: ports.slurmdbd,
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
    conf: dataHash(secret),
  };
  await applyWorkload(api, toAccountingStatefulSet(accounting, hashes));
  return undefined;
};
