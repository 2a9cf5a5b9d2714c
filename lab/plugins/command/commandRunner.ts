import { statSync } from "node:fs";
import type { LineLog } from "../wire/engineLog.ts";
import type { CommandInputs, Logging } from "./commandProperties.ts";
import { LineSplitter } from "./lineSplitter.ts";
import { ProcessGroup } from "./processGroup.ts";
import { redactor } from "./redactor.ts";

/** What a command printed, without the last newline. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** One run of a command. */
export interface CommandRun {
  /** What the errors call it, for instance "create command". */
  readonly label: string;
  readonly command: string;
  readonly inputs: CommandInputs;
  /** Output of the run before, offered as PULUMI_COMMAND_STDOUT and PULUMI_COMMAND_STDERR. */
  readonly previous?: CommandOutput;
  /** Strings to blank out of log lines and errors. */
  readonly secrets: readonly string[];
  /** Resource that the log lines belong to; "" for a function. */
  readonly urn: string;
}

const DEFAULT_INTERPRETER = ["/bin/sh", "-c"];
const TAIL_LINES = 20;
const DEADLINE_GRACE_MS = 5_000;

/** Runs commands and ends those that are running on {@link CommandRunner.cancel}. */
export class CommandRunner {
  readonly #log: LineLog;
  readonly #deadlineMs: number;
  readonly #running = new Set<ProcessGroup>();
  #cancelled = false;

  /** @param deadlineMs the longest a command may run, in milliseconds */
  constructor(log: LineLog, deadlineMs: number) {
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Runs one command to its end.
   *
   * @throws Error when it cannot be started, exits with another code than 0, is cancelled or passes the deadline; with
   * the exit code and the last lines of its stderr, secrets blanked out
   */
  async run(run: CommandRun): Promise<CommandOutput> {
    if (this.#cancelled) throw new Error(`${run.label} not started: the update was cancelled`);
    requireDirectory(run);
    const redact = redactor(run.secrets);
    const text = { stdout: "", stderr: "" };
    const lines = new LineSplitter((line) => this.#log.write(run.urn, redact(line)));
    const group = new ProcessGroup({
      argv: [...interpreterOf(run.inputs), run.command],
      env: environmentOf(run),
      ...(run.inputs.dir === undefined ? {} : { dir: run.inputs.dir }),
      ...(run.inputs.stdin === undefined ? {} : { stdin: run.inputs.stdin }),
      onOutput: (stream, chunk) => {
        text[stream] += chunk;
        if (isLogged(run.inputs.logging, stream)) lines.push(stream, chunk);
      },
    });
    const failure = await this.#outcome(run.label, group);
    lines.end();
    await this.#log.flush();
    if (failure !== undefined) throw new Error(withTail(failure, redact(text.stderr)));
    return { stdout: withoutNewline(text.stdout), stderr: withoutNewline(text.stderr) };
  }

  /** Ends every running command (SIGTERM, after the grace SIGKILL, to its group) and starts no new one. */
  async cancel(graceMs: number): Promise<void> {
    this.#cancelled = true;
    await Promise.all([...this.#running].map((group) => group.stop(graceMs)));
  }

  /** Waits for the end; undefined is success, else what went wrong. */
  async #outcome(label: string, group: ProcessGroup): Promise<string | undefined> {
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      void group.stop(DEADLINE_GRACE_MS);
    }, this.#deadlineMs);
    this.#running.add(group);
    try {
      const { code, signal } = await group.ended;
      if (late) return `${label} ran longer than ${this.#deadlineMs / 1000} s and was ended`;
      if (this.#cancelled && code !== 0) return `${label} was ended: the update was cancelled`;
      if (signal !== null) return `${label} was ended by signal ${signal}`;
      return code === 0 ? undefined : `${label} failed with exit code ${code}`;
    } catch (error) {
      return `${label} could not be started: ${(error as Error).message}`;
    } finally {
      clearTimeout(deadline);
      this.#running.delete(group);
    }
  }
}

function interpreterOf(inputs: CommandInputs): readonly string[] {
  return inputs.interpreter?.length ? inputs.interpreter : DEFAULT_INTERPRETER;
}

/** As in the real plugin, the previous output wins over the inputs, and an empty one is not set. */
function environmentOf({ inputs, previous }: CommandRun): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...inputs.environment };
  if (inputs.addPreviousOutputInEnv === false) return env;
  if (previous?.stdout) env["PULUMI_COMMAND_STDOUT"] = previous.stdout;
  if (previous?.stderr) env["PULUMI_COMMAND_STDERR"] = previous.stderr;
  return env;
}

/** Node blames the program for a missing working directory, so it is looked at first. */
function requireDirectory({ label, inputs: { dir } }: CommandRun): void {
  if (dir === undefined || statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Error(`${label} not started: 'dir' ${dir} is not a directory; create it first`);
}

function isLogged(logging: Logging | undefined, stream: "stdout" | "stderr"): boolean {
  return logging === undefined || logging === "stdoutAndStderr" || logging === stream;
}

function withoutNewline(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function withTail(failure: string, stderr: string): string {
  const lines = stderr.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  return lines === "" ? `${failure}; stderr is empty` : `${failure}; end of stderr:\n${lines}`;
}
