import { strict as assert } from "node:assert";
import { SlurmCluster } from "../../components/slurmCluster.ts";
import type { AccountingConfig } from "../../config/accounting.ts";
import { toSlurmValues } from "../../components/slurmValues.ts";
import { AUTH_SECRET, JWT_SECRET } from "../../rotation/wireNames.ts";
import { chartInputs, nodeSet, noScripts } from "../support/componentInputs.ts";
import {
  programOutputs,
  recordProgram,
  type RecordedResource,
  resourceNamed,
} from "../support/pulumiMocks.ts";

const rotationSettings = {
  strategy: "drain",
  onDrainTimeout: "rollBack",
  drainTimeoutSeconds: 60,
  quiesceTimeoutSeconds: 61,
  restoreTimeoutSeconds: 62,
  verifyTimeoutSeconds: 63,
} as const;

const args = {
  ...chartInputs,
  nodeSets: { compute: nodeSet() },
  partitions: {},
  loginSets: {},
  sssdSecret: undefined,
  accounting: undefined,
  slurmConf: {},
  configFiles: {},
  scripts: noScripts,
  controllerStorage: { size: "4Gi" },
  keySeed: "spring",
  rotation: rotationSettings,
  kubeconfig: "the kubeconfig",
  context: "kind-slinky",
  operatorRevision: 3,
  webhookTimeoutSeconds: 90,
};

const types = {
  webhook: "pulumi-nodejs:dynamic/slurm:WebhookReady",
  authKey: "pulumi-nodejs:dynamic/rotation:AuthKeyRotation",
  jwtKey: "pulumi-nodejs:dynamic/rotation:JwtKey",
  root: "random:index/randomBytes:RandomBytes",
  rbac: "kubernetes:rbac.authorization.k8s.io/v1",
  guard: "slinky-stack:components:KeyGuard",
  policy: "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy",
  release: "kubernetes:helm.sh/v3:Release",
};

const root = programOutputs[types.root]?.base64;

