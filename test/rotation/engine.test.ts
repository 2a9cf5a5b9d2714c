import { strict as assert } from "node:assert";
import * as engine from "../../rotation/engine.ts";
import type { KeyInputs, KeyOutputs } from "../../rotation/keyProperties.ts";
import type { RotationEdges } from "../../rotation/rotateKey.ts";
import { FakeKeyCluster } from "../fakes/fakeKeyCluster.ts";
import { ManualClock } from "../fakes/manualClock.ts";
import { keyInputs, keyOf, keyPlace } from "../support/keyInputs.ts";

const inputs = keyInputs;
const where = keyPlace;

describe("key engine", () => {
  let cluster: FakeKeyCluster;
  let edges: RotationEdges;
  const create = (given = inputs()) => engine.create(given, edges);

  beforeEach(() => {
    cluster = new FakeKeyCluster();
    edges = {
      connect: () => Promise.resolve(cluster),
      clock: new ManualClock(),
      openPorts: () => Promise.reject(new Error("this key does not rotate")),
      openLog: () => ({ log: () => undefined, flush: () => Promise.resolve() }),
    };
  });

  describe("diff", () => {
    let olds: KeyOutputs & { __provider: string };
    const news = (overrides: Partial<KeyInputs> = {}) => ({
      ...inputs(overrides),
      __provider: "A",
    });

    beforeEach(async () => {
      olds = { ...(await create()).outs, __provider: "A" };
    });

    for (const [situation, given, changes] of [
      ["nothing", {}, false],
      ["the timeout", { deleteTimeoutSeconds: 61 }, false],
      ["the seed", { keySeed: "next" }, true],
      ["the kubeconfig", { kubeconfig: "kubeconfig-2" }, true],
      ["the context", { context: "kind-other" }, true],
    ] as const) {
      it(`${situation} changed => ${changes ? "an update" : "no change"}, never a replacement`, async () => {
        assert.deepEqual(await engine.diff(olds, news(given)), { changes, replaces: [] });
      });
    }

    it("R03: another provider text => an update", async () => {
      assert.equal((await engine.diff(olds, { ...news(), __provider: "B" })).changes, true);
    });

    it("a kubeconfig that a preview does not know yet => no change by itself", async () => {
      const kubeconfig = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      assert.equal((await engine.diff(olds, news({ kubeconfig }))).changes, false);
      assert.equal((await engine.diff(olds, news({ kubeconfig, keySeed: "next" }))).changes, true);
    });

    it("a root that a preview does not know yet => an update, no failure", async () => {
      const root = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      assert.equal((await engine.diff(olds, news({ root }))).changes, true);
    });
  });

  it("R12: outputs and every error => no key, no root, in any notation", async () => {
    const canary = inputs({
      root: Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString("base64"),
    });
    const said: string[] = [];
    const { outs } = await create(canary);
    said.push(JSON.stringify(outs));
    const attempts = [
      () => engine.update(outs, { ...canary, keySeed: "next" }, edges),
      () => engine.create({ ...canary, keySeed: "next" }, edges),
      () => engine.create({ ...canary, root: canary.root.slice(0, 20) }, edges),
      () => engine.update(outs, { ...canary, secretName: "x" }, edges),
      () => {
        cluster.put(where, { "slurm.key": keyOf(canary) }, { immutable: false });
        return engine.create(canary, edges);
      },
    ];
    for (const attempt of attempts) {
      await attempt().then(
        () => assert.fail("should have been refused"),
        (error: Error) => said.push(`${error.message}\n${error.stack}`),
      );
    }
    for (const bytes of [keyOf(canary), Buffer.from(canary.root, "base64")]) {
      assertAbsent(Buffer.from(bytes), said.join("\n"));
    }
  });
});

/** No 24-byte window of the bytes occurs as text, hex, base64 or base64url. */
function assertAbsent(bytes: Buffer, text: string): void {
  for (let start = 0; start + 24 <= bytes.length; start++) {
    const window = bytes.subarray(start, start + 24);
    for (const encoding of ["latin1", "hex", "base64", "base64url"] as const) {
      assert.ok(!text.includes(window.toString(encoding)), `${encoding} of key bytes ${start}…`);
    }
  }
}
