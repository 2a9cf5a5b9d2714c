import { createInterface } from "node:readline/promises";

import { createProgress } from "../progress.ts";
import { chosenStackName } from "./chosenStack.ts";
import { runCommand } from "./commandLine.ts";
import { removeStackResources } from "./removal.ts";
import { readStackSettings } from "./stackSettings.ts";
import { openStack, prepareEnvironment } from "./workspace.ts";

await runCommand({
  usage:
    "npm run down -- [--stack NAME] [--yes] [--remove-stack]: removes everything the stack made; " +
    "--remove-stack removes the stack itself from the backend too",
  options: { "remove-stack": "boolean" },
  async run(options) {
    const progress = createProgress();
    const name = await chosenStackName(options, progress);
    if (options["yes"] !== true && process.stdin.isTTY && !(await confirmed(name))) {
      console.log("nothing was removed");
      return 1;
    }
    const settings = await readStackSettings(name);
    await prepareEnvironment(settings, progress);
    const open = await openStack(name, settings, false);
    if (open === undefined) {
      console.log(`the stack ${name} does not exist: nothing to remove`);
    } else {
      console.log(await removeStackResources(open, progress));
      if (options["remove-stack"] === true)
        await open.stack.workspace.removeStack(name, { preserveConfig: true });
    }
    if (settings.bundle === "lab") {
      const { stopLab } = await import("../lab/launch.ts");
      await stopLab(progress);
    }
    return 0;
  },
});

async function confirmed(name: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      `This removes everything the stack ${name} made, keys and jobs included. Type its name to go on: `,
    );
    return answer.trim() === name;
  } finally {
    terminal.close();
  }
}
