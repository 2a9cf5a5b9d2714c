import { oneRotationPerCluster } from "../../../policy/rules/oneRotationPerCluster.ts";
import { itJudgesStacks } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";
import { release, rotation } from "../../support/policySlurm.ts";

describe("one-rotation-per-cluster", () => {
  itJudgesStacks(oneRotationPerCluster("mandatory"), [
    ["one => passes", [release(), rotation("key")], []],
    ["none => told", [release()], ["slurm: the auth key has no rotation"]],
    [
      "one in another namespace => told",
      [release(), rotation("key", { namespace: "other" })],
      ["slurm: the auth key has no"],
    ],
    [
      "one for another release => told",
      [release(), rotation("key", { rotation: { release: "other" } })],
      ["slurm: the auth key has no"],
    ],
    [
      "two => told once",
      [release(), rotation("a"), rotation("b")],
      ["slurm: the auth key has 2 rotations: a, b"],
    ],
    [
      "two clusters, one each => passes",
      [
        release(),
        rotation("a"),
        release({ namespace: "second" }, "second"),
        rotation("b", { namespace: "second" }),
      ],
      [],
    ],
    [
      "two of one Secret, the cluster elsewhere => told of the second",
      [rotation("a"), rotation("b")],
      ["b: secretName"],
    ],
    ["one, the cluster elsewhere => passes", [rotation("a")], []],
    ["a namespace not known yet => passes", [release(), rotation("a", { namespace: unknown })], []],
    ["the release's name not known yet => passes", [release({ name: unknown }), rotation("a")], []],
    [
      "slurmctld outside of Kubernetes => passes",
      [release({ values: { controller: { external: true } } })],
      [],
    ],
    [
      "no Slurm => passes",
      [{ type: "kubernetes:helm.sh/v3:Release", props: { chart: "nginx" } }],
      [],
    ],
  ]);
});
