import { strict as assert } from "node:assert";

import { chooseStack } from "../../cli/stackChoice.ts";
import type { StackProbes } from "../../cli/stackChoice.ts";

const laptop: StackProbes = {
  environment: {},
  platform: "darwin",
  isRoot: false,
  dockerAnswers: () => Promise.resolve(true),
  pulumiFound: () => Promise.resolve(true),
  registryAnswers: () => Promise.resolve(true),
};
const no = () => Promise.resolve(false);
const bare = { ...laptop, platform: "linux", isRoot: true, pulumiFound: no };

describe("chooseStack", () => {
  const rows: readonly (readonly [string, string | undefined, StackProbes, string, RegExp])[] = [
    [
      "--stack wins over everything",
      "prod",
      { ...bare, environment: { SLINKY_STACK: "e2e" } },
      "prod",
      /--stack/,
    ],
    [
      "SLINKY_STACK wins over what is found",
      undefined,
      { ...laptop, environment: { SLINKY_STACK: "e2e" } },
      "e2e",
      /SLINKY_STACK/,
    ],
    ["a laptop with all of it", undefined, laptop, "dev", /at hand/],
    ["Linux, root, no Pulumi CLI", undefined, bare, "lab", /no Pulumi CLI/],
    [
      "Linux, root, no Docker",
      undefined,
      { ...bare, pulumiFound: laptop.pulumiFound, dockerAnswers: no },
      "lab",
      /no Docker/,
    ],
    [
      "Linux, root, no registry",
      undefined,
      { ...bare, pulumiFound: laptop.pulumiFound, registryAnswers: no },
      "lab",
      /registry/,
    ],
    [
      "the lab's environment is loaded",
      undefined,
      { ...bare, pulumiFound: laptop.pulumiFound, environment: { SLINKY_LAB_BUNDLE: "/b" } },
      "lab",
      /SLINKY_LAB_BUNDLE/,
    ],
    [
      "Linux, root, all of it",
      undefined,
      { ...bare, pulumiFound: laptop.pulumiFound },
      "dev",
      /at hand/,
    ],
  ];
  for (const [situation, option, probes, name, reason] of rows) {
    it(`${situation} => ${name}`, async () => {
      const choice = await chooseStack(option, probes);
      assert.equal(choice.name, name);
      assert.match(choice.reason, reason);
    });
  }

  it("neither fits => an error that says what is missing and how to go on", async () => {
    const probes = { ...laptop, dockerAnswers: no };
    await assert.rejects(
      chooseStack(undefined, probes),
      /no Docker engine answers; lab needs Linux and root.*--stack/,
    );
  });

  it("a stack that is named => nothing is probed", async () => {
    const broken = () => Promise.reject(new Error("probed"));
    const probes = {
      ...laptop,
      dockerAnswers: broken,
      pulumiFound: broken,
      registryAnswers: broken,
    };
    assert.equal((await chooseStack("dev", probes)).name, "dev");
  });
});
