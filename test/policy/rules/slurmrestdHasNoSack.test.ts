import { slurmrestdHasNoSack } from "../../../policy/rules/slurmrestdHasNoSack.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const ring = { name: "SLURM_SACK_JWKS", value: "/etc/slurm-ring/slurm.jwks" };

describe("slurmrestd-has-no-sack", () => {
  const of = (values: unknown) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart: "slurm", values },
  });

  itJudges(slurmrestdHasNoSack("mandatory"), [
    [
      "the ring in slurmctld and slurmd => passes",
      of({
        controller: { slurmctld: { env: [ring] } },
        nodesets: { a: { slurmd: { env: [ring] } } },
        restapi: { slurmrestd: { env: [{ name: "SLURM_JWT", value: "daemon" }] } },
      }),
      [],
    ],
    [
      "the ring in slurmrestd => told",
      of({ restapi: { slurmrestd: { env: [{ name: "A" }, ring] } } }),
      ["values.restapi.slurmrestd.env[1].name"],
    ],
    [
      "the key's path => told",
      of({ restapi: { slurmrestd: { env: [{ name: "SLURM_SACK_KEY" }] } } }),
      ["values.restapi.slurmrestd.env[0].name"],
    ],
    [
      "another case => told",
      of({ restapi: { slurmrestd: { env: [{ name: "slurm_sack_jwks" }] } } }),
      ["values.restapi.slurmrestd.env[0].name"],
    ],
    [
      "a map of variables => told",
      of({ restapi: { slurmrestd: { env: { SLURM_SACK_JWKS: unknown } } } }),
      ["values.restapi.slurmrestd.env.SLURM_SACK_JWKS"],
    ],
    [
      "a container in the pod's spec => told",
      of({ restapi: { podSpec: { initContainers: [{ env: [ring] }] } } }),
      ["values.restapi.podSpec.initContainers[0].env[0].name"],
    ],
    [
      "names not known yet => pass",
      of({ restapi: { slurmrestd: { env: [{ name: unknown }, unknown] } } }),
      [],
    ],
    ["no restapi => passes", of({}), []],
    [
      "a RestApi => told",
      {
        type: "kubernetes:slinky.slurm.net/v1beta1:RestApi",
        props: { spec: { slurmrestd: { env: [ring] } } },
      },
      ["spec.slurmrestd.env[0].name"],
    ],
    [
      "a NodeSet => passes",
      {
        type: "kubernetes:slinky.slurm.net/v1beta1:NodeSet",
        props: { spec: { slurmd: { env: [ring] } } },
      },
      [],
    ],
    [
      "a Deployment of one's own => told of the container that is slurmrestd by name or image",
      {
        type: "kubernetes:apps/v1:Deployment",
        props: {
          spec: {
            template: {
              spec: {
                containers: [
                  { name: "slurmrestd", image: "a/b:1", env: [ring] },
                  { name: "other", image: "registry.test/slinky/slurmrestd:26.05", env: [ring] },
                  { name: "sackd", image: "registry.test/slinky/login:26.05", env: [ring] },
                ],
              },
            },
          },
        },
      },
      [
        "spec.template.spec.containers[0].env[0].name",
        "spec.template.spec.containers[1].env[0].name",
      ],
    ],
    [
      "a List of pods => told of the item",
      {
        type: "kubernetes:core/v1:PodList",
        props: { items: [{ spec: { containers: [{ name: "slurmrestd", env: [ring] }] } }] },
      },
      ["items[0].spec.containers[0].env[0].name"],
    ],
  ]);
});
