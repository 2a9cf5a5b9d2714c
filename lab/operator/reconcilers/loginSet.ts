import { isDeepStrictEqual } from "node:util";
import { dataHash } from "../builders/hash.ts";
import { toLoginDeployment, toSshConfigMap, toSshHostKeysSecret } from "../builders/login.ts";
import { toService } from "../builders/service.ts";
import { makeSshHostKeys } from "../builders/sshHostKeys.ts";
import type { LoginSet } from "../crds.ts";
import { applyData, applySpec, applyWorkload, type DataObject } from "../kube/apply.ts";
import type { KubeApi } from "../kube/client.ts";
import { components, selectorLabels } from "../labels.ts";
import { names, ports } from "../names.ts";
import { readController, readCustom, readData } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";
import { selectorText } from "./selectorText.ts";

/** Keeps the ssh files, the Service and the Deployment of login pods, and the LoginSet's status. */
export const reconcileLoginSet: Reconciler = async ({ api }, namespace, name) => {
  const loginSet = await readCustom<LoginSet>(api, "LoginSet", namespace, name);
  if (loginSet === undefined) {
    return undefined;
  }
  const { spec } = loginSet;
  const controller = await readController(api, namespace, spec.controllerRef.name);
  const hostKeys = await ensureHostKeys(api, loginSet, namespace, name);
  const sshConfig = toSshConfigMap(loginSet);
  await applyData(api, sshConfig);
  await applySpec(
    api,
    toService({
      owner: loginSet,
      component: components.login,
      name,
      port: ports.login,
      patch: spec.service,
    }),
  );
  const sssdName = spec.sssdConfRef?.name;
  const sssd =
    sssdName === undefined ? undefined : await readData(api, "Secret", namespace, sssdName);
  const hashes = {
    sshHostKeys: dataHash(hostKeys),
    sshdConf: dataHash(sshConfig),
    sssdConf: dataHash(sssd),
  };
  await applyWorkload(api, toLoginDeployment(loginSet, controller, hashes));
  const selector = selectorText(selectorLabels(components.login, name));
  const status = { replicas: spec.replicas ?? 1, selector };
  if (!isDeepStrictEqual(loginSet.status, status)) {
    await api.replaceStatus({ ...loginSet, status });
  }
  return undefined;
};

/** The host keys are made once: a new key would look like another host to every user. */
async function ensureHostKeys(
  api: KubeApi,
  loginSet: LoginSet,
  namespace: string,
  name: string,
): Promise<DataObject> {
  const live = await readData(api, "Secret", namespace, names.sshHostKeys(name));
  return live ?? (await api.create(toSshHostKeysSecret(loginSet, makeSshHostKeys())));
}
