import { strict as assert } from "node:assert";
import { classifyNodeState } from "../../cluster/nodeState.ts";
import type { SlurmNode } from "../../cluster/slurmJson.ts";
import { drainReason, isForeign, isQuiet, mayResume } from "../../rotation/drainReason.ts";

const node = (stateText: string, reason = "", allocatedCpus = 0): SlurmNode => ({
  ...{ name: "w-0", stateText, state: classifyNodeState(stateText), reason, allocatedCpus },
  ...{ partitions: [], version: "", slurmdStartSeconds: undefined },
});

describe("isQuiet (R04)", () => {
  for (const [state, cpus, expected] of [
    ["IDLE+DRAIN", 0, true],
    ["IDLE+DRAIN", 4, false],
    ["IDLE+DRAIN+COMPLETING", 0, false],
    ["MIXED+DRAIN", 0, false],
    ["ALLOCATED+DRAIN", 0, false],
    ["IDLE*+DRAIN", 0, false],
    ["DOWN*+DRAIN", 0, true],
    ["DOWN", 0, true],
    ["IDLE+DRAIN+NEWTHING", 0, false],
    ["drng", 0, false],
  ] as const) {
    it(`${state} with ${cpus} CPUs in use => ${expected ? "quiet" : "not quiet"}`, () => {
      assert.equal(isQuiet(node(state, "", cpus)), expected);
    });
  }
});

describe("mayResume (R19)", () => {
  const uncordoned = "slurm-operator: Pod (slurm/w-0) was uncordoned";
  for (const [state, reason, expected] of [
    ["DOWN+DRAIN", drainReason(4), true],
    ["DOWN+DRAIN", "slurm-operator: Pod is terminating", true],
    ["DOWN", uncordoned, true],
    ["DOWN+DRAIN", uncordoned, false],
    ["DOWN", "slurm-operator: Pod (slurm/w-1) was uncordoned", false],
    ["DOWN", "slurm-operator: Pod (other/w-0) was uncordoned", false],
    ["DOWN", `${uncordoned} and more`, false],
    ["DOWN+DRAIN", "slurm-operator: Node (k) was cordoned", false],
    ["IDLE+DRAIN", "bad DIMM", false],
    ["IDLE+DRAIN", `${drainReason(4)} and more`, false],
  ] as const) {
    it(`${state} "${reason}" => ${expected ? "ours" : "left alone"}`, () => {
      assert.equal(mayResume(node(state, reason), "slurm/w-0"), expected);
    });
  }
});

describe("isForeign (R09)", () => {
  for (const [state, reason, expected] of [
    ["IDLE", "", false],
    ["IDLE+DRAIN", drainReason(2), false],
    ["IDLE+DRAIN", "ECC", true],
    ["DOWN", "no power", true],
    ["MIXED", "", false],
  ] as const) {
    it(`${state} "${reason}" => ${expected ? "somebody else's" : "not"}`, () => {
      assert.equal(isForeign(node(state, reason)), expected);
    });
  }
});
