import { chartsArePinned } from "../../../policy/rules/chartsArePinned.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const upstream = "oci://registry.test/charts/any";

describe("charts-are-pinned", () => {
  const of = (version: unknown, chart: unknown = upstream) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart, version },
  });

  itJudges(chartsArePinned("mandatory"), [
    ["an exact version => passes", of("1.2.1"), []],
    ["with v, pre-release and build => passes", of("v1.21.2-rc.1+build.5"), []],
    ["none => told", of(undefined), ["version is not set"]],
    ["an empty one, as the provider writes it => told", of(""), ["version is not set"]],
    ["null => told", of(null), ["version is not set"]],
    ["a caret range => told", of("^1.2.1"), ["version is a range"]],
    ["a comparison => told", of(">=1.2.1"), ["version is a range"]],
    ["a wildcard => told", of("1.2.x"), ["version is a range"]],
    ["two numbers => told", of("1.2"), ["version is a range"]],
    ["latest in any case => told", of("Latest"), ["version is a range"]],
    ["not known yet => passes", of(unknown), []],
    ["the chart not known yet => passes", of(undefined, unknown), []],
    ["from a repository => told", of(undefined, "nginx"), ["version is not set"]],
    ["an archive => passes", of(undefined, "/bundle/charts/slurm-1.2.1.tgz"), []],
    ["a folder => passes", of(undefined, "./charts/own"), []],
    ["a digest => passes", of(undefined, `${upstream}@sha256:abc`), []],
    [
      "rendered by Pulumi => told",
      { type: "kubernetes:helm.sh/v4:Chart", props: { chart: upstream } },
      ["version"],
    ],
    ["no chart at all => passes", { type: "kubernetes:core/v1:Namespace" }, []],
  ]);
});
