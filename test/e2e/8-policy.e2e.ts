import { strict as assert } from "node:assert";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../lab/paths.ts";
import { openLab, pulumi } from "./support/lab.ts";
import { bringUpForRotations } from "./support/rotations.ts";

const pack = ["--policy-pack", join(projectFolder, "policy", "run-pack")];
const configFile = join(projectFolder, ".slinky", "e2e-policy.json");

describe("policy pack", () => {
  before(async () => {
    await openLab();
    await bringUpForRotations();
  });

  it("the whole stack => no violation, and nothing to change", async () => {
    const { code, all, seconds } = await pulumi(["preview", "--expect-no-changes", ...pack]);
    assert.equal(code, 0, all);
    assert.match(all, /slinky-stack/);
    assert.doesNotMatch(all, /\[mandatory\]|\[advisory\]/);
    const without = await pulumi(["preview", "--expect-no-changes"]);
    console.log(
      `      preview ${seconds.toFixed(1)} s with the pack, ${without.seconds.toFixed(1)} s without`,
    );
  });

  it("a stack that may not use KinD => the preview is blocked, with what, why and the fix", async () => {
    writeFileSync(configFile, JSON.stringify({ "kind-only-where-allowed": { stacks: ["dev"] } }));
    const words = ["preview", ...pack, "--policy-pack-config", configFile];
    const { code, all } = await pulumi(words);
    assert.notEqual(code, 0);
    assert.match(all, /kind-only-where-allowed/);
    assert.match(all, /mandatory/);
  });
});
