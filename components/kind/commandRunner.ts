import { spawn } from "node:child_process";

/** Outcome of a child process that ran to its end. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a child process. */
export interface CommandOptions {
  /** Milliseconds after which the process is killed and the run fails. */
  readonly timeoutMs: number;
  /** Text for its standard input. */
  readonly input?: string;
  /** Told the process id as soon as there is one. */
  readonly onStart?: (pid: number) => void;
}

/** Runs other programs. Tests replace it by a small Docker and kind of their own. */
export interface CommandRunner {
  /**
   * Runs a program to its end; a non-zero code is a result, not an error.
   * @throws when it is not installed, or did not end in time
   */
  run(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

/** The programs of this machine. */
export const systemRunner: CommandRunner = {
  run(command, args, { timeoutMs, input, onStart }) {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
      const output = { stdout: "", stderr: "" };
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`${commandLine(command, args)} did not end within ${timeoutMs / 1000} s`));
      }, timeoutMs);
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream].setEncoding("utf8").on("data", (text: string) => (output[stream] += text));
      }
      child.on("error", (cause: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const why = cause.code === "ENOENT" ? "it is not installed or not on PATH" : cause.message;
        reject(new Error(`cannot run ${command}: ${why}`, { cause }));
      });
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve({ code: code ?? 1, ...output });
      });
      // A program that ends without reading its input is judged by its exit code.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input ?? "");
      if (child.pid !== undefined) onStart?.(child.pid);
    });
  },
};

/**
 * Runs a program that must succeed.
 * @throws with the end of its error output when it does not
 */
export async function runOrThrow(
  runner: CommandRunner,
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  const { code, stdout, stderr } = await runner.run(command, args, options);
  if (code === 0) return stdout;
  const tail = stderr.trim().split("\n").slice(-15).join("\n");
  throw new Error(`${commandLine(command, args)} ended with code ${code}:\n${tail}`);
}

function commandLine(command: string, args: readonly string[]): string {
  return [command, ...args.slice(0, 3)].join(" ");
}
