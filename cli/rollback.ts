import { createProgress } from "../progress.ts";
import { openChosenStack, outputsOf } from "./chosenStack.ts";
import { runCommand } from "./commandLine.ts";
import { rotateTo } from "./rotateTo.ts";
import { seedToGoBackTo } from "./seedChoice.ts";

await runCommand({
  usage:
    "npm run rollback -- [--stack NAME]: swaps the auth key back for the one before, or takes an unfinished " +
    "rotation back",
  options: {},
  async run(options) {
    const progress = createProgress();
    const open = await openChosenStack(options, progress);
    const { servedSeed, previousSeed } = (await outputsOf(open)).keyRotation;
    const seeds = { wanted: open.settings.keySeed, served: servedSeed, previous: previousSeed };
    return rotateTo(open, seedToGoBackTo(seeds), progress);
  },
});
