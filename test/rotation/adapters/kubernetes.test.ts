import { strict as assert } from "node:assert";
import fc from "fast-check";
import { connectKubernetes, referencesSecret } from "../../../rotation/adapters/kubernetes.ts";
import { ClusterUnreachable, type KeyCluster, SecretExists } from "../../../rotation/ports.ts";
import { FakeApiServer, refusal } from "../../fakes/fakeApiServer.ts";

const secret = (bytes: Uint8Array, name = "slurm-auth") => ({
  namespace: "slurm",
  name,
  data: { "slurm.key": bytes },
  labels: { a: "b" },
  annotations: { c: "d" },
});

describe("connectKubernetes", () => {
  let api: FakeApiServer;
  let cluster: KeyCluster;

  before(async function () {
    this.timeout(30_000);
    await import("@kubernetes/client-node");
  });
  beforeEach(async () => {
    api = await FakeApiServer.start();
    cluster = await connectKubernetes(api.kubeconfig, "test");
  });
  afterEach(() => api.stop());

  it("create, then read => the same Secret, immutable and Opaque", async () => {
    const created = await cluster.createSecret(secret(Buffer.from("bytes")));
    assert.deepEqual(await cluster.readSecret("slurm", "slurm-auth"), created);
    assert.deepEqual(created, {
      uid: "uid-1",
      immutable: true,
      data: { "slurm.key": new Uint8Array(Buffer.from("bytes")) },
      labels: { a: "b" },
      annotations: { c: "d" },
    });
    assert.equal((api.secrets.get("slurm/slurm-auth") as { type?: string }).type, "Opaque");
  });

  it("R08: any bytes => the same bytes after the way to the cluster and back", async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1024 }), async (bytes) => {
        const name = `secret-${number++}`;
        await cluster.createSecret(secret(bytes, name));
        const live = await cluster.readSecret("slurm", name);
        assert.deepEqual(live?.data["slurm.key"], new Uint8Array(bytes));
      }),
      {
        numRuns: 30,
        examples: [[Uint8Array.of(0, 0xff, 0xfe, 0x0a)], [Buffer.from("dGV4dA==\n")]],
      },
    );
  });

  it("a Secret or a namespace that does not exist => undefined", async () => {
    assert.equal(await cluster.readSecret("slurm", "absent"), undefined);
  });

  it("create over an existing one => SecretExists", async () => {
    await cluster.createSecret(secret(Buffer.from("a")));
    await assert.rejects(cluster.createSecret(secret(Buffer.from("b"))), SecretExists);
  });

  it("delete => with the uid as precondition; an absent one is fine", async () => {
    await cluster.createSecret(secret(Buffer.from("a")));
    await assert.rejects(cluster.deleteSecret("slurm", "slurm-auth", "other"), /409 Conflict/);
    await cluster.deleteSecret("slurm", "slurm-auth", "uid-1");
    await cluster.deleteSecret("slurm", "slurm-auth", "uid-1");
    assert.equal(api.secrets.size, 0);
  });

  it("identity => the UID of kube-system", async () => {
    assert.equal(await cluster.identity(), "cluster-1");
  });

  it("holders => pods that reference the Secret and are not being deleted", async () => {
    const spec = { volumes: [{ name: "v", secret: { secretName: "slurm-auth" } }], containers: [] };
    api.pods = [
      { metadata: { name: "holder" }, spec },
      { metadata: { name: "leaving", deletionTimestamp: "2026-01-01T00:00:00Z" }, spec },
      { metadata: { name: "other" }, spec: { containers: [] } },
    ];
    assert.deepEqual(await cluster.holders("slurm", "slurm-auth"), ["holder"]);
  });

  it("R12: a refusal that echoes the request => its code and reason, nothing of the key", async () => {
    const key = crypto.getRandomValues(new Uint8Array(64));
    api.intercept = (line, body) =>
      line.startsWith("POST") ? refusal(422, "Invalid", `bad: ${body}`) : undefined;
    await assert.rejects(cluster.createSecret(secret(key)), (error: Error) => {
      const said = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
      assert.match(error.message, /create Secret slurm\/slurm-auth: .* \(422 Invalid\)/);
      assert.ok(!said.includes(Buffer.from(key).toString("base64")));
      return true;
    });
  });

  it("nobody listens => ClusterUnreachable with the system's code", async () => {
    await api.stop();
    await assert.rejects(
      cluster.identity(),
      (error) => error instanceof ClusterUnreachable && /ECONNREFUSED/.test(error.message),
    );
    api = await FakeApiServer.start();
  });

  it("a kubeconfig without the context => refused without repeating the file", async () => {
    await assert.rejects(connectKubernetes(api.kubeconfig, "prod"), /has no context "prod"$/);
    await assert.rejects(connectKubernetes("token: [secret", "x"), /cannot be parsed$/);
  });
});

describe("referencesSecret", () => {
  const pod = (spec: object) => ({ spec: { containers: [], ...spec } }) as never;
  const container = (fields: object) => [{ name: "c", ...fields }];
  for (const [situation, spec, expected] of [
    ["a Secret volume", { volumes: [{ name: "v", secret: { secretName: "s" } }] }, true],
    [
      "a projected volume",
      { volumes: [{ name: "v", projected: { sources: [{ secret: { name: "s" } }] } }] },
      true,
    ],
    [
      "a variable",
      {
        containers: container({
          env: [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
        }),
      },
      true,
    ],
    [
      "all variables",
      { initContainers: container({ envFrom: [{ secretRef: { name: "s" } }] }) },
      true,
    ],
    ["another Secret", { volumes: [{ name: "v", secret: { secretName: "t" } }] }, false],
    ["nothing", {}, false],
  ] as const) {
    it(`${situation} => ${expected}`, () =>
      assert.equal(referencesSecret(pod(spec), "s"), expected));
  }
});
