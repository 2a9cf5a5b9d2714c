import { chartsCreateNoKeys } from "../../../policy/rules/chartsCreateNoKeys.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const release = "kubernetes:helm.sh/v3:Release";
const both = ["values.slurmKey.create", "values.jwtKey.create"];
const sound = { slurmKey: { create: false }, jwtKey: { create: false } };
const upstream = "oci://registry.test/charts/slurm";

describe("charts-create-no-keys", () => {
  const of = (values: unknown, chart = upstream) => ({ type: release, props: { chart, values } });

  itJudges(chartsCreateNoKeys("mandatory"), [
    ["an archive that makes no key => passes", of(sound, "/bundle/charts/slurm-1.2.1.tgz"), []],
    ["no values => told of both", { type: release, props: { chart: upstream } }, both],
    ["one left to the chart => told of it", of({ slurmKey: { create: false } }), [both[1] ?? ""]],
    ["true => told", of({ ...sound, slurmKey: { create: true } }), [both[0] ?? ""]],
    ["false as a word => told", of({ ...sound, slurmKey: { create: "false" } }), [both[0] ?? ""]],
    [
      "null, which is the chart's default => told",
      of({ ...sound, jwtKey: { create: null } }),
      [both[1] ?? ""],
    ],
    [
      "another case => told",
      of({ slurmkey: sound.slurmKey, jwtKey: sound.jwtKey }),
      [both[0] ?? ""],
    ],
    ["values not known yet => pass", of(unknown), []],
    ["one key not known yet => told of the other", of({ slurmKey: unknown }), [both[1] ?? ""]],
    ["the chart not known yet => passes", of({}, unknown as string), []],
    ["with tag and digest => told", of({}, `${upstream}:1.2.1@sha256:abc`), both],
    ["from a folder => told", of({}, "./charts/slurm/"), both],
    [
      "rendered by Pulumi => told",
      { type: "kubernetes:helm.sh/v4:Chart", props: { chart: "slurm" } },
      both,
    ],
    ["the operator's chart => passes", of({}, "oci://registry.test/charts/slurm-operator"), []],
    ["the operator's archive => passes", of({}, "slurm-operator-1.2.1.tgz"), []],
    ["another chart => passes", of({}, "notslurm"), []],
  ]);
});
