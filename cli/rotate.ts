import { createProgress } from "../progress.ts";
import { openChosenStack, outputsOf } from "./chosenStack.ts";
import { runCommand, textOption, UsageError } from "./commandLine.ts";
import { rotateTo } from "./rotateTo.ts";
import { freshSeed } from "./seedChoice.ts";

await runCommand({
  usage:
    "npm run rotate -- [--stack NAME] [--seed TEXT]: swaps the auth key for the one of another seed, " +
    "by default one that was never used",
  options: { seed: "string" },
  async run(options) {
    const progress = createProgress();
    const open = await openChosenStack(options, progress);
    const { keyRotation } = await outputsOf(open);
    const given = textOption(options, "seed");
    if (given === open.settings.keySeed) {
      throw new UsageError(`keySeed is "${given}" already; npm run up makes the cluster follow it`);
    }
    const seed = given ?? freshSeed((keyRotation.generation ?? 1) + 1, new Date());
    return rotateTo(open, seed, progress);
  },
});
