import { execFile } from "node:child_process";

/** How a child process ended. */
export interface ProcessResult {
  /** Exit code; 127 when the program was not found, 124 when it was stopped at its deadline. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a child process is given. */
export interface ProcessOptions {
  readonly cwd?: string;
  readonly timeoutSeconds: number;
}

/**
 * Runs a program with the environment of this process (arguments as they are, no shell) and collects its output.
 * Never rejects: a program that is missing or too slow is a code.
 */
export function runProcess(
  program: string,
  words: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...words],
      {
        ...(options.cwd !== undefined && { cwd: options.cwd }),
        timeout: options.timeoutSeconds * 1000,
        maxBuffer: 256 * 1024 * 1024,
      },
      (error, stdout, stderr) => resolve({ code: codeOf(error), stdout, stderr }),
    );
  });
}

function codeOf(error: (Error & { code?: unknown; killed?: boolean }) | null): number {
  if (error === null) return 0;
  if (error.code === "ENOENT") return 127;
  if (error.killed === true) return 124;
  return typeof error.code === "number" ? error.code : 1;
}
