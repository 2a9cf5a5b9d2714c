import { toRestApiDeployment } from "../builders/restapi.ts";
import { toService } from "../builders/service.ts";
import type { RestApi } from "../crds.ts";
import { applySpec, applyWorkload } from "../kube/apply.ts";
import { components } from "../labels.ts";
import { names, ports } from "../names.ts";
import { readController, readCustom } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";

/** Keeps the Service and the Deployment of slurmrestd. */
export const reconcileRestApi: Reconciler = async ({ api }, namespace, name) => {
  const restApi = await readCustom<RestApi>(api, "RestApi", namespace, name);
  if (restApi === undefined) {
    return undefined;
  }
  const controller = await readController(api, namespace, restApi.spec.controllerRef.name);
  await applySpec(
    api,
    toService({
      owner: restApi,
      component: components.restapi,
      name: names.restapi(name),
      port: ports.slurmrestd,
      patch: restApi.spec.service,
      bareMeta: true,
    }),
  );
  await applyWorkload(api, toRestApiDeployment(restApi, controller));
  return undefined;
};
