import type { Clock } from "../cluster/clock.ts";

/** Something did not come true in time. */
export class StepTimeout extends Error {}

/** The run was told to stop. */
export class Interrupted extends Error {}

/** Milliseconds between two looks. */
const lookMilliseconds = 1000;

/** Seconds after which a wait says what it waits for, and again after twice as many. */
const firstNoteSeconds = 5;

/** A look has found that waiting is of no use. */
export class WaitingIsUseless extends Error {}

/** Looks again and again until something is true; see `Controls.waitUntil` of the runner. */
export type WaitUntil = (
  what: string,
  seconds: number,
  look: () => Promise<boolean>,
) => Promise<void>;

/** Makes a {@link WaitUntil}. */
export function waiting(tools: {
  readonly clock: Clock;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly isFinal: (error: unknown) => boolean;
}): WaitUntil {
  const { clock, note, signal, isFinal } = tools;
  return async (what, seconds, look) => {
    const began = clock.now();
    let noteAt = firstNoteSeconds;
    for (;;) {
      let problem = "";
      try {
        // A look may write: one that an abort left behind would drain nodes again behind the undo.
        if (await look()) return;
      } catch (error) {
        const isOver = error instanceof Interrupted || error instanceof WaitingIsUseless;
        if (isOver || isFinal(error)) throw error;
        problem = error instanceof Error ? `; last answer: ${error.message}` : "";
      }
      if (signal?.aborted) throw new Interrupted("interrupted");
      const waited = (clock.now() - began) / 1000;
      if (waited >= seconds) {
        throw new StepTimeout(`waited ${seconds} s for ${what}, in vain${problem}`);
      }
      if (waited >= noteAt) {
        note(`waiting for ${what} (${Math.round(waited)} of ${seconds} s)${problem}`);
        noteAt *= 2;
      }
      await orAborted(clock.sleep(lookMilliseconds), signal);
    }
  };
}

/** Only for work that changes nothing: an abort does not wait for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const interrupted = () => new Interrupted("interrupted");
  if (signal.aborted) throw interrupted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(interrupted());
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
