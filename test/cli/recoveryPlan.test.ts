import { strict as assert } from "node:assert";

import { decideHelm, decideLocks, decidePending } from "../../cli/recoveryPlan.ts";
import type { HelmRecord } from "../../cli/recoveryPlan.ts";

const lock = { pid: 4711, username: "ada", hostname: "here", timestamp: "2026-01-01T00:00:00Z" };
const dead = () => false;

describe("R16: decideLocks", () => {
  it("no lock => none", () => {
    assert.equal(decideLocks([], "here", dead).kind, "none");
  });

  it("a lock of a dead process of this machine => cancel", () => {
    assert.equal(decideLocks([lock], "here", dead).kind, "cancel");
  });

  it("a live process => refused, with who and since when", () => {
    const decision = decideLocks([lock], "here", (pid) => pid === 4711);
    assert.equal(decision.kind, "refuse");
    assert.match(JSON.stringify(decision), /ada@here \(pid 4711\) since 2026-01-01/);
  });

  it("a lock of another machine => refused: whether it runs cannot be seen", () => {
    const decision = decideLocks([{ ...lock, hostname: "there" }], "here", dead);
    assert.equal(decision.kind, "refuse");
    assert.match(JSON.stringify(decision), /pulumi cancel/);
  });

  it("one dead, one live => refused", () => {
    const two = [lock, { ...lock, pid: 1 }];
    assert.equal(decideLocks(two, "here", (pid) => pid === 1).kind, "refuse");
  });
});

describe("R16: decidePending", () => {
  const rotation =
    "urn:pulumi:lab::slinky-stack::a:b:C$pulumi-nodejs:dynamic/rotation:AuthKeyRotation::slurm-auth";
  const release = "urn:pulumi:lab::slinky-stack::a:b:C$kubernetes:helm.sh/v3:Release::slurm";

  it("a pending update of the rotation => said, nothing is changed in the state", () => {
    const { forget, messages } = decidePending([{ urn: rotation, type: "updating" }]);
    assert.deepEqual(forget, []);
    assert.match(
      messages[0] ?? "",
      /^AuthKeyRotation slurm-auth .*journal.*no second rotation begins/,
    );
  });

  it("a pending creation => forgotten, so that it is done again without a warning for ever", () => {
    const { forget, messages } = decidePending([{ urn: release, type: "creating" }]);
    assert.deepEqual(forget, [release]);
    assert.equal(
      messages[0],
      "Release slurm was interrupted while creating: the update does it again",
    );
  });
});

describe("R16: decideHelm", () => {
  const record = (revision: number, status: string, release = "slurm"): HelmRecord => ({
    namespace: "slurm",
    secret: `sh.helm.release.v1.${release}.v${revision}`,
    release,
    revision,
    status,
  });
  const urn = "urn:pulumi:lab::p::kubernetes:helm.sh/v3:Release::slurm";
  const inState = [{ urn, namespace: "slurm", release: "slurm" }];
  const v = (...revisions: number[]) =>
    revisions.map((each) => `sh.helm.release.v1.slurm.v${each}`);

  const rows: readonly (readonly [string, HelmRecord[], boolean, string[] | undefined])[] = [
    ["pending-install, not in the state", [record(1, "pending-install")], false, v(1)],
    ["failed install, not in the state", [record(1, "failed")], false, v(1)],
    [
      "deployed, not in the state",
      [record(1, "superseded"), record(2, "deployed")],
      false,
      v(1, 2),
    ],
    ["uninstalling, not in the state", [record(1, "uninstalling")], false, v(1)],
    ["pending-install in the state", [record(1, "pending-install")], true, v(1)],
    ["pending-upgrade", [record(1, "deployed"), record(2, "pending-upgrade")], true, v(2)],
    [
      "pending-rollback",
      [record(1, "superseded"), record(2, "failed"), record(3, "pending-rollback")],
      true,
      v(3),
    ],
    [
      "two pending upgrades",
      [record(9, "deployed"), record(11, "pending-upgrade"), record(10, "pending-upgrade")],
      true,
      v(10, 11),
    ],
    ["deployed in the state", [record(1, "superseded"), record(2, "deployed")], true, undefined],
    ["failed upgrade in the state", [record(1, "deployed"), record(2, "failed")], true, undefined],
    ["no record", [], true, undefined],
  ];
  for (const [situation, records, known, secrets] of rows) {
    it(`${situation} => ${secrets?.join(" ") ?? "nothing"} deleted`, () => {
      const [decision, ...more] = decideHelm(records, known ? inState : [], true);
      assert.deepEqual(decision?.secrets, secrets);
      assert.deepEqual(more, []);
    });
  }

  it("pending-install in the state => the state forgets the release as well", () => {
    const [decision] = decideHelm([record(1, "pending-install")], inState, true);
    assert.equal(decision?.forgetUrn, urn);
  });

  it("deployed, not in the state, on an existing cluster => reported, not touched", () => {
    const [decision] = decideHelm([record(1, "deployed")], [], false);
    assert.deepEqual(decision?.secrets, []);
    assert.match(decision?.message ?? "", /left alone/);
  });

  it("a stuck release beside a good one => only the stuck one", () => {
    const other = [{ urn: "x", namespace: "slurm", release: "other" }];
    const decisions = decideHelm(
      [record(1, "deployed", "other"), record(1, "pending-install")],
      other,
      true,
    );
    assert.deepEqual(
      decisions.map(({ release }) => release),
      ["slurm"],
    );
  });
});
