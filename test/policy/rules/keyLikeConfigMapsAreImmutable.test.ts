import { createHash } from "node:crypto";
import { keyLikeConfigMapsAreImmutable } from "../../../policy/rules/keyLikeConfigMapsAreImmutable.ts";
import { itJudges } from "../../support/policyCases.ts";
import { certificate, privateKey, randomKey } from "../../support/policyKeys.ts";
import { unknown } from "../../support/policyServer.ts";

const configMap = "kubernetes:core/v1:ConfigMap";
const key = randomKey(64);

describe("key-like-config-maps-are-immutable", () => {
  itJudges(keyLikeConfigMapsAreImmutable("mandatory"), [
    ["a key by its name => told", map({ "slurm.key": "anything" }), ['data["slurm.key"]']],
    ["a key by its name in capitals => told", map({ "JWT.KEY": "any" }), ['data["JWT.KEY"]']],
    ["a ring by its name => told", map({ "slurm.jwks": "{}" }), ['data["slurm.jwks"]']],
    ["random bytes => told", map({ some: key }), ["data.some"]],
    ["a private key => told", map({ "tls.pem": privateKey }), ['data["tls.pem"]']],
    [
      "an immutable one => passes",
      { type: configMap, props: { immutable: true, data: { key } } },
      [],
    ],
    [
      "immutable: false => told",
      { type: configMap, props: { immutable: false, data: { key } } },
      ["data.key"],
    ],
    [
      "immutable not known => passes",
      { type: configMap, props: { immutable: unknown, data: { key } } },
      [],
    ],
    ["a value not known => passes", map({ key: unknown }), []],
    ["no data => passes", { type: configMap }, []],
    [
      "what a cluster needs => passes",
      map({
        "ca.crt": certificate,
        caBundle: Buffer.from(certificate).toString("base64"),
        "slurm.conf": "ClusterName=slurm_slurm\nAuthType=auth/slurm\nReturnToService=2\n",
        "prolog.sh": "#!/bin/bash\nexport PATH=/usr/bin:/bin\nlogger started\n",
        checksum: createHash("sha256").update("x").digest("hex"),
        integrity: `sha512-${createHash("sha512").update("x").digest("base64")}`,
        authorized_keys: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDgO12iT3L28abd7j7nQ0f8hoOSdjHbpBmMdzHYec/OC me`,
        path: "/usr/share/Applications/KubernetesDashboard/Assets9/Index12",
        name: "ThisIsTheLongCamelCaseNameOfSomethingNumbered12",
        empty: "",
      }),
      [],
    ],
    [
      "a binary entry => told of random bytes, not of an archive",
      {
        type: configMap,
        props: {
          binaryData: {
            key,
            "site.tgz": Buffer.concat([Buffer.from("1f8b0800", "hex"), Buffer.from(key)]).toString(
              "base64",
            ),
          },
        },
      },
      ["binaryData.key"],
    ],
    [
      "a Patch => told",
      { type: "kubernetes:core/v1:ConfigMapPatch", props: { data: { key } } },
      ["data.key"],
    ],
    [
      "a List => told of each item",
      {
        type: "kubernetes:core/v1:ConfigMapList",
        props: {
          items: [{ data: { a: "b" } }, { data: { key } }, { immutable: true, data: { key } }],
        },
      },
      ["items[1].data.key"],
    ],
    [
      "a Secret => another rule's",
      { type: "kubernetes:core/v1:Secret", props: { data: { key } } },
      [],
    ],
  ]);
});

function map(data: object) {
  return { type: configMap, props: { data } };
}
