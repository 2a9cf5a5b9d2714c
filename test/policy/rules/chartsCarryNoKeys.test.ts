import { chartsCarryNoKeys } from "../../../policy/rules/chartsCarryNoKeys.ts";
import { itJudges } from "../../support/policyCases.ts";
import { certificate, privateKey, randomKey } from "../../support/policyKeys.ts";
import { unknown } from "../../support/policyServer.ts";

const key = randomKey(1024);

describe("charts-carry-no-keys", () => {
  const of = (values: unknown, chart = "slurm-1.2.1.tgz") => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart, values },
  });

  itJudges(chartsCarryNoKeys("mandatory"), [
    [
      "references to keys, certificates and public keys => pass",
      of({
        slurmKey: { create: false, secretRef: { name: "slurm-auth", key: "slurm.key" } },
        configFiles: { "ca.pem": certificate },
        loginsets: {
          login: { rootSshAuthorizedKeys: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDg me" },
        },
      }),
      [],
    ],
    [
      "a key among the files => told",
      of({ configFiles: { "slurm.key": "x" } }),
      ['values.configFiles["slurm.key"]'],
    ],
    [
      "in another case => told",
      of({ configFiles: { "JWT.key": "x" } }),
      ['values.configFiles["JWT.key"]'],
    ],
    [
      "a file not known yet => told by its name",
      of({ configFiles: { "slurm.key": unknown } }),
      ['values.configFiles["slurm.key"]'],
    ],
    ["random bytes deep inside => told", of({ a: { b: [{ c: key }] } }), ["values.a.b[0].c"]],
    [
      "in hex => told",
      of({ a: Buffer.from(randomKey(64), "base64").toString("hex") }),
      ["values.a"],
    ],
    ["a private key => told", of({ a: privateKey }), ["values.a"]],
    [
      "a private key in base64 => told",
      of({ a: Buffer.from(privateKey).toString("base64") }),
      ["values.a"],
    ],
    ["encoded twice => told", of({ a: Buffer.from(key).toString("base64") }), ["values.a"]],
    [
      "a ring => told",
      of({ a: `{"keys":[{"kty":"oct","kid":"1","k":"${"x".repeat(43)}"}]}` }),
      ["values.a"],
    ],
    [
      "a ring of public keys => passes",
      of({ a: '{"keys":[{"kty":"RSA","n":"abc","e":"AQAB"}]}' }),
      [],
    ],
    ["values not known, or none => pass", of(unknown), []],
    ["no values => pass", of(undefined), []],
    ["another chart => passes", of({ a: key }, "grafana"), []],
  ]);
});
