import { strict as assert } from "node:assert";
import { nodeConfLine } from "../../../lab/operator/builders/nodeConf.ts";

describe("slurmd's --conf line", () => {
  for (const [situation, extra, line] of [
    ["no extra configuration => the NodeSet as feature", undefined, "Features=debug"],
    ["features of the user => beside the NodeSet's", "Features=small", "Features=debug,small"],
    ["Feature without s => the same", "Feature=a,b Weight=2", "Features=debug,a,b Weight=2"],
    [
      "other keys => capitalized and in order",
      "weight=2 Gres=gpu:1",
      "Features=debug Gres=gpu:1 Weight=2",
    ],
  ] as const) {
    it(situation, () => {
      assert.equal(nodeConfLine("debug", extra), line);
    });
  }

  it("an item without a value => an error that names it", () => {
    assert.throws(() => nodeConfLine("debug", "Weight"), /Weight is no Key=value/);
  });
});
