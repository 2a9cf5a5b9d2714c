import { rotationType } from "../../../policy/reading/rotations.ts";
import { rotationIsProtected } from "../../../policy/rules/rotationIsProtected.ts";
import { itJudges } from "../../support/policyCases.ts";

describe("rotation-is-protected", () => {
  itJudges(rotationIsProtected("mandatory"), [
    ["protected => passes", { type: rotationType, protect: true }, []],
    [
      "not protected => told",
      { type: rotationType, props: { keySeed: "a" } },
      ["the option protect"],
    ],
    ["any other resource => passes", { type: "kubernetes:core/v1:Secret" }, []],
  ]);
});
