import { createProgress } from "../progress.ts";
import { runCommand, textOption } from "./commandLine.ts";
import { rotateTo } from "./rotateTo.ts";
import { seedToGoBackTo } from "./seedChoice.ts";
import { chooseStack, machineProbes } from "./stackChoice.ts";
import { toStackOutputs } from "./stackOutputs.ts";
import { openExistingStack, readOutputs } from "./workspace.ts";

await runCommand({
  usage:
    "npm run rollback -- [--stack NAME]: swaps the auth key back for the one before, or takes an unfinished " +
    "rotation back",
  options: {},
  async run(options) {
    const progress = createProgress();
    const { name, reason } = await chooseStack(textOption(options, "stack"), machineProbes);
    progress.note(`stack ${name} (${reason})`);
    const open = await openExistingStack(name, progress);
    const { servedSeed, previousSeed } = toStackOutputs(name, await readOutputs(open)).keyRotation;
    const seeds = { wanted: open.settings.keySeed, served: servedSeed, previous: previousSeed };
    return rotateTo(open, seedToGoBackTo(seeds), progress);
  },
});
