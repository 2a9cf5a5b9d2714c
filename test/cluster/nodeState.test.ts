import { strict as assert } from "node:assert";

import { classifyNodeState } from "../../cluster/nodeState.ts";
import type { NodeClass } from "../../cluster/nodeState.ts";

const table: Readonly<Record<NodeClass, string>> = {
  ready: "idle idle- plnd IDLE IDLE+PLANNED IDLE+DYNAMIC_NORM IDLE+DRAIN+UNDRAIN IDLE+CLOUD",
  busy: "mix mix- alloc alloc+ alloc- comp MIXED+PLANNED ALLOCATED ALLOCATED+COMPLETING IDLE+COMPLETING",
  drained: "drain IDLE+DRAIN DOWN+DRAIN IDLE+DRAIN+DYNAMIC_NORM IDLE+DRAIN+MAINTENANCE drain$",
  draining: "drng ALLOCATED+DRAIN MIXED+DRAIN IDLE+COMPLETING+DRAIN",
  unavailable:
    "idle* idle~ idle# idle% idle! idle@ idle^ idle$ mix* comp* drng* drain* down down~ down* inval futr " +
    "boot block fail failg maint resv DOWN+CLOUD+POWERED_DOWN+NOT_RESPONDING IDLE+NOT_RESPONDING " +
    "IDLE+INVALID_REG DOWN DOWN+DRAIN+NOT_RESPONDING IDLE*+DRAIN DOWN* FUTURE ERROR IDLE+MAINTENANCE+RESERVED",
  unknown: "unk n/a newthing UNKNOWN NEWTHING IDLE+NEWFLAG IDLE+MIXED DRAIN idle? IDLE+drain",
};

describe("R11: classifyNodeState", () => {
  for (const [expected, states] of Object.entries(table)) {
    for (const state of states.split(" ")) {
      it(`${state} => ${expected}`, () => {
        assert.equal(classifyNodeState(state).class, expected);
      });
    }
  }

  it("nothing at all => unknown", () => {
    assert.equal(classifyNodeState("").class, "unknown");
    assert.equal(classifyNodeState([]).class, "unknown");
  });

  it("the JSON array and the State= text of a node => the same class", () => {
    for (const state of Object.values(table).join(" ").split(" ")) {
      if (!/^[A-Z_+]+$/.test(state)) continue;
      assert.deepEqual(classifyNodeState(state.split("+")), classifyNodeState(state));
    }
  });

  const twoSpellings: readonly (readonly [string, string])[] = [
    ["idle*", "IDLE+NOT_RESPONDING"],
    ["down~", "DOWN+CLOUD+POWERED_DOWN"],
    ["drain", "DOWN+DRAIN"],
    ["drain*", "DOWN+DRAIN+NOT_RESPONDING"],
    ["drng", "MIXED+DRAIN"],
    ["comp", "IDLE+COMPLETING"],
    ["inval", "IDLE+INVALID_REG"],
    ["plnd", "IDLE+PLANNED"],
    ["maint", "IDLE+MAINTENANCE"],
    ["boot", "IDLE+REBOOT_ISSUED"],
    ["failg", "ALLOCATED+FAIL"],
  ];
  for (const [compact, full] of twoSpellings) {
    it(`%t ${compact} and State=${full} => one class`, () => {
      assert.equal(classifyNodeState(compact).class, classifyNodeState(full).class);
    });
  }

  it("inval after a restart => its cause is the registration", () => {
    assert.equal(classifyNodeState("inval").cause, "registration");
    assert.equal(classifyNodeState("IDLE+INVALID_REG").cause, "registration");
  });

  it("a node with jobs that does not respond => unavailable, and its jobs are not forgotten", () => {
    const state = classifyNodeState("ALLOCATED+DRAIN+NOT_RESPONDING");
    assert.equal(state.class, "unavailable");
    assert.equal(state.hasJobs, true);
    assert.ok(state.facts.has("DRAIN"));
  });
});
