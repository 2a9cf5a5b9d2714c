import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** What to start. */
export interface ProcessSpec {
  /** Program and arguments. */
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Working directory; the plugin's own when absent. */
  readonly dir?: string;
  /** Text for standard input; without it standard input is /dev/null. */
  readonly stdin?: string;
  /** Receives each chunk of output as it comes. */
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
}

/** How a process ended: one of the two is null. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A program in a process group of its own, so that it can be ended together with everything it started.
 * It counts as running until its output is closed by all who hold it, as with Go's `exec.Cmd.Wait`.
 */
export class ProcessGroup {
  /** Settles when the group has ended; rejects when it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;

  constructor(spec: ProcessSpec) {
    const [program = "", ...args] = spec.argv;
    const child = spawn(program, args, {
      cwd: spec.dir,
      env: spec.env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => spec.onOutput("stdout", text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => spec.onOutput("stderr", text));
    // A program may end without having read its input: EPIPE is no failure of the command.
    child.stdin.on("error", () => {});
    child.stdin.end(spec.stdin ?? "");
    this.ended = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal }));
    });
    // The starter awaits `ended` as well; this keeps an early rejection from counting as unhandled.
    this.ended.catch(() => {});
  }

  /** Sends SIGTERM to the group, and SIGKILL to what is left after the grace; resolves when it has ended. */
  async stop(graceMs: number): Promise<void> {
    if (!this.#signal("SIGTERM")) return;
    const grace = new AbortController();
    const ended = this.ended.then(
      () => true,
      () => true,
    );
    const late = delay(graceMs, false, { signal: grace.signal }).catch(() => true);
    const inTime = await Promise.race([ended, late]);
    grace.abort();
    if (inTime) return;
    this.#signal("SIGKILL");
    // A process that left the group could still hold the pipes: let go of them on our side.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    await ended;
  }

  /** False when there is no such group any more. */
  #signal(signal: NodeJS.Signals): boolean {
    if (this.#child.pid === undefined) return false;
    try {
      return process.kill(-this.#child.pid, signal);
    } catch {
      return false;
    }
  }
}
