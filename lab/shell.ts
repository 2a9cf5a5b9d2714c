import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

export interface RunOptions {
  /** Deadline in seconds; the whole process group is killed when it passes. */
  timeoutSeconds: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Appends stdout and stderr to this file as well. */
  logFile?: string;
  /** Written to the command's standard input, which is then closed. */
  input?: string;
}

/** A command that could not be run to a good end; the message carries the tail of its stderr. */
export class CommandError extends Error {
  readonly exitCode: number | null;
  constructor(message: string, exitCode: number | null) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command without a shell and returns its stdout.
 * @throws CommandError when it cannot start, exits non-zero or outlasts its deadline.
 */
export function run(command: string, args: string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true, // its own process group, so that the deadline ends its children too
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    const log = options.logFile ? createWriteStream(options.logFile, { flags: "a" }) : undefined;
    const shown = [command, ...args].join(" ").slice(0, 200);
    const fail = (why: string, exitCode: number | null): void => {
      const tail = Buffer.concat(err).toString().trimEnd().split("\n").slice(-15).join("\n");
      const where = options.logFile ? `\nfull log: ${options.logFile}` : "";
      reject(new CommandError(`${shown}: ${why}${tail && `\n${tail}`}${where}`, exitCode));
    };
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // already gone
      }
    };
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, options.timeoutSeconds * 1000);
    process.once("exit", killGroup);
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      log?.write(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err.push(chunk);
      log?.write(chunk);
    });
    child.stdin.on("error", () => undefined); // a command that reads nothing closes it first
    child.stdin.end(options.input ?? "");
    const ended = (): void => {
      clearTimeout(timer);
      process.off("exit", killGroup);
      log?.end();
    };
    child.on("error", (error) => {
      ended();
      fail(error.message, null);
    });
    child.on("close", (code, signal) => {
      ended();
      if (timedOut) fail(`did not end within ${options.timeoutSeconds} s`, null);
      else if (code === 0) resolve(Buffer.concat(out).toString());
      else fail(code === null ? `ended by ${signal}` : `exit code ${code}`, code);
    });
  });
}
