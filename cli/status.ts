import { createProgress } from "../progress.ts";
import { openChosenStack, outputsOf } from "./chosenStack.ts";
import { runCommand } from "./commandLine.ts";
import { observeStatus } from "./statusObservation.ts";
import { renderStatus, toStatusReport } from "./statusReport.ts";

await runCommand({
  usage:
    "npm run status -- [--stack NAME] [--json]: pods, versions, Slurm nodes and the key of every " +
    "holder; ends with 1 when something is wrong",
  options: { json: "boolean" },
  async run(options) {
    const progress = createProgress();
    const open = await openChosenStack(options, progress);
    const outputs = await outputsOf(open);
    const report = toStatusReport(await observeStatus(open.name, outputs));
    if (options["json"] === true) console.log(JSON.stringify(report, undefined, 2));
    else for (const line of renderStatus(report)) console.log(line);
    return report.problems.length === 0 ? 0 : 1;
  },
});
