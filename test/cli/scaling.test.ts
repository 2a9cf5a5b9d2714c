import { strict as assert } from "node:assert";
import { scaleReport } from "../../cli/scaling.ts";
import type { NodeSetOutput } from "../../cli/stackOutputs.ts";

const set = (replicas: number, more: Partial<NodeSetOutput> = {}): NodeSetOutput => ({
  replicas,
  partition: "p",
  ...more,
});

describe("scaleReport", () => {
  it("a new stack, and one that stays => nothing to say", () => {
    assert.deepEqual(scaleReport(undefined, { gpu: set(2) }), []);
    assert.deepEqual(scaleReport({ gpu: set(2) }, { gpu: set(2) }), []);
  });

  it("more and fewer => every NodeSet that changes, with the nodes by name", () => {
    const before = { a: set(1), b: set(4), c: set(1), d: set(3) };
    const after = { a: set(3), b: set(3), d: set(0), e: set(1) };
    assert.deepEqual(scaleReport(before, after), [
      "NodeSet a grows from 1 to 3 nodes: a-[1-2]",
      "NodeSet b shrinks from 4 to 3 nodes: the operator drains b-3 first, and jobs on them run to their end",
      "NodeSet c goes, with its 1 node",
      "NodeSet d shrinks from 3 to 0 nodes: the operator drains d-[0-2] first, and jobs on them run to their end",
      "NodeSet e grows from 0 to 1 node: e-0",
    ]);
  });

  it("an autoscaler's NodeSet => not ours to report", () => {
    const after = { gpu: set(5, { replicasOwnedBy: "autoscaler" }) };
    assert.deepEqual(scaleReport({ gpu: set(2) }, after), []);
  });
});
