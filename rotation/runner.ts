import type { Clock } from "../cluster/clock.ts";
import type { Controls, Step } from "./step.ts";
import { together } from "./together.ts";
import { Interrupted, waiting } from "./waiting.ts";

/*
 * Runs a list of steps, or takes them back. It knows nothing of keys or Slurm.
 */

/** Memory of a run, written before and after every step. */
export interface RunJournal<N extends string> {
  mark(step: N, direction: "forward" | "back", status: "started" | "done"): Promise<void>;
  /** Takes the seconds of a step that ended. */
  took(label: string, seconds: number): void;
}

/** A step that failed, and in which part. */
export interface StepFailure<N extends string = string> {
  readonly step: N;
  readonly part: "apply" | "verify" | "undo";
  readonly error: Error;
}

/** How a run ended. */
export type RunResult<N extends string = string> =
  | { readonly kind: "completed" }
  /** Taken back, as far as `undoFailures` does not say otherwise. */
  | {
      readonly kind: "undone";
      readonly failure: StepFailure<N>;
      readonly undoFailures: StepFailure<N>[];
    }
  /** Failed past the point of no return, or this process may not write any more. */
  | {
      readonly kind: "stopped";
      readonly failure: StepFailure<N>;
      readonly undoFailures: StepFailure<N>[];
    };

/** What a run needs. */
export interface Run<C, N extends string> {
  readonly steps: readonly Step<C, N>[];
  readonly context: C;
  readonly journal: RunJournal<N>;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** The furthest step that an earlier run of this list reached. */
  readonly reached?: N;
  /** Errors after which nothing may be written, not even to take something back. */
  readonly isFinal: (error: unknown) => boolean;
}

/** Runs the steps from `startAt` on; a failure before the point of no return takes back what was reached. */
export async function runSteps<C, N extends string>(
  run: Run<C, N>,
  startAt: N,
): Promise<RunResult<N>> {
  const start = run.steps.findIndex((step) => step.name === startAt);
  for (const step of run.steps.slice(start)) {
    const failure = await attempt(run, step, "forward");
    if (!failure) continue;
    if (!step.reversible || run.isFinal(failure.error)) {
      return { kind: "stopped", failure, undoFailures: [] };
    }
    const undoFailures = await undoSteps(run, further(run, step.name));
    const isFinal = undoFailures.some(({ error }) => run.isFinal(error));
    return { kind: isFinal ? "stopped" : "undone", failure, undoFailures };
  }
  return { kind: "completed" };
}

function further<C, N extends string>({ steps, reached }: Run<C, N>, name: N): N {
  const last = steps.findLast((step) => step.name === name || step.name === reached);
  return last?.name ?? name;
}

/**
 * Takes back the step `from`, which may be half done, and all before it. A failing undo does not keep the others from
 * running: each guards itself against what must have come before.
 */
export async function undoSteps<C, N extends string>(
  run: Run<C, N>,
  from: N,
): Promise<StepFailure<N>[]> {
  const failures: StepFailure<N>[] = [];
  const reached = run.steps.slice(0, run.steps.findIndex((step) => step.name === from) + 1);
  for (const step of reached.reverse()) {
    if (!step.undo) continue;
    const failure = await attempt(run, step, "back");
    if (failure) failures.push(failure);
    if (failure && run.isFinal(failure.error)) break;
  }
  return failures;
}

async function attempt<C, N extends string>(
  run: Run<C, N>,
  step: Step<C, N>,
  direction: "forward" | "back",
): Promise<StepFailure<N> | undefined> {
  const label = direction === "forward" ? step.name : `undo ${step.name}`;
  // Past the point of no return the only safe end is the end.
  const isInterruptible = direction === "forward" && step.reversible;
  const controls = controlsOf(run, label, isInterruptible ? run.signal : undefined);
  const began = run.clock.now();
  let part: StepFailure["part"] = direction === "forward" ? "apply" : "undo";
  try {
    if (controls.signal?.aborted) throw new Interrupted("interrupted");
    await run.journal.mark(step.name, direction, "started");
    if (direction === "back") await step.undo?.(run.context, controls);
    else {
      await step.apply(run.context, controls);
      part = "verify";
      await step.verify?.(run.context, controls);
    }
    const seconds = (run.clock.now() - began) / 1000;
    run.journal.took(label, seconds);
    await run.journal.mark(step.name, direction, "done");
    run.log(`ok    ${label}  ${seconds.toFixed(1)} s`);
    return undefined;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    run.log(`fail  ${label}: ${error.message}`);
    return { step: step.name, part, error };
  }
}

function controlsOf<C, N extends string>(
  { clock, log, isFinal }: Run<C, N>,
  label: string,
  signal: AbortSignal | undefined,
): Controls {
  const note = (text: string) => log(`      ${label}: ${text}`);
  const withSignal = (stop: AbortSignal | undefined): Controls => ({
    ...{ signal: stop, clock, note },
    waitUntil: waiting({ clock, note, signal: stop, isFinal }),
    together: (works) => together(works, stop, withSignal),
  });
  return withSignal(signal);
}
