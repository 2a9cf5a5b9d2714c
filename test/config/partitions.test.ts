import { strict as assert } from "node:assert";
import { readPartitions } from "../../config/partitions.ts";
import { nodeSet } from "../support/componentInputs.ts";
import { readRaw } from "../support/readRaw.ts";

const nodeSets = {
  compute: nodeSet(),
  gpu: nodeSet({ partition: "gpu", isDefault: false }),
};
const read = (partitions: unknown, sets = nodeSets) =>
  readRaw({ partitions }, (raw) => readPartitions(raw, sets));

describe("partitions", () => {
  it("NodeSets alone => up, without a time limit", async () => {
    assert.deepEqual(await read({ both: { nodeSets: ["compute", "gpu"] } }), {
      both: {
        nodeSets: ["compute", "gpu"],
        isDefault: false,
        parameters: { State: "UP", MaxTime: "UNLIMITED" },
      },
    });
  });

  it("every field => read", async () => {
    const night = {
      nodeSets: ["ALL"],
      default: true,
      state: "DRAIN",
      maxTime: "1-12:00:00",
      extra: { PriorityTier: 10, AllowGroups: ["a", "b"] },
    };
    const sets = { ...nodeSets, compute: nodeSet({ isDefault: false }) };
    assert.deepEqual((await read({ night }, sets)).night, {
      nodeSets: ["ALL"],
      isDefault: true,
      parameters: {
        State: "DRAIN",
        MaxTime: "1-12:00:00",
        PriorityTier: "10",
        AllowGroups: "a,b",
      },
    });
  });

  const of = (fields: object) => ({ night: { nodeSets: ["gpu"], ...fields } });
  const refusals: [string, unknown, RegExp][] = [
    [
      "an unknown NodeSet",
      of({ nodeSets: ["gpu", "cpu"] }),
      /partitions\.night\.nodeSets: "cpu" .* \(compute, gpu\) or ALL/,
    ],
    ["no NodeSet", of({ nodeSets: [] }), /night\.nodeSets: \[\] .* at least one/],
    ["ALL and another", of({ nodeSets: ["ALL", "gpu"] }), /allowed: \[ALL\] alone/],
    [
      "two defaults",
      of({ default: true }),
      /partitions: nodeSets\.compute and partitions\.night are both default; allowed: one/,
    ],
    ["the name of a NodeSet's", { GPU: of({}).night }, /partitions\.GPU: is a partition of Node/],
    ["the name all", { all: of({}).night }, /partitions\.all: /],
    ["an unknown state", of({ state: "up" }), /night\.state: "up" .*UP, DOWN/],
    ["a time that is none", of({ maxTime: "1 day" }), /night\.maxTime: "1 day"/],
    ["extra that has a field", of({ extra: { Nodes: "x" } }), /extra\.Nodes: is set by nodeSets/],
    ["an unknown field", of({ maxtime: 5 }), /night\.maxtime: .*"maxTime"/],
    ["a partition that is a text", { night: "gpu" }, /partitions\.night: "gpu"/],
  ];
  for (const [situation, partitions, message] of refusals) {
    it(`${situation} => refused`, () => assert.rejects(read(partitions), message));
  }
});
