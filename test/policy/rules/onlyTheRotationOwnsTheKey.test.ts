import { onlyTheRotationOwnsTheKey } from "../../../policy/rules/onlyTheRotationOwnsTheKey.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const secret = "kubernetes:core/v1:Secret";
const named = (name: unknown) => ({ type: secret, props: { metadata: { name } } });

describe("only-the-rotation-owns-the-key", () => {
  itJudges(onlyTheRotationOwnsTheKey("mandatory"), [
    ["the auth key's name => told", named("slurm-auth"), ["metadata.name"]],
    ["a staged key's name => told", named("slurm-auth-0123456789ab"), ["metadata.name"]],
    ["the JWT key's name => told", named("slurm-jwt"), ["metadata.name"]],
    ["a name in capitals => told", named("Slurm-Auth"), ["metadata.name"]],
    ["a name that only begins like it => passes", named("slurm-auth-proxy"), []],
    ["a name not known yet => passes", named(unknown), []],
    ["no name => passes", { type: secret, props: { data: { password: "eA==" } } }, []],
    [
      "entries of a key => told of each",
      {
        type: secret,
        props: {
          metadata: { name: "mine" },
          data: { "slurm.key": "eA==", password: "eA==" },
          stringData: { "Slurm.JWKS": "x", "jwt.key": unknown },
        },
      },
      ['data["slurm.key"]', 'stringData["Slurm.JWKS"]', 'stringData["jwt.key"]'],
    ],
    [
      "a ConfigMap => told of its entries, whatever its name",
      {
        type: "kubernetes:core/v1:ConfigMap",
        props: { metadata: { name: "slurm-auth" }, data: { "slurm.key": "x" } },
      },
      ['data["slurm.key"]'],
    ],
    [
      "a Patch => told",
      { type: "kubernetes:core/v1:SecretPatch", props: { metadata: { name: "slurm-auth" } } },
      ["metadata.name"],
    ],
    [
      "a List => told of the item",
      {
        type: "kubernetes:core/v1:SecretList",
        props: { items: [{ metadata: { name: "other" } }, { data: { "jwt.key": "eA==" } }] },
      },
      ['items[1].data["jwt.key"]'],
    ],
    [
      "an ExternalSecret that makes the key's Secret => told",
      {
        type: "kubernetes:external-secrets.io/v1:ExternalSecret",
        props: {
          metadata: { name: "from-the-vault" },
          spec: { target: { name: "slurm-auth" }, data: [{ secretKey: "slurm.key" }] },
        },
      },
      ["spec.target.name", "spec.data[0].secretKey"],
    ],
    [
      "a SealedSecret with a key's entry => told",
      {
        type: "kubernetes:bitnami.com/v1alpha1:SealedSecret",
        props: { metadata: { name: "sealed" }, spec: { encryptedData: { "slurm.key": "AgBy" } } },
      },
      ['spec.encryptedData["slurm.key"]'],
    ],
    [
      "a Certificate into the key's Secret => told",
      {
        type: "kubernetes:cert-manager.io/v1:Certificate",
        props: { metadata: { name: "slurm-auth" }, spec: { secretName: "slurm-jwt" } },
      },
      ["spec.secretName"],
    ],
    [
      "the rotation itself => passes",
      {
        type: "pulumi-nodejs:dynamic/rotation:AuthKeyRotation",
        props: { secretName: "slurm-auth", dataKey: "slurm.key" },
      },
      [],
    ],
    [
      "a pod that mounts the key => passes",
      {
        type: "kubernetes:core/v1:Pod",
        props: { spec: { volumes: [{ secret: { secretName: "slurm-auth" } }] } },
      },
      [],
    ],
  ]);
});
