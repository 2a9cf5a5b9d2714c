import { slurmWaitsForItsKey } from "../../../policy/rules/slurmWaitsForItsKey.ts";
import { itJudgesStacks } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";
import { release, rotation } from "../../support/policySlurm.ts";

const key = rotation("key");
const gate = { type: "any:any:Gate", name: "gate", dependsOn: [key] };
const loop = {
  type: "any:any:Loop",
  name: "loop",
  dependsOn: [{ type: "any:any:Loop", name: "loop" }],
};
const told = ["slurm: the option dependsOn does not lead to key"];

describe("slurm-waits-for-its-key", () => {
  itJudgesStacks(slurmWaitsForItsKey("mandatory"), [
    ["depends on it => passes", [key, release({}, "slurm", [key])], []],
    ["depends on what depends on it => passes", [key, gate, release({}, "slurm", [gate])], []],
    ["does not => told", [key, release()], told],
    [
      "depends on something else, in a circle => told",
      [key, loop, release({}, "slurm", [loop])],
      told,
    ],
    ["another cluster's key => passes", [rotation("key", { namespace: "other" }), release()], []],
    [
      "whose key it is not known yet => passes",
      [rotation("key", { namespace: unknown }), release()],
      [],
    ],
    ["no key in this stack => passes", [release()], []],
  ]);
});
