/** How every command starts and ends: options in, exit code out (0 done, 1 failed, 2 wrong usage). */

import { parseArgs } from "node:util";

/** A wrong call; the command prints it with its usage and ends with 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Options of a command, by long name: a switch or a value. */
export type OptionTypes = Readonly<Record<string, "boolean" | "string">>;

/** What the user gave: only the options that were given. */
export type Options = Readonly<Record<string, boolean | string | undefined>>;

/** A command as `runCommand` starts it. */
export interface Command {
  /** One line: name, options and purpose. */
  readonly usage: string;
  readonly options: OptionTypes;
  /** Does the work and returns the exit code; a thrown error is printed and ends with 1. */
  run(options: Options): Promise<number>;
}

/**
 * Reads the options of a command; every command takes `--stack` and `--yes` besides its own.
 * @throws UsageError for an unknown option, a missing value or a stray word
 */
export function parseOptions(types: OptionTypes, words: readonly string[]): Options {
  const all: OptionTypes = { stack: "string", yes: "boolean", ...types };
  const options = Object.fromEntries(Object.entries(all).map(([name, type]) => [name, { type }]));
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * A positive whole number from an option.
 * @returns undefined when the option was not given
 * @throws UsageError when it is anything else
 */
export function positiveNumber(options: Options, name: string): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} takes a positive whole number, not "${value}"`);
}

/** A text from an option, undefined when it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** An error with its causes, one line each, without stack traces and without repetitions. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "an error without a message";
  const lines = [error.message];
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    const { message } = cause;
    if (message !== "" && !lines.some((line) => line.includes(message))) lines.push(message);
  }
  return lines.join("\n  because: ");
}

/** Runs a command on this process's arguments and ends the process with its exit code. */
export async function runCommand(command: Command): Promise<never> {
  let code: number;
  try {
    code = await command.run(parseOptions(command.options, process.argv.slice(2)));
  } catch (error) {
    console.error(`error: ${describeError(error)}`);
    code = error instanceof UsageError ? 2 : 1;
    if (code === 2) console.error(`usage: ${command.usage}`);
  }
  process.exit(code);
}
