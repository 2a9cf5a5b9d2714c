/** What a command tells while it works: one line a step, with the seconds it took. */
export interface Progress {
  /** Runs `work` and prints one line when it ends: `ok`, or `FAILED` before the error goes on. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Prints a line that is no step. */
  note(text: string): void;
}

/** Where the lines go and what time it is; replaced in tests. */
export interface ProgressSink {
  write(line: string): void;
  /** Milliseconds from any fixed start. */
  nowMs(): number;
}

const terminal: ProgressSink = {
  write: (line) => void process.stderr.write(`${line}\n`),
  nowMs: () => performance.now(),
};

/** One line: mark, name padded to a column, seconds with one decimal. */
export function stepLine(mark: "ok" | "FAILED", name: string, seconds: number): string {
  return `  ${mark.padEnd(6)} ${name.padEnd(52)} ${seconds.toFixed(1).padStart(7)} s`;
}

/** Progress on stderr, so that stdout carries results only. */
export function createProgress(sink: ProgressSink = terminal): Progress {
  return {
    async step(name, work) {
      const start = sink.nowMs();
      const seconds = (): number => (sink.nowMs() - start) / 1000;
      try {
        const result = await work();
        sink.write(stepLine("ok", name, seconds()));
        return result;
      } catch (error) {
        sink.write(stepLine("FAILED", name, seconds()));
        throw error;
      }
    },
    note: (text) => {
      sink.write(text);
    },
  };
}
