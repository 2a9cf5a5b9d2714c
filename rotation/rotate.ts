import type { Clock } from "../cluster/clock.ts";
import type { RotationContext, RotationSettings } from "./context.ts";
import { hasOurReason } from "./drainReason.ts";
import { Refusal } from "./errors.ts";
import { describeEnd } from "./endings.ts";
import { JournalKeeper, newJournal } from "./journalKeeper.ts";
import type { Journal, Outcome, StepName } from "./model.ts";
import { observe, type Wanted } from "./observe.ts";
import { plan } from "./plan.ts";
import { LeaseHeld, LeaseLost, type Log, type RotationPorts } from "./ports.ts";
import { type Run, type RunResult, runSteps, undoSteps } from "./runner.ts";
import { drainSteps } from "./steps.ts";
import { removeStaged } from "./steps/stageKey.ts";
import { steadyPorts } from "./steadyPorts.ts";

/** What an update asks for. */
export interface RotationRequest extends Wanted {
  /** Generation of the key that the stack remembers. */
  readonly generation: number;
  readonly settings: RotationSettings;
  /** The key of the configuration. */
  readonly newKey: () => Uint8Array;
  /** Puts an absent Secret back with that key. */
  readonly putBack: () => Promise<void>;
}

/** Surroundings of a rotation. */
export interface RotationTools {
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts at Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** How an update ended, and the journal of the rotation that it ran or found, if any. */
export interface RotationResult {
  readonly outcome: Outcome;
  /** For people; empty for a success. */
  readonly message: string;
  readonly where?: string;
  readonly journal: Journal | undefined;
}

/** Plans that one update may carry out: an unfinished rotation, the one asked for, and what is left to tidy up. */
const mostPasses = 4;

/** Brings the cluster to the wanted key, or back, or says why not: observe, plan, run, and look again. */
export async function rotate(
  request: RotationRequest,
  bare: RotationPorts,
  tools: RotationTools,
): Promise<RotationResult> {
  try {
    await bare.lease.acquire();
  } catch (error) {
    const isTaken = error instanceof LeaseHeld || error instanceof LeaseLost;
    if (isTaken) return refused(error.message, undefined);
    throw error;
  }
  const ports = steadyPorts(bare, tools);
  try {
    let last: Journal | undefined;
    for (let pass = 0; pass < mostPasses; pass++) {
      const seen = await observe(request, ports);
      const next = plan(seen);
      last ??= seen.journal;
      if (next.kind === "nothing") return completed(last);
      if (next.kind === "refuse") return refused(next.reason, seen.journal);
      if (next.kind === "putBack") await request.putBack();
      else if (next.kind === "tidy") await tidy(ports, next.leftovers, tools.log);
      else {
        const result = await carryOut(next, seen.journal, { request, ports, tools });
        last = result.journal;
        if (result.outcome !== "completed") return result;
      }
    }
    return refused("the cluster changes while it is looked at; run pulumi up again", last);
  } catch (error) {
    if (error instanceof LeaseLost) return refused(error.message, undefined);
    throw error;
  } finally {
    // A Lease that cannot be given back goes stale by itself.
    await bare.lease.release().catch(() => undefined);
  }
}

interface Work {
  readonly request: RotationRequest;
  readonly ports: RotationPorts;
  readonly tools: RotationTools;
}

type Action = Extract<
  ReturnType<typeof plan>,
  { kind: "rotate" | "restart" | "resume" | "rollBack" }
>;

async function carryOut(
  action: Action,
  found: Journal | undefined,
  { request, ports, tools }: Work,
): Promise<RotationResult> {
  const isNew = action.kind === "rotate" || action.kind === "restart";
  const journal = isNew || !found ? beginning(action, request, tools, found) : found;
  const keeper = new JournalKeeper(ports.journals, journal);
  const run = runOf(request, ports, tools, keeper);
  tools.log(announce(action, journal));
  let result: RunResult<StepName>;
  if (action.kind === "rollBack") {
    const undoFailures = await undoSteps(run, action.from);
    const error = new Error("it was unfinished");
    const failure = { step: journal.step, part: "undo", error } as const;
    result = { kind: "undone", failure, undoFailures };
  } else {
    result = await runSteps(run, action.kind === "resume" ? action.at : "check-preconditions");
  }
  return close(result, keeper, { request, ports, tools });
}

async function close(
  result: RunResult<StepName>,
  keeper: JournalKeeper,
  { request, ports }: Work,
): Promise<RotationResult> {
  const isWhole = result.kind === "completed" || result.undoFailures.length === 0;
  if (result.kind === "stopped" || !isWhole) {
    const message = await describeEnd(result, keeper.journal, request, ports);
    return { outcome: "needsHuman", ...message, journal: keeper.journal };
  }
  if (result.kind === "completed") {
    await keeper.record({ outcome: "completed" });
    return completed(keeper.journal);
  }
  const outcome = result.failure.error instanceof Refusal ? "refused" : "rolledBack";
  try {
    await keeper.record({ outcome });
  } catch (error) {
    const failure = { step: keeper.journal.step, part: "undo", error: error as Error } as const;
    const unclosed = { kind: "stopped" as const, failure, undoFailures: [] };
    const message = await describeEnd(unclosed, keeper.journal, request, ports);
    return { outcome: "needsHuman", ...message, journal: keeper.journal };
  }
  const message = await describeEnd(result, keeper.journal, request, ports);
  return { outcome, ...message, journal: keeper.journal };
}

function runOf(
  { settings, secretName, dataKey, newKey }: RotationRequest,
  ports: RotationPorts,
  { clock, log, signal }: RotationTools,
  keeper: JournalKeeper,
): Run<RotationContext, StepName> {
  const context: RotationContext = {
    ...ports,
    ...{ settings, secretName, dataKey, newKey, clock },
    get journal() {
      return keeper.journal;
    },
    record: (change) => keeper.record(change),
  };
  const isFinal = (error: unknown) => error instanceof LeaseLost;
  const reached = keeper.journal.step;
  return { steps: drainSteps, reached, context, journal: keeper, clock, log, signal, isFinal };
}

function beginning(
  action: Action,
  request: RotationRequest,
  { clock }: RotationTools,
  last: Journal | undefined,
): Journal {
  const to = request.wanted;
  const isRotation = action.kind === "rotate";
  const from = isRotation ? action.from : to;
  // The state may not know of a rotation that ended while its update was killed.
  const isNewer = last?.outcome === "completed" && last.to === from;
  const served = isNewer ? Math.max(last.generation, request.generation) : request.generation;
  const generation = served + (isRotation ? 1 : 0);
  return newJournal({ from, to, generation }, new Date(clock.now()));
}

function announce(action: Action, { from, to, generation }: Journal): string {
  const keys = `key ${from} to key ${to}, generation ${generation}`;
  switch (action.kind) {
    case "rotate":
      return `rotating from ${keys}`;
    case "restart":
      return `restarting on key ${to}: ${action.why}`;
    case "resume":
      return `going on at ${action.at} with the rotation from ${keys}`;
    case "rollBack":
      return `rolling back the rotation from ${keys}`;
  }
}

/** What a dead rotation left behind; by now every pod carries the one key. */
async function tidy(ports: RotationPorts, leftovers: readonly string[], log: Log): Promise<void> {
  log(`tidying up: ${leftovers.join(", ")}`);
  await removeStaged(ports);
  const ours = (await ports.slurm.nodes()).filter(hasOurReason);
  await ports.slurm.update(
    ours.map(({ name }) => name),
    { to: "resume" },
  );
  if (await ports.hold.isSet()) await ports.hold.release();
}

const completed = (journal: Journal | undefined): RotationResult => ({
  outcome: "completed",
  message: "",
  journal,
});

const refused = (message: string, journal: Journal | undefined): RotationResult => ({
  outcome: "refused",
  message: `${message}. Nothing was changed.`,
  journal,
});
