import { createProgress } from "../progress.ts";
import { runCommand, textOption } from "./commandLine.ts";
import { recoverStack } from "./recovery.ts";
import { chooseStack, machineProbes } from "./stackChoice.ts";
import { openExistingStack } from "./workspace.ts";

await runCommand({
  usage: "npm run recover -- [--stack NAME]: clears what an interrupted run left in its own way",
  options: {},
  async run(options) {
    const progress = createProgress();
    const { name, reason } = await chooseStack(textOption(options, "stack"), machineProbes);
    progress.note(`stack ${name} (${reason})`);
    const open = await openExistingStack(name, progress);
    await recoverStack(open, progress);
    console.log(`the stack ${name} is ready for: npm run up`);
    return 0;
  },
});