describe("SlurmCluster", () => {
  let recorded: RecordedResource[];
  let slurm: SlurmCluster;

  before(async () => {
    recorded = await recordProgram(() => (slurm = new SlurmCluster("slurm", args)));
  });

  /** Inputs without the serialized shell, which has tests of its own. */
  const inputsOf = (type: string, name: string) => {
    const inputs = Object.entries(resourceNamed(recorded, type, name).inputs);
    return Object.fromEntries(inputs.filter(([key]) => key !== "__provider"));
  };

  it("constructed => exactly these resources", () => {
    assert.deepEqual(
      recorded.map(({ type, name }) => `${type} ${name}`).sort(),
      [
        "slinky-stack:components:SlurmCluster slurm",
        "kubernetes:core/v1:Namespace slurm-namespace",
        `${types.webhook} slurm-webhook-ready`,
        `${types.guard} slurm-key-guard`,
        "slinky-stack:components:RotatorAccess slurm-rotator",
        "kubernetes:core/v1:ServiceAccount slurm-rotator",
        ...["slurm", "operator"].flatMap((place) => [
          `${types.rbac}:Role slurm-rotator-${place}`,
          `${types.rbac}:RoleBinding slurm-rotator-${place}`,
        ]),
        `${types.rbac}:ClusterRole slurm-rotator-cluster`,
        `${types.rbac}:ClusterRoleBinding slurm-rotator-cluster`,
        ...["keys", "marks"].flatMap((part) => [
          `${types.policy} slurm-key-guard-${part}`,
          `${types.policy}Binding slurm-key-guard-${part}-binding`,
        ]),
        `${types.root} slurm-auth-root`,
        `${types.root} slurm-jwt-root`,
        "random:index/randomPassword:RandomPassword slurm-database-password",
        `${types.authKey} slurm-auth-key`,
        `${types.jwtKey} slurm-jwt-key`,
        `${types.release} slurm`,
      ].sort(),
    );
  });

  it("the gate => probes in the cluster's namespace, again for every operator revision (R35)", () => {
    assert.deepEqual(inputsOf(types.webhook, "slurm-webhook-ready"), {
      kubeconfig: "the kubeconfig",
      context: "kind-slinky",
      namespace: "slurm",
      operatorRevision: 3,
      timeoutSeconds: 90,
    });
  });

  it("the auth key => from its own root and the seed, into the Secret the chart names", () => {
    const inputs = inputsOf(types.authKey, "slurm-auth-key");
    const { progressUrn } = inputs["rotation"] as { progressUrn: string };
    assert.match(progressUrn, /AuthKeyRotation::slurm-auth-key$/);
    assert.deepEqual(inputs, {
      root,
      keySeed: "spring",
      namespace: "slurm",
      secretName: "slurm-auth",
      dataKey: "slurm.key",
      kubeconfig: "the kubeconfig",
      context: "kind-slinky",
      deleteTimeoutSeconds: 120,
      rotation: {
        ...rotationSettings,
        operatorNamespace: "slinky",
        release: "slurm",
        probeImage: args.images.login,
        progressUrn,
      },
    });
    assert.deepEqual(inputsOf(types.root, "slurm-auth-root"), { length: 64 });
  });

  it("the JWT key => the same engine with another Secret and a seed of its own", () => {
    assert.deepEqual(inputsOf(types.jwtKey, "slurm-jwt-key"), {
      root,
      keySeed: "jwt",
      namespace: "slurm",
      secretName: "slurm-jwt",
      dataKey: "jwt.key",
      kubeconfig: "the kubeconfig",
      context: "kind-slinky",
      deleteTimeoutSeconds: 120,
    });
  });

  it("R12: root and kubeconfig => secret as inputs and, should they ever be outputs, there too", () => {
    for (const [type, name] of [
      [types.authKey, "slurm-auth-key"],
      [types.jwtKey, "slurm-jwt-key"],
    ] as const) {
      const { secretInputs, secretOutputs } = resourceNamed(recorded, type, name);
      assert.deepEqual([...secretInputs].sort(), ["kubeconfig", "root"]);
      assert.deepEqual([...secretOutputs].sort(), ["kubeconfig", "root"]);
    }
    const { secretInputs } = resourceNamed(recorded, types.webhook, "slurm-webhook-ready");
    assert.deepEqual(secretInputs, ["kubeconfig"]);
  });

  it("order => gate and guard, then keys, then the release", () => {
    const webhook = resourceNamed(recorded, types.webhook, "slurm-webhook-ready");
    const authKey = resourceNamed(recorded, types.authKey, "slurm-auth-key");
    const jwtKey = resourceNamed(recorded, types.jwtKey, "slurm-jwt-key");
    const release = resourceNamed(recorded, types.release, "slurm");
    assert.ok(authKey.dependencies.includes(webhook.urn));
    assert.ok(jwtKey.dependencies.includes(webhook.urn));
    for (const part of ["keys", "keys-binding", "marks", "marks-binding"]) {
      const type = part.endsWith("binding") ? `${types.policy}Binding` : types.policy;
      const { urn } = resourceNamed(recorded, type, `slurm-key-guard-${part}`);
      for (const key of [authKey, jwtKey]) assert.ok(key.dependencies.includes(urn), part);
    }
    assert.ok(release.dependencies.includes(authKey.urn));
    assert.ok(release.dependencies.includes(jwtKey.urn));
  });

  it("the release => pinned, not atomic, with the values of toSlurmValues", () => {
    const { inputs } = resourceNamed(recorded, types.release, "slurm");
    assert.equal(inputs.name, "slurm");
    assert.equal(inputs.namespace, "slurm");
    assert.equal(inputs.chart, args.chart.chart);
    assert.equal(inputs.version, "1.2.3");
    assert.equal(inputs.timeout, 600);
    assert.equal(inputs.atomic, false);
    assert.deepEqual(inputs.values, toSlurmValues(args, { auth: AUTH_SECRET, jwt: JWT_SECRET }));
  });

  it("outputs => the fingerprints of both keys", async () => {
    const value = (output: { apply(f: (text: string) => void): unknown }) =>
      new Promise((resolve) => output.apply(resolve));
    assert.equal(await value(slurm.keyFingerprint), "aaaaaaaaaaaa");
    assert.equal(await value(slurm.jwtFingerprint), "bbbbbbbbbbbb");
  });

  describe("accounting", () => {
    const record = (accounting: AccountingConfig) =>
      recordProgram(() => new SlurmCluster("slurm", { ...args, accounting }));

    it("the stack's own database => before the release, with a password that outlives it", async () => {
      const all = await record({ storage: { size: "1Gi" } });
      const statefulSet = resourceNamed(all, "kubernetes:apps/v1:StatefulSet", "slurm-database");
      const release = resourceNamed(all, types.release, "slurm");
      assert.ok(release.dependencies.includes(statefulSet.urn));
      const secret = resourceNamed(all, "kubernetes:core/v1:Secret", "slurm-database-password");
      assert.deepEqual(secret.inputs.stringData, { password: "the database password" });
      assert.deepEqual(secret.secretInputs, ["stringData"]);
    });

    it("another database => reached from inside the cluster before the release", async () => {
      const passwordSecret = { name: "db-login", key: "password" };
      const database = { host: "db.example.com", port: 3307, database: "a", username: "u" };
      const all = await record({ database: { ...database, passwordSecret } });
      const name = "slurm-database-db.example.com:3307";
      const check = resourceNamed(all, "kubernetes:batch/v1:Job", name);
      const release = resourceNamed(all, types.release, "slurm");
      assert.ok(release.dependencies.includes(check.urn));
      assert.match(JSON.stringify(check.inputs), /"db\.example\.com","3307","60"/);
      assert.equal(all.filter(({ type }) => /StatefulSet|Secret/.test(type)).length, 0);
    });
  });
});
