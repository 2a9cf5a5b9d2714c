import { createProgress } from "../progress.ts";
import { runCommand, textOption } from "./commandLine.ts";
import { chooseStack, machineProbes } from "./stackChoice.ts";
import { toStackOutputs } from "./stackOutputs.ts";
import { observeStatus } from "./statusObservation.ts";
import { renderStatus, toStatusReport } from "./statusReport.ts";
import { openExistingStack, readOutputs } from "./workspace.ts";

await runCommand({
  usage:
    "npm run status -- [--stack NAME] [--json]: pods, versions, Slurm nodes and the key of every " +
    "holder; ends with 1 when something is wrong",
  options: { json: "boolean" },
  async run(options) {
    const progress = createProgress();
    const { name, reason } = await chooseStack(textOption(options, "stack"), machineProbes);
    progress.note(`stack ${name} (${reason})`);
    const open = await openExistingStack(name, progress);
    const outputs = toStackOutputs(name, await readOutputs(open));
    const report = toStatusReport(await observeStatus(name, outputs));
    if (options["json"] === true) console.log(JSON.stringify(report, undefined, 2));
    else for (const line of renderStatus(report)) console.log(line);
    return report.problems.length === 0 ? 0 : 1;
  },
});
