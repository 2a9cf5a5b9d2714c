import { createProgress } from "../progress.ts";
import { openChosenStack } from "./chosenStack.ts";
import { runCommand } from "./commandLine.ts";
import { recoverStack } from "./recovery.ts";

await runCommand({
  usage: "npm run recover -- [--stack NAME]: clears what an interrupted run left in its own way",
  options: {},
  async run(options) {
    const progress = createProgress();
    const open = await openChosenStack(options, progress);
    await recoverStack(open, progress);
    console.log(`the stack ${open.name} is ready for: npm run up`);
    return 0;
  },
});
