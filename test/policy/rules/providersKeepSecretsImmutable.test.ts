import { providersKeepSecretsImmutable } from "../../../policy/rules/providersKeepSecretsImmutable.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const provider = "pulumi:providers:kubernetes";

describe("providers-keep-secrets-immutable", () => {
  itJudges(providersKeepSecretsImmutable("mandatory"), [
    [
      "true => told",
      { type: provider, props: { enableSecretMutable: true } },
      ["enableSecretMutable"],
    ],
    [
      "true as the text that settings travel as => told",
      { type: provider, props: { enableSecretMutable: "true" } },
      ["enableSecretMutable"],
    ],
    [
      "TRUE => told",
      { type: provider, props: { enableSecretMutable: "TRUE" } },
      ["enableSecretMutable"],
    ],
    [
      "another case => told",
      { type: provider, props: { enablesecretmutable: true } },
      ["enablesecretmutable"],
    ],
    ["false => passes", { type: provider, props: { enableSecretMutable: "false" } }, []],
    ["absent => passes", { type: provider, props: { context: "kind-slinky" } }, []],
    ["not known => passes", { type: provider, props: { enableSecretMutable: unknown } }, []],
    [
      "another provider => passes",
      { type: "pulumi:providers:aws", props: { enableSecretMutable: true } },
      [],
    ],
  ]);
});
