import { outputsHoldNoKeys } from "../../../policy/rules/outputsHoldNoKeys.ts";
import { itJudgesStacks } from "../../support/policyCases.ts";
import { certificate, privateKey, randomKey } from "../../support/policyKeys.ts";
import { unknown } from "../../support/policyServer.ts";

const key = randomKey(64);
const kubeconfig = [
  "apiVersion: v1",
  "clusters: [{ name: kind-slinky, cluster: { server: 'https://127.0.0.1:6443' } }]",
  `users: [{ name: kind-slinky, user: { client-key-data: ${Buffer.from(privateKey).toString("base64")} } }]`,
].join("\n");

describe("outputs-hold-no-keys", () => {
  const stack = (props: object) => [{ type: "pulumi:pulumi:Stack", name: "project-prod", props }];
  const told = (output: string) => [`project-prod: output ${output} looks like a key`];

  itJudgesStacks(outputsHoldNoKeys("mandatory"), [
    [
      "what the program exports => passes",
      stack({
        kubeconfig,
        keyFingerprint: "aaaaaaaaaaaa",
        clusterIdentity: "3f1d5f0e-6a0b-4a57-9a63-2f6f0e1f7c11",
        ca: certificate,
        versions: { charts: { slurm: { chart: "oci://registry.test/slurm", version: "1.2.1" } } },
      }),
      [],
    ],
    ["a key => told", stack({ authKey: key }), told("authKey")],
    ["a key deep inside => told", stack({ keys: [{ bytes: key }] }), told("keys[0].bytes")],
    ["in hex => told", stack({ root: Buffer.from(key, "base64").toString("hex") }), told("root")],
    [
      "in base64 for addresses => told",
      stack({ root: Buffer.from(key, "base64").toString("base64url") }),
      told("root"),
    ],
    ["a private key => told", stack({ ssh: privateKey }), told("ssh")],
    [
      "a checksum => passes",
      stack({ sum: Buffer.from(key, "base64").toString("hex").slice(0, 64) }),
      [],
    ],
    ["not known yet => passes", stack({ authKey: unknown }), []],
    [
      "a component's output => told",
      [{ type: "slinky-stack:components:SlurmCluster", name: "slurm", props: { key } }],
      ["slurm: output key"],
    ],
    [
      "a resource that makes random bytes => passes: the engine keeps those secret",
      [{ type: "random:index/randomBytes:RandomBytes", props: { base64: key } }],
      [],
    ],
  ]);
});
