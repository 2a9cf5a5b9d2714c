import { strict as assert } from "node:assert";
import {
  toAccountingSecret,
  toAccountingStatefulSet,
} from "../../../lab/operator/builders/accounting.ts";
import { toConfigMap, toControllerStatefulSet } from "../../../lab/operator/builders/controller.ts";
import {
  toLoginDeployment,
  toSshConfigMap,
  toSshHostKeysSecret,
} from "../../../lab/operator/builders/login.ts";
import { toWorkersBudget } from "../../../lab/operator/builders/pdb.ts";
import { toRestApiDeployment } from "../../../lab/operator/builders/restapi.ts";
import { toControllerRevision } from "../../../lab/operator/builders/revision.ts";
import { toService, toWorkersService } from "../../../lab/operator/builders/service.ts";
import { makeSshHostKeys } from "../../../lab/operator/builders/sshHostKeys.ts";
import { toWorkerPod } from "../../../lab/operator/builders/worker.ts";
import type {
  Accounting,
  Controller,
  LoginSet,
  NodeSet,
  RestApi,
} from "../../../lab/operator/crds.ts";
import type { DataObject } from "../../../lab/operator/kube/apply.ts";
import type { KubeObject } from "../../../lab/operator/kube/object.ts";
import { components } from "../../../lab/operator/labels.ts";
import { ports } from "../../../lab/operator/names.ts";
import { comparable, recordedObject } from "./recordedObject.ts";

const controller = recordedObject<Controller>("Controller", "slurm");
const accounting = recordedObject<Accounting>("Accounting", "slurm");
const restApi = recordedObject<RestApi>("RestApi", "slurm");
const loginSet = recordedObject<LoginSet>("LoginSet", "slurm-login-login");
const nodeSet = recordedObject<NodeSet>("NodeSet", "slurm-worker-compute");

function assertAsRecorded(built: KubeObject, name = built.metadata.name ?? ""): void {
  const recorded = recordedObject(built.kind, name);
  assert.deepEqual(comparable(JSON.parse(JSON.stringify(built))), comparable(recorded));
}

/** Metadata, type and key names: the recording holds no data. */
function assertKeysAsRecorded(built: DataObject): void {
  const { data, immutable, ...rest } = built;
  const recorded = recordedObject<KubeObject & { dataKeys: string[]; immutable?: boolean | null }>(
    built.kind,
    built.metadata.name ?? "",
  );
  const { dataKeys, immutable: recordedImmutable, ...recordedRest } = recorded;
  assert.deepEqual(Object.keys(data ?? {}).sort(), dataKeys);
  assert.equal(immutable ?? null, recordedImmutable ?? null);
  assert.deepEqual(comparable(rest), comparable(recordedRest));
}

describe("objects built from the recorded custom resources", () => {
  it("Controller => StatefulSet of slurmctld as recorded", () => {
    assertAsRecorded(
      toControllerStatefulSet(controller, { slurmKey: "a", jwtKey: "b", config: "c" }),
    );
  });

  it("Accounting => StatefulSet of slurmdbd as recorded", () => {
    assertAsRecorded(
      toAccountingStatefulSet(accounting, { slurmKey: "a", jwtKey: "b", conf: "c" }),
    );
  });

  it("RestApi => Deployment of slurmrestd as recorded", () => {
    assertAsRecorded(toRestApiDeployment(restApi, controller));
  });

  it("LoginSet => Deployment of login pods as recorded", () => {
    const hashes = { sshHostKeys: "a", sshdConf: "b", sssdConf: "c" };
    assertAsRecorded(toLoginDeployment(loginSet, controller, hashes));
  });

  it("NodeSet with a ring volume => worker pod as recorded, user entries first", () => {
    const withRing = structuredClone(nodeSet);
    const ring = { name: "slurm-ring", mountPath: "/etc/slurm-ring", readOnly: true };
    Object.assign(withRing.spec.slurmd ?? {}, {
      env: [{ name: "SLURM_SACK_JWKS", value: "/etc/slurm-ring/slurm.jwks" }],
      volumeMounts: [ring],
    });
    Object.assign(withRing.spec.template?.spec ?? {}, {
      volumes: [{ name: "slurm-ring", secret: { secretName: "slurm-ring", defaultMode: 0o440 } }],
    });
    for (const ordinal of [0, 1]) {
      assertAsRecorded(toWorkerPod(withRing, controller, "65d9b6c76", ordinal));
    }
  });

  it("Services of the five components => as recorded", () => {
    const parts = [
      {
        owner: controller,
        component: components.controller,
        name: "slurm-controller",
        port: ports.slurmctld,
      },
      {
        owner: accounting,
        component: components.accounting,
        name: "slurm-accounting",
        port: ports.slurmdbd,
      },
      {
        owner: restApi,
        component: components.restapi,
        name: "slurm-restapi",
        port: ports.slurmrestd,
        bareMeta: true,
      },
    ];
    parts.forEach((part) => {
      assertAsRecorded(toService(part));
    });
    const login = {
      owner: loginSet,
      component: components.login,
      name: "slurm-login-login",
      port: ports.login,
    };
    assertAsRecorded(toService({ ...login, patch: loginSet.spec.service }));
    assertAsRecorded(toWorkersService(nodeSet));
  });

  it("NodeSet => PodDisruptionBudget as recorded", () => {
    assertAsRecorded(toWorkersBudget(nodeSet));
  });

  it("NodeSet => ControllerRevision with the recorded metadata", () => {
    const built = toControllerRevision(nodeSet, 1);
    const hash = String(built.metadata.name).replace("slurm-worker-compute-", "");
    const { data, ...renamed } = JSON.parse(
      JSON.stringify(built).replaceAll(hash, "65d9b6c76"),
    ) as KubeObject & { data: unknown };
    assert.ok(data);
    assertAsRecorded(renamed);
  });

  it("ConfigMaps and Secrets => the recorded metadata and keys", () => {
    assertKeysAsRecorded(toConfigMap(controller, "conf", false));
    assertKeysAsRecorded(toAccountingSecret(accounting, "conf"));
    assertKeysAsRecorded(toSshConfigMap(loginSet));
    assertKeysAsRecorded(toSshHostKeysSecret(loginSet, makeSshHostKeys()));
  });
});
