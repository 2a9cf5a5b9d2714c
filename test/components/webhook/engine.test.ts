import { strict as assert } from "node:assert";
import { admit, diff } from "../../../components/webhook/engine.ts";
import { FakeApiServer, refusal } from "../../fakes/fakeApiServer.ts";

describe("webhook engine", () => {
  let api: FakeApiServer;
  const inputs = () => ({
    kubeconfig: api.kubeconfig,
    context: "test",
    namespace: "slurm",
    operatorRevision: 3,
    timeoutSeconds: 1,
  });

  beforeEach(async () => {
    api = await FakeApiServer.start();
  });
  afterEach(() => api.stop());

  it("the webhook admits => one dry-run create in the namespace, nothing else", async function () {
    this.timeout(30_000);
    assert.deepEqual(await admit(inputs()), {
      attempts: 1,
      seconds: 0,
      namespace: "slurm",
      operatorRevision: 3,
    });
    assert.deepEqual(api.log, [
      "POST /apis/slinky.slurm.net/v1beta1/namespaces/slurm/controllers?dryRun=All",
    ]);
  });

  it("the webhook refuses => fails at once with its message", async () => {
    api.intercept = () => refusal(400, "BadRequest", 'admission webhook "x" denied the request');
    await assert.rejects(admit(inputs()), /answered 400: admission webhook "x" denied/);
  });

  it("the certificate is not trusted until the deadline => fails with that cause", async () => {
    api.intercept = () => refusal(500, "InternalError", "failed calling webhook: x509: unknown");
    await assert.rejects(admit(inputs()), /within 1 s \(1 attempts\): its certificate/);
  });

  it("nobody listens => fails at the deadline", async () => {
    const given = inputs();
    await api.stop();
    await assert.rejects(admit(given), /connection refused/);
    api = await FakeApiServer.start();
  });
});

describe("webhook engine diff", () => {
  const olds = { namespace: "slurm", operatorRevision: 3, __provider: "A" };
  const news = {
    ...olds,
    kubeconfig: "k",
    context: "c",
    timeoutSeconds: 9,
  };

  it("only access and timeouts differ => no change", () => {
    assert.equal(diff(olds, news).changes, false);
  });

  for (const change of [{ operatorRevision: 4 }, { namespace: "other" }, { __provider: "B" }]) {
    it(`${Object.keys(change)[0]} differs => proves itself again`, () => {
      assert.equal(diff(olds, { ...news, ...change }).changes, true);
    });
  }
});
