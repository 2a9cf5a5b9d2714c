import { main } from "@pulumi/pulumi/provider/index.js";
import { engineLog } from "../wire/engineLog.ts";
import { CommandProvider } from "./commandProvider.ts";
import { CommandRunner } from "./commandRunner.ts";

/** Longer than any step of the stack; the engine's customTimeouts do not reach a Node provider. */
const COMMAND_DEADLINE_MS = 3_600_000;

/** The engine kills a plugin 5 s after this signal, so the commands get less. */
const SIGNAL_GRACE_MS = 3_000;

const args = process.argv.slice(2);
// The engine puts its own address behind all flags.
const runner = new CommandRunner(engineLog(args.at(-1)), COMMAND_DEADLINE_MS);

// Commands run in process groups of their own and would outlive the plugin.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void runner.cancel(SIGNAL_GRACE_MS).finally(() => process.exit(0));
  });
}

await main(new CommandProvider(runner), args);
