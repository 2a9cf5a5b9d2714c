import type { Progress } from "../progress.ts";
import { textOption } from "./commandLine.ts";
import type { Options } from "./commandLine.ts";
import { chooseStack, machineProbes } from "./stackChoice.ts";
import { toStackOutputs } from "./stackOutputs.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import { openExistingStack, readOutputs } from "./workspace.ts";
import type { OpenStack } from "./workspace.ts";

/** Name of the stack that --stack or the machine chooses; says which and why. */
export async function chosenStackName(options: Options, progress: Progress): Promise<string> {
  const { name, reason } = await chooseStack(textOption(options, "stack"), machineProbes);
  progress.note(`stack ${name} (${reason})`);
  return name;
}

/** Opens the chosen stack; refuses one that was never brought up. */
export async function openChosenStack(options: Options, progress: Progress): Promise<OpenStack> {
  return openExistingStack(await chosenStackName(options, progress), progress);
}

/** What the stack's last update left; secrets in clear, for this process only. */
export async function outputsOf(open: OpenStack): Promise<StackOutputs> {
  return toStackOutputs(open.name, await readOutputs(open));
}
