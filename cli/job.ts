import { createProgress } from "../progress.ts";
import { positiveNumber, runCommand, textOption } from "./commandLine.ts";
import { runJobInStack } from "./runJob.ts";
import { chooseStack, machineProbes } from "./stackChoice.ts";
import { toStackOutputs } from "./stackOutputs.ts";
import { openExistingStack, readOutputs } from "./workspace.ts";

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
    const { name, reason } = await chooseStack(textOption(options, "stack"), machineProbes);
    progress.note(`stack ${name} (${reason})`);
    const open = await openExistingStack(name, progress);
    await runJobInStack(toStackOutputs(name, await readOutputs(open)), wish, progress);
    return 0;
  },
});
