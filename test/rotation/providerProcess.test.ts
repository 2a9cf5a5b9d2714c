import { strict as assert } from "node:assert";
import * as pulumi from "@pulumi/pulumi";
import { deriveKey, fingerprint } from "../../rotation/authKey.ts";
import { keyProvider } from "../../rotation/provider.ts";
import { FakeApiServer, refusal } from "../fakes/fakeApiServer.ts";
import { DynamicProviderProcess, type Properties } from "../support/dynamicProviderProcess.ts";

const root = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString("base64");
const key = deriveKey(root, "initial");

describe("AuthKeyRotation in Pulumi's provider process", function () {
  this.timeout(60_000);

  let provider: DynamicProviderProcess;
  let text: string;
  let api: FakeApiServer;
  let inputs: Properties;

  before(async () => {
    text = (await pulumi.runtime.serializeFunction(() => keyProvider)).text;
    provider = await DynamicProviderProcess.start();
  });
  after(() => provider.stop());

  beforeEach(async () => {
    api = await FakeApiServer.start();
    inputs = {
      __provider: text,
      root,
      keySeed: "initial",
      namespace: "slurm",
      secretName: "slurm-auth",
      dataKey: "slurm.key",
      kubeconfig: api.kubeconfig,
      context: "test",
      deleteTimeoutSeconds: 5,
    };
  });
  afterEach(() => api.stop());

  /** No key or root in any notation; the shell and the kubeconfig are in the outputs for good reason. */
  const assertNoKeyIn = (said: string) => {
    for (const bytes of [Buffer.from(key), Buffer.from(root, "base64")]) {
      for (const encoding of ["hex", "base64", "base64url", "latin1"] as const) {
        assert.ok(!said.includes(bytes.subarray(0, 24).toString(encoding)), encoding);
      }
    }
  };

  it("create, diff, update, read, delete => the life of a key", async () => {
    const { id, outs } = await provider.create(inputs);
    assert.equal(id, "slurm/slurm-auth");
    assert.equal(outs.fingerprint, fingerprint(key));
    assert.equal(outs.generation, 1);
    assert.equal(outs.secretUid, "uid-1");
    assert.equal(outs.clusterIdentity, "cluster-1");
    assert.equal(outs.__provider, text);
    assert.equal("root" in outs, false);
    const stored = api.secrets.get("slurm/slurm-auth");
    assert.equal(stored?.data["slurm.key"], Buffer.from(key).toString("base64"));
    assert.equal(stored?.immutable, true);

    assert.equal(await provider.diff(id, outs, inputs), false);
    assert.equal(await provider.diff(id, outs, { ...inputs, keySeed: "next" }), true);
    assert.deepEqual(await provider.update(id, outs, inputs), outs);
    assert.deepEqual(await provider.read(id, outs), { id, outs });
    await provider.delete(id, outs);
    assert.equal(api.secrets.size, 0);
    assertNoKeyIn(JSON.stringify(outs));
  });

  it("R12: refusals, also ones that echo the request => no key in errors or output", async () => {
    const { id, outs } = await provider.create(inputs);
    const said: string[] = [];
    const attempts = [
      provider.update(id, outs, { ...inputs, keySeed: "next" }),
      provider.create({ ...inputs, keySeed: "next" }),
    ];
    for (const attempt of attempts) {
      await attempt.then(
        () => assert.fail("should have been refused"),
        (error: Error) => said.push(error.message),
      );
    }
    api.secrets.clear();
    api.intercept = (line, body) =>
      line.startsWith("POST") ? refusal(422, "Invalid", body) : undefined;
    await assert.rejects(provider.create(inputs), (error: Error) => {
      said.push(error.message);
      return /422 Invalid/.test(error.message);
    });
    assertNoKeyIn(said.join("\n") + provider.output);
  });

  it("the Secret is gone => read answers without an id, and the resource is forgotten", async () => {
    const { id, outs } = await provider.create(inputs);
    api.secrets.clear();
    assert.equal((await provider.read(id, outs)).id, "");
  });

  it("R28: the API server is away => read fails, delete is done", async () => {
    const { id, outs } = await provider.create(inputs);
    await api.stop();
    await assert.rejects(provider.read(id, outs), /cannot be reached \(ECONNREFUSED\)/);
    await provider.delete(id, outs);
    api = await FakeApiServer.start();
  });

  it("R39: outputs of an old shell => delete still leaves a key that is not the recorded one", async () => {
    const { id, outs } = await provider.create(inputs);
    await provider.delete(id, { ...outs, fingerprint: "000000000000" });
    assert.equal(api.secrets.size, 1);
  });
});
