import { createProgress } from "../progress.ts";
import { openChosenStack, outputsOf } from "./chosenStack.ts";
import { positiveNumber, runCommand, textOption } from "./commandLine.ts";
import { runJobInStack } from "./runJob.ts";

await runCommand({
  usage:
    "npm run job -- [--stack NAME] [--partition NAME] [--nodes N] [--timeout SECONDS]: " +
    "runs a job over all nodes of the default partition and prints its output",
  options: { partition: "string", nodes: "string", timeout: "string" },
  async run(options) {
    const wish = {
      partition: textOption(options, "partition"),
      nodes: positiveNumber(options, "nodes"),
      deadlineSeconds: positiveNumber(options, "timeout") ?? 120,
    };
    const progress = createProgress();
    const open = await openChosenStack(options, progress);
    await runJobInStack(await outputsOf(open), wish, progress);
    return 0;
  },
});
