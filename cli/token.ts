import { makeToken } from "../cluster/slurmRest.ts";
import { createProgress } from "../progress.ts";
import { openChosenStack, outputsOf } from "./chosenStack.ts";
import { positiveNumber, runCommand, textOption, UsageError } from "./commandLine.ts";
import { connectKube } from "./kube.ts";
import { runInController } from "./slurmPods.ts";

/** Seconds a token is good for unless told otherwise. */
const DEFAULT_SECONDS = 900;

await runCommand({
  usage:
    "npm run -s token -- --user USER [--seconds N] [--stack NAME]: prints a token for Slurm's REST API, " +
    "good for N seconds (900); whoever has it is USER",
  options: { user: "string", seconds: "string" },
  async run(options) {
    const user = textOption(options, "user");
    if (user === undefined || !/^[a-z_][-a-z0-9_.]{0,31}$/i.test(user)) {
      throw new UsageError("--user takes the name of a user");
    }
    const seconds = positiveNumber(options, "seconds") ?? DEFAULT_SECONDS;
    const outputs = await outputsOf(await openChosenStack(options, createProgress()));
    const kube = await connectKube(outputs.kubeconfig, outputs.context);
    const run = runInController(kube, outputs.slurmNamespace);
    console.log(await makeToken(run, user, seconds));
    return 0;
  },
});
