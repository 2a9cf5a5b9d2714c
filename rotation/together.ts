import type { Controls } from "./step.ts";

/** Runs works side by side; see `Controls.together`. */
export async function together(
  works: readonly ((controls: Controls) => Promise<void>)[],
  outer: AbortSignal | undefined,
  withSignal: (signal: AbortSignal) => Controls,
): Promise<void> {
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  const failures: unknown[] = [];
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(withSignal(signal));
      } catch (error) {
        // The others are stopped by an abort: only the first failure is the cause.
        failures.push(error);
        stop.abort();
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
}
