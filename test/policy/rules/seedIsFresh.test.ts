import { rotationType } from "../../../policy/reading/rotations.ts";
import { seedIsFresh } from "../../../policy/rules/seedIsFresh.ts";
import { itJudgesStacks } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

describe("seed-is-fresh", () => {
  const serving = (servedSeed: unknown, earlierSeeds: unknown) => [
    { type: rotationType, name: "key", props: { servedSeed, earlierSeeds } },
  ];

  itJudgesStacks(seedIsFresh("advisory"), [
    [
      "a new seed => passes",
      serving("the third season", ["the first season", "the second season"]),
      [],
    ],
    [
      "a seed that served two rotations ago => told",
      serving("the first season", ["the first season", "the second season"]),
      ["key: servedSeed has served before"],
    ],
    ["another case, which is another key => passes", serving("Spring", ["spring"]), []],
    ["no history => passes", serving("spring", undefined), []],
    ["history or seed not known yet => pass", serving(unknown, ["spring", unknown]), []],
    [
      "any other resource => passes",
      [{ type: "any:any:Any", props: { servedSeed: "a", earlierSeeds: ["a"] } }],
      [],
    ],
  ]);
});
