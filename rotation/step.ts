import type { Clock } from "../cluster/clock.ts";
import type { WaitUntil } from "./waiting.ts";

/** What a step may use besides its context. */
export interface Controls {
  /** Undefined where a step may not be interrupted: taken back, or past the point of no return. */
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** Tells people something about the step that runs. */
  note(text: string): void;
  /**
   * Looks every second until `look` is true. A look that fails counts as "not yet"; the last failure is in the error.
   * An abort waits for the look that runs, since a look may write; every call in it has a deadline of its own.
   * @throws StepTimeout at the deadline; Interrupted after an abort; what `isFinal` picks, at once
   */
  readonly waitUntil: WaitUntil;
  /**
   * Runs works side by side, each with controls of its own. The first failure stops the others at their next look,
   * and is thrown when all have stopped: nothing of them goes on in the background.
   */
  together(works: readonly ((controls: Controls) => Promise<void>)[]): Promise<void>;
}

/** One step. Everything in it may run again after a crash. */
export interface Step<C, N extends string = string> {
  readonly name: N;
  /** False from the point of no return: then a failure is not taken back. */
  readonly reversible: boolean;
  apply(context: C, controls: Controls): Promise<void>;
  /** Proves what `apply` did. */
  verify?(context: C, controls: Controls): Promise<void>;
  /** Takes the step back, also one that was only half done; its own success is proved in it. */
  undo?(context: C, controls: Controls): Promise<void>;
}
