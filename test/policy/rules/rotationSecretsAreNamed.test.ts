import { rotationType } from "../../../policy/reading/rotations.ts";
import { rotationSecretsAreNamed } from "../../../policy/rules/rotationSecretsAreNamed.ts";
import { itJudges } from "../../support/policyCases.ts";

const option = "the option additionalSecretOutputs";

describe("rotation-secrets-are-named", () => {
  itJudges(rotationSecretsAreNamed("mandatory"), [
    [
      "both, and more => passes",
      { type: rotationType, secretOutputs: ["root", "more", "kubeconfig"] },
      [],
    ],
    ["none => told of both", { type: rotationType }, [`${option} lacks kubeconfig and root.`]],
    [
      "one missing => told of it",
      { type: rotationType, secretOutputs: ["root"] },
      [`${option} lacks kubeconfig.`],
    ],
    [
      "another case => told",
      { type: rotationType, secretOutputs: ["Root", "kubeconfig"] },
      [option],
    ],
    ["any other resource => passes", { type: "random:index/randomBytes:RandomBytes" }, []],
  ]);
});
