import { strict as assert } from "node:assert";
import type { KeyPod } from "../../rotation/ports.ts";
import { PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { keys, RotationStage } from "../support/rotationStage.ts";

describe("what a rotation refuses and says", () => {
  for (const [situation, spoil, message] of [
    [
      "R02: an unknown pod uses the key",
      (s: RotationStage) => addPod(s, { component: "unknown" }),
      /no part of Slurm/,
    ],
    [
      "R26: a finalizer",
      (s: RotationStage) => changeSecret(s, { finalizers: ["example.test/hold"] }),
      /finalizers/,
    ],
    [
      "R26: two writers",
      (s: RotationStage) => changeSecret(s, { keyManagers: ["a", "b"] }),
      /written by a and b/,
    ],
    [
      "R26: being deleted",
      (s: RotationStage) => changeSecret(s, { isBeingDeleted: true }),
      /being deleted/,
    ],
    ["a mutable Secret", (s: RotationStage) => changeSecret(s, { immutable: false }), /mutable/],
    ["R20: a node without a pod", addBareNode, /bare-01 have no pod/],
    [
      "a pod that is not ready",
      (s: RotationStage) => void s.cluster.broken.add("login"),
      /not ready: slurm-login-0/,
    ],
  ] as const) {
    it(`${situation} => refused, nothing touched`, async () => {
      const stage = new RotationStage();
      spoil(stage);
      const { outcome, message: said } = await stage.update();
      assert.equal(outcome, "refused");
      assert.match(said, message);
      assert.deepEqual(writesAmong(stage.knobs.calls), []);
    });
  }

  it("a right is missing => refused, named, nothing touched", async () => {
    const stage = new RotationStage();
    const knobs = new PortKnobs();
    knobs.missingAccess = ["patch statefulsets.apps -n slurm"];
    const { outcome, message } = await stage.update("next", { knobs });
    assert.equal(outcome, "refused");
    assert.match(message, /may not: patch statefulsets\.apps -n slurm/);
    assert.deepEqual(writesAmong(knobs.calls), []);
  });

  it("R12: journal, log, messages => fingerprints only, on every path", async () => {
    const said: string[] = [];
    for (const fault of [
      undefined,
      "probe.clientCall",
      "secrets.create",
      "workloads.scale",
      "hold.release",
    ]) {
      const stage = new RotationStage();
      const knobs = new PortKnobs();
      knobs.fail = (name) => (name === fault ? new Error(`forced at ${name}`) : undefined);
      const result = await stage.update("next", { knobs });
      said.push(JSON.stringify(result), ...stage.lines, JSON.stringify(stage.memory.journal));
    }
    const text = said.join("\n");
    for (const key of [keys.old, keys.next]) {
      for (let start = 0; start + 24 <= key.length; start++) {
        for (const encoding of ["latin1", "hex", "base64", "base64url"] as const) {
          const window = Buffer.from(key.subarray(start, start + 24)).toString(encoding);
          assert.ok(!text.includes(window), `${encoding} of key bytes ${start}…`);
        }
      }
    }
  });
});

function writesAmong(calls: readonly string[]): string[] {
  return calls.filter((name) => /create|remove|scale|delete|update|hold.set/.test(name));
}

function addPod({ cluster }: RotationStage, fields: Partial<KeyPod>): void {
  const [first] = cluster.pods.filter(({ component }) => component === "login");
  if (first) cluster.pods.push({ ...first, ...fields, name: "stranger", uid: "stranger" });
}

function changeSecret({ cluster }: RotationStage, fields: object): void {
  const live = cluster.secrets.get("slurm-auth");
  if (live) cluster.secrets.set("slurm-auth", { ...live, ...fields });
}

function addBareNode({ cluster }: RotationStage): void {
  const bare = {
    name: "bare-01",
    reason: "",
    drain: false,
    down: false,
    silent: false,
    startedAt: 0,
  };
  cluster.nodes.set("bare-01", bare);
  cluster.advance();
  bare.silent = false;
}
