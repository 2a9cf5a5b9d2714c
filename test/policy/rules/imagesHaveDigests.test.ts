import { imagesHaveDigests } from "../../../policy/rules/imagesHaveDigests.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const digest = `sha256:${"a".repeat(64)}`;

describe("images-have-digests", () => {
  const pod = (stack: string, ...images: unknown[]) => ({
    type: "kubernetes:core/v1:Pod",
    stack,
    props: { spec: { containers: images.map((image) => ({ image })) } },
  });
  const of = (image: unknown) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart: "any", values: { image } },
  });

  itJudges(imagesHaveDigests("advisory"), [
    ["a digest => passes", pod("prod", `a:1@${digest}`), []],
    ["a tag => told", pod("prod", "a:1"), ["spec.containers[0].image"]],
    [
      "several without => told once, with all of them",
      pod("prod", "a:1", `b@${digest}`, "c"),
      ["spec.containers[0].image, spec.containers[2].image"],
    ],
    ["not known yet => passes", pod("prod", unknown), []],
    ["a stack of one machine => passes", pod("lab", "lab/slurmd:26.05"), []],
    ["a chart's digest => passes", of({ repository: "a", tag: "1", digest }), []],
    ["a digest behind the tag => passes", of({ repository: "a", tag: `1@${digest}` }), []],
    ["a chart's tag => told", of({ repository: "a", tag: "1" }), ["values.image"]],
    ["an image left to the chart => passes", of({ pullPolicy: "Always" }), []],
  ]);

  describe("with exceptions of one's own", () => {
    itJudges(imagesHaveDigests("advisory", { exceptStacks: ["prod"] }), [
      ["an excepted stack => passes", pod("prod", "a:1"), []],
      ["lab, not excepted any more => told", pod("lab", "a:1"), ["spec.containers[0].image"]],
    ]);
  });
});
