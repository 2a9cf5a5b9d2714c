import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import type { Workload } from "../../rotation/ports.ts";
import { isHashUnderstood, operatorHash } from "../../rotation/operatorHash.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);
const hex = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("operatorHash", () => {
  it("one entry => the hash of its bytes", () => {
    assert.equal(operatorHash({ "slurm.key": bytes("one") }), hex("one"));
  });

  it("several entries => the values in the order of their names", () => {
    assert.equal(operatorHash({ b: bytes("second"), a: bytes("first ") }), hex("first second"));
  });

  it("no data => empty, as the operator writes it", () => {
    assert.equal(operatorHash({}), "");
    assert.equal(operatorHash({ "slurm.key": bytes("") }), "");
  });
});

describe("isHashUnderstood", () => {
  const workload = (keyHash: string | undefined): Workload => ({
    ...{ id: "slurm/statefulset/slurm-controller", component: "controller" },
    ...{ replicas: 0, readyReplicas: 0, keyHash },
  });
  const known = [{ "slurm.key": bytes("old") }, { "slurm.key": bytes("new") }];

  it("every hash is that of a known Secret => yes", () => {
    const workloads = [workload(hex("old")), workload(hex("new")), workload(undefined)];
    assert.equal(isHashUnderstood(workloads, known), true);
  });

  it("one hash is of something else => no", () => {
    assert.equal(isHashUnderstood([workload(hex("old")), workload("d41d8c")], known), false);
  });

  it("no workload carries a hash => no", () => {
    assert.equal(isHashUnderstood([workload(undefined)], known), false);
  });
});
