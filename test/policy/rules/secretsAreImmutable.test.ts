import { secretsAreImmutable } from "../../../policy/rules/secretsAreImmutable.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const secret = "kubernetes:core/v1:Secret";
const token = { type: "kubernetes.io/service-account-token" };

describe("secrets-are-immutable", () => {
  itJudges(secretsAreImmutable("mandatory"), [
    ["immutable => passes", { type: secret, props: { immutable: true } }, []],
    ["without the flag => told", { type: secret, props: { data: { a: "Yg==" } } }, ["immutable"]],
    ["immutable: false => told", { type: secret, props: { immutable: false } }, ["immutable"]],
    ["as a word => told", { type: secret, props: { immutable: "true" } }, ["immutable"]],
    [
      "as a key of another case => told",
      { type: secret, props: { Immutable: true } },
      ["immutable"],
    ],
    ["null => told", { type: secret, props: { immutable: null } }, ["immutable"]],
    ["the type in another case => told", { type: "kubernetes:core/v1:secret" }, ["immutable"]],
    ["unknown in a preview => passes", { type: secret, props: { immutable: unknown } }, []],
    ["another kind => passes", { type: "kubernetes:core/v1:ConfigMap" }, []],
    ["a Secret of another group => passes", { type: "kubernetes:example.com/v1:Secret" }, []],
    [
      "a Patch without the flag => told",
      { type: "kubernetes:core/v1:SecretPatch", props: { metadata: { name: "some" } } },
      ["immutable"],
    ],
    [
      "a Patch with the flag => passes",
      { type: "kubernetes:core/v1:SecretPatch", props: { immutable: true } },
      [],
    ],
    [
      "a List => told of each item that lacks the flag",
      {
        type: "kubernetes:core/v1:SecretList",
        props: { items: [{ immutable: true }, { data: { a: "Yg==" } }, { immutable: false }] },
      },
      ["items[1].immutable", "items[2].immutable"],
    ],
    [
      "a List of several kinds => told of the Secret",
      {
        type: "kubernetes:core/v1:List",
        props: {
          items: [
            { apiVersion: "v1", kind: "ConfigMap" },
            { apiVersion: "v1", kind: "Secret" },
            { apiVersion: "example.com/v1", kind: "Secret" },
          ],
        },
      },
      ["items[1].immutable"],
    ],
    [
      "an unknown List, an unknown item => passes",
      { type: "kubernetes:core/v1:SecretList", props: { items: [unknown] } },
      [],
    ],
    ["a token that the cluster fills => passes", { type: secret, props: token }, []],
    [
      "a token with data of its own => told",
      { type: secret, props: { ...token, stringData: { token: "the bytes of a token" } } },
      ["immutable"],
    ],
  ]);
});
