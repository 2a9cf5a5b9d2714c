/** The stack through Pulumi's Automation API, with the machine's real engine. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";

import type { EngineEvent, OutputMap, Stack } from "@pulumi/pulumi/automation/index.js";

import type { Progress } from "../progress.ts";
import {
  clean,
  initialEngineState,
  onEngineEvent,
  stillRunning,
  summarize,
} from "./engineProgress.ts";
import { runProcess } from "./process.ts";
import { projectFolder, readStackSettings } from "./stackSettings.ts";
import type { StackSettings } from "./stackSettings.ts";
import { dropSalt } from "./stackSalt.ts";

/** A stack that commands can work on. */
export interface OpenStack {
  readonly name: string;
  readonly settings: StackSettings;
  readonly stack: Stack;
}

/** CrossGuard pack that every `up` obeys, started as an executable, which old and new engines do alike. */
const policyPack = join(projectFolder, "policy", "run-pack");

/** Seconds between two lines about operations that take long. */
const STILL_SECONDS = 30;

/**
 * Puts the environment in place in which Pulumi, its plugins, kind and Docker work: the lab's own for a stack whose
 * bundle is `lab`, else this process's. The project's node comes first on PATH, since plugins start a bare `node`.
 */
export async function prepareEnvironment(
  settings: StackSettings,
  progress: Progress,
): Promise<void> {
  if (settings.bundle === "lab") {
    const { prepareLab } = await import("../lab/launch.ts");
    Object.assign(process.env, await prepareLab(progress));
  }
  const own = join(projectFolder, "node_modules", ".bin");
  process.env["PATH"] = `${own}${delimiter}${process.env["PATH"] ?? ""}`;
  process.env["PULUMI_SKIP_UPDATE_CHECK"] ??= "true";
}

/**
 * Opens a stack, or returns undefined when it does not exist and `create` is false.
 * @throws Error when no Pulumi CLI answers or the backend refuses
 */
export async function openStack(
  name: string,
  settings: StackSettings,
  create: boolean,
): Promise<OpenStack | undefined> {
  const { LocalWorkspace, StackNotFoundError } = await import("@pulumi/pulumi/automation/index.js");
  await dropSalt({ name, settings });
  const place = { stackName: name, workDir: projectFolder };
  try {
    const stack = create
      ? await LocalWorkspace.createOrSelectStack(place)
      : await LocalWorkspace.selectStack(place);
    return { name, settings, stack };
  } catch (error) {
    if (error instanceof StackNotFoundError) return undefined;
    throw new Error(`the stack "${name}" cannot be opened: ${shortReason(error)}`);
  }
}

/** Opens a stack that must have been brought up before. */
export async function openExistingStack(name: string, progress: Progress): Promise<OpenStack> {
  const settings = await readStackSettings(name);
  await prepareEnvironment(settings, progress);
  const open = await openStack(name, settings, false);
  if (open === undefined) {
    throw new Error(`the stack "${name}" does not exist; bring it up with: npm run up`);
  }
  return open;
}

/** What a run of the engine came to. */
export interface EngineResult {
  /** One line: what changed, in which time. */
  readonly summary: string;
  /** The stack's outputs after `up`, secrets in clear; empty after `destroy`. */
  readonly outputs: OutputMap;
}

/** Runs `pulumi up` or `pulumi destroy` with a progress line for everything that changes. */
export async function runEngine(
  { name, settings, stack }: OpenStack,
  operation: "up" | "destroy",
  progress: Progress,
): Promise<EngineResult> {
  const print = (line: string): void => progress.note(line);
  let state = initialEngineState;
  const begun = Date.now();
  const ticker = setInterval(() => {
    for (const line of stillRunning(state, Date.now(), STILL_SECONDS)) print(line);
  }, STILL_SECONDS * 1000);
  const interrupt = new AbortController();
  const release = forwardSignals(interrupt, print);
  try {
    const options = {
      color: "never" as const,
      signal: interrupt.signal,
      onEvent: (event: EngineEvent) => {
        const step = onEngineEvent(state, event, Date.now());
        state = step.state;
        for (const line of step.lines) print(line);
      },
    };
    const { summary, outputs } =
      operation === "up"
        ? await stack.up({ ...options, policyPacks: [policyPack] })
        : { ...(await stack.destroy(options)), outputs: {} };
    return {
      summary: summarize(summary.resourceChanges, Date.now() - begun),
      outputs,
    };
  } catch (error) {
    const [first] = state.errors;
    const why = first?.split("\n")[0] ?? errorLines(error) ?? "Pulumi ended without saying why";
    const more = state.errors.length > 1 ? ` (and ${state.errors.length - 1} more, above)` : "";
    throw new Error(
      `pulumi ${operation} failed: ${why}${more}. What was done is recorded in the state; ` +
        "correct the cause and run the same command again.",
    );
  } finally {
    clearInterval(ticker);
    release();
    await dropSalt({ name, settings });
  }
}

/**
 * Ctrl-C on a terminal reaches Pulumi by itself, and a second SIGINT would kill its plugins in the middle of a step:
 * so it is only announced. A signal sent to this process alone is passed on, once.
 */
function forwardSignals(interrupt: AbortController, print: (line: string) => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    if (interrupt.signal.aborted) return;
    print(`  ...    ${signal}: stopping at the next safe point; running steps end first`);
    if (signal === "SIGTERM" || !process.stdin.isTTY) interrupt.abort();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return () => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  };
}

/** Stack outputs with their secrets in clear: they stay in this process. */
export function readOutputs({ stack }: OpenStack): Promise<OutputMap> {
  return stack.outputs();
}

/**
 * The stack's state with secrets still encrypted (the Automation API's own export decrypts them).
 * @throws Error when the Pulumi CLI cannot export it
 */
export async function exportState({ name }: OpenStack): Promise<unknown> {
  const stdout = await pulumi(["stack", "export", "--stack", name]);
  return JSON.parse(stdout) as unknown;
}

/** Replaces the stack's state; the file in between holds encrypted secrets only and is removed. */
export async function importState({ name }: OpenStack, state: unknown): Promise<void> {
  const folder = await mkdtemp(join(projectFolder, ".slinky", "state-"));
  const file = join(folder, "state.json");
  try {
    await writeFile(file, JSON.stringify(state), { mode: 0o600 });
    await pulumi(["stack", "import", "--stack", name, "--file", file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs one Pulumi CLI command that the Automation API lacks, in the program's folder.
 * @throws Error with Pulumi's own words when it fails
 */
export async function pulumi(words: readonly string[], timeoutSeconds = 120): Promise<string> {
  const all = [...words, "--non-interactive", "--color", "never"];
  const result = await runProcess("pulumi", all, { cwd: projectFolder, timeoutSeconds });
  if (result.code === 0) return result.stdout;
  const why = shortReason(new Error(result.stderr || result.stdout));
  throw new Error(`pulumi ${words.slice(0, 2).join(" ")} ended with code ${result.code}: ${why}`);
}

/** What a CLI error says: its `error:` lines, else its last line. */
function shortReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return errorLines(error) ?? text.trim().split("\n").at(-1)?.trim() ?? "no reason given";
}

/** The `error:` lines of a CLI error, each once; undefined when there are none. */
function errorLines(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error);
  const told = text
    .split("\n")
    .flatMap((line) => /^\s*(?:stderr: )?error: (.+)$/.exec(line)?.[1] ?? []);
  return told.length === 0 ? undefined : clean([...new Set(told)].join("; "));
}
