import { strict as assert } from "node:assert";
import { deriveKey, fingerprint } from "../../rotation/authKey.ts";
import * as engine from "../../rotation/engine.ts";
import type { PartialFailure } from "../../rotation/errors.ts";
import type { KeyOutputs, RotationInputs } from "../../rotation/keyProperties.ts";
import type { RotationEdges } from "../../rotation/rotateKey.ts";
import { FakeKeyCluster } from "../fakes/fakeKeyCluster.ts";
import { fakeRotationPorts, PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { keyInputs, keyPlace } from "../support/keyInputs.ts";
import { RotationStage, settings } from "../support/rotationStage.ts";

const root = Buffer.alloc(64, 7).toString("base64");
const rotation: RotationInputs = {
  ...settings,
  ...{ operatorNamespace: "slinky", release: "slurm", probeImage: "lab/login:1", progressUrn: "" },
};
const news = (keySeed: string, more: object = {}) => ({
  ...keyInputs({ root, keySeed, ...more }),
  ...{ rotation, __provider: "shell" },
});

describe("a rotating key", () => {
  let stage: RotationStage;
  let secrets: FakeKeyCluster;
  let knobs: PortKnobs;
  let edges: RotationEdges;
  let olds: KeyOutputs & { __provider: string };

  beforeEach(async () => {
    stage = new RotationStage();
    secrets = new FakeKeyCluster();
    // Two views of one Secret: the first key's, and the rotation's.
    const show = () => {
      const live = stage.cluster.secrets.get("slurm-auth");
      if (live) secrets.secrets.set(keyPlace, live);
      else secrets.secrets.delete(keyPlace);
      return secrets;
    };
    knobs = new PortKnobs();
    edges = {
      connect: () => Promise.resolve(show()),
      clock: stage.clock,
      openPorts: () => Promise.resolve(fakeRotationPorts(stage.cluster, stage.memory, knobs)),
      openLog: () => ({ log: (line) => stage.lines.push(line), flush: () => Promise.resolve() }),
    };
    const { outs } = await engine.create(news("old"), edges);
    olds = { ...outs, __provider: "shell" };
  });

  const restart = () => {
    knobs = new PortKnobs();
  };

  it("created => remembers no rotation", () => {
    const { strategy, previousFingerprint, outcome, generation } = olds;
    assert.deepEqual(
      { strategy, previousFingerprint, outcome, generation },
      { strategy: "drain", previousFingerprint: "", outcome: "", generation: 3 },
    );
  });

  it("another seed => rotated; the outputs tell it and are JSON", async () => {
    const { outs } = await engine.update(olds, news("next"), edges);
    assert.equal(outs.fingerprint, fingerprint(deriveKey(root, "next")));
    assert.equal(outs.previousFingerprint, olds.fingerprint);
    assert.equal(outs.generation, 4);
    assert.deepEqual([olds.servedSeed, olds.previousSeed], ["old", ""]);
    assert.deepEqual([outs.servedSeed, outs.previousSeed], ["next", "old"]);
    assert.equal(outs.outcome, "completed");
    assert.equal(outs.report?.nodesDrained, 3);
    assert.deepEqual(JSON.parse(JSON.stringify(outs)), outs);
  });

  for (const [situation, more] of [
    ["R03: another provider text", { __provider: "other" }],
    ["a moved kubeconfig", { kubeconfig: "kubeconfig-2" }],
    ["a changed timeout", { rotation: { ...rotation, drainTimeoutSeconds: 7 } }],
  ] as const) {
    it(`${situation} => never a rotation: no write, the same key and generation`, async () => {
      restart();
      const { outs } = await engine.update(olds, { ...news("old"), ...more }, edges);
      assert.equal(outs.generation, 3);
      assert.equal(outs.fingerprint, olds.fingerprint);
      assert.ok(
        !knobs.calls.some((name) => /create|remove|scale|update|write|hold.set/.test(name)),
      );
    });
  }

  it("R03: the old outputs are empty => rebuilt from the cluster, no rotation", async () => {
    const { outs } = await engine.update({}, news("old"), edges);
    assert.equal(outs.fingerprint, olds.fingerprint);
    assert.equal(outs.generation, 3);
  });

  it("a state from before rotation => an update that only verifies", async () => {
    const older: Partial<KeyOutputs> & { __provider: string } = { ...olds };
    Reflect.deleteProperty(older, "rotation");
    assert.equal((await engine.diff(older, news("old"), edges)).changes, true);
    const { outs } = await engine.update(older, news("old"), edges);
    assert.equal(outs.generation, 3);
    assert.deepEqual(outs.rotation, rotation);
  });

  it("rolled back => a plain error: Pulumi keeps the old outputs", async () => {
    stage.cluster.hiddenReference = true;
    await assert.rejects(engine.update(olds, news("next"), edges), (error: PartialFailure) => {
      assert.match(error.message, /^rotation stopped at "verify" \(apply\): .*Rolled back/s);
      assert.equal(error.properties, undefined);
      return true;
    });
    assert.equal((await engine.diff(olds, news("old"), edges)).changes, false);
  });

  it("needs a person => a partial failure with id, shell, JSON outputs and reasons", async () => {
    stage.cluster.stuck.add("slurm-worker-compute-0");
    await assert.rejects(engine.update(olds, news("next"), edges), (error: PartialFailure) => {
      assert.equal(error.id, keyPlace);
      assert.equal(error.properties["__provider"], "shell");
      assert.equal(error.properties["outcome"], "needsHuman");
      assert.equal(error.properties["fingerprint"], olds.fingerprint);
      assert.deepEqual(JSON.parse(JSON.stringify(error.properties)), error.properties);
      assert.equal(error.reasons.length, 1);
      return true;
    });
    assert.equal((await engine.diff(olds, news("old"), edges)).changes, true, "it is unfinished");
    const { props } = await engine.read(keyPlace, olds, edges);
    assert.equal(props?.fingerprint, olds.fingerprint);
  });

  it("the Secret is absent in the middle of a rotation => read forgets nothing, create is refused", async () => {
    knobs.watch = (name) => {
      const isGone = name === "secrets.read" && !stage.cluster.secrets.has("slurm-auth");
      if (isGone) knobs.isDead = true;
    };
    await engine.update(olds, news("next"), edges).catch(() => undefined);
    restart();
    stage.cluster.secrets.delete("slurm-auth");
    assert.equal((await engine.read(keyPlace, olds, edges)).id, keyPlace);
    await assert.rejects(engine.create(news("next"), edges), /a rotation of .* is unfinished/);
  });

  it("R21: another cluster answers => refused before any port is opened", async () => {
    secrets.uid = "cluster-2";
    edges = { ...edges, openPorts: () => Promise.reject(new Error("opened")) };
    await assert.rejects(engine.update(olds, news("next"), edges), /leads to cluster-2/);
  });

  it("a preview => tells keys, nodes, jobs and pods, and writes nothing", async () => {
    restart();
    assert.equal((await engine.diff(olds, news("next"), edges)).changes, true);
    const said = stage.lines;
    const next = fingerprint(deriveKey(root, "next"));
    assert.match(said.join("\n"), new RegExp(`rotated from ${olds.fingerprint} to ${next}`));
    assert.match(
      said.join("\n"),
      /nodes to drain: compute-\[0-1\],debug-0; no job to wait for; pods to replace: 7/,
    );
    assert.ok(knobs.calls.every((name) => !/create|set$|write|acquire|scale|update/.test(name)));
  });

  it("interrupts => no handler is left behind", async () => {
    const before = process.listenerCount("SIGINT");
    await engine.update(olds, news("next"), edges);
    assert.equal(process.listenerCount("SIGINT"), before);
  });
});
