/**
 * Pulumi's engine events as progress lines. Pure: state, event and time in, state and lines out. Only operation,
 * type and name of a resource are read, never its inputs or outputs.
 */

import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";

import { stepLine } from "../progress.ts";

/** What is under way and what has been said. */
export interface EngineState {
  /** Operations that have started and not ended, by URN and operation. */
  readonly running: ReadonlyMap<string, RunningStep>;
  /** Error texts in order, each once. */
  readonly errors: readonly string[];
  /** The last line, so that nothing is said twice in a row. */
  readonly lastLine: string;
}

/** One operation that has not ended. */
interface RunningStep {
  readonly label: string;
  readonly startedAt: number;
}

/** New state and what to print. */
export interface EngineStep {
  readonly state: EngineState;
  readonly lines: readonly string[];
}

/** The state before the first event. */
export const initialEngineState: EngineState = { running: new Map(), errors: [], lastLine: "" };

/** Operations that change something, with the word for one that is done. All others are not worth a line. */
const DONE_WORDS: Readonly<Record<string, string>> = {
  create: "created",
  "create-replacement": "created anew",
  update: "updated",
  delete: "deleted",
  "delete-replaced": "old one deleted",
  discard: "discarded",
  "discard-replaced": "old one discarded",
  import: "imported",
  "import-replacement": "imported anew",
};

/** Messages that say nothing about this stack: expected on every run, or a repetition of the error above them. */
const NOISE = [
  /^using pulumi-\S+ from \$PATH/,
  /^(update|destroy|preview|refresh) failed$/,
  /ExperimentalWarning|--trace-warnings/,
];

/** Takes one event at `now` (milliseconds). */
export function onEngineEvent(state: EngineState, event: EngineEvent, now: number): EngineStep {
  const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent, policyEvent } =
    event;
  if (resourcePreEvent !== undefined) return started(state, resourcePreEvent.metadata, now);
  if (resOutputsEvent !== undefined) return ended(state, resOutputsEvent.metadata, now, true);
  if (resOpFailedEvent !== undefined) return ended(state, resOpFailedEvent.metadata, now, false);
  if (diagnosticEvent !== undefined) return diagnosed(state, diagnosticEvent);
  if (policyEvent !== undefined) {
    const text = `policy ${policyEvent.policyName}: ${clean(policyEvent.message)}`;
    return policyEvent.enforcementLevel === "mandatory"
      ? failedWith(state, text)
      : said(state, indented("warn", text));
  }
  return { state, lines: [] };
}

/** One line for each operation that has been running for `afterSeconds` or longer at `now`. */
export function stillRunning(state: EngineState, now: number, afterSeconds: number): string[] {
  return [...state.running.values()]
    .filter(({ startedAt }) => now - startedAt >= afterSeconds * 1000)
    .map(
      ({ label, startedAt }) => `  ${"...".padEnd(6)} ${label}, ${seconds(now - startedAt)} so far`,
    );
}

/**
 * The last line of an update: what changed, and in which time.
 * @param changes count by operation, as Pulumi's summary gives it; undefined when it gave none
 */
export function summarize(
  changes: Readonly<Record<string, number | undefined>> | undefined,
  milliseconds: number,
): string {
  const counts = Object.entries(changes ?? {}).filter(([, count]) => (count ?? 0) > 0);
  const changed = counts.filter(([operation]) => DONE_WORDS[operation] !== undefined);
  const unchanged = changes?.["same"] ?? 0;
  const words = changed.map(
    ([operation, count]) => `${count} ${DONE_WORDS[operation] ?? operation}`,
  );
  const what = words.length === 0 ? "0 changes" : words.join(", ");
  const rest = unchanged > 0 ? ` (${unchanged} unchanged)` : "";
  return `${what}${rest} in ${seconds(milliseconds)}`;
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly provider: string;
}

function started(state: EngineState, step: StepMetadata, now: number): EngineStep {
  if (!isWorthALine(step)) return { state, lines: [] };
  const running = new Map(state.running).set(keyOf(step), {
    label: `${nameOf(step.urn)} (${step.op})`,
    startedAt: now,
  });
  return { state: { ...state, running }, lines: [] };
}

function ended(state: EngineState, step: StepMetadata, now: number, ok: boolean): EngineStep {
  const begun = state.running.get(keyOf(step));
  const running = new Map(state.running);
  running.delete(keyOf(step));
  // An operation announced as a change may turn out to be none: then it ends as "same" and its start is forgotten.
  for (const key of running.keys()) if (key.startsWith(`${step.urn} `)) running.delete(key);
  if (!isWorthALine(step)) return { state: { ...state, running }, lines: [] };
  const took = (now - (begun?.startedAt ?? now)) / 1000;
  const name = nameOf(step.urn);
  const line = ok
    ? stepLine("ok", `${name} ${DONE_WORDS[step.op] ?? step.op}`, took)
    : stepLine("FAILED", `${name} (${step.op})`, took);
  return said({ ...state, running }, [line]);
}

function diagnosed(
  state: EngineState,
  event: NonNullable<EngineEvent["diagnosticEvent"]>,
): EngineStep {
  const message = clean(event.message);
  const severity: string = event.severity;
  if (message === "" || severity === "debug" || NOISE.some((each) => each.test(message))) {
    return { state, lines: [] };
  }
  const ours = event.urn?.includes("pulumi-nodejs:dynamic/") === true;
  if (event.ephemeral === true && !ours) return { state, lines: [] };
  const subject = event.urn === undefined || isStack(event.urn) ? "" : `${nameOf(event.urn)}: `;
  if (severity === "error") return failedWith(state, `${subject}${message}`);
  return said(state, indented(severity === "warning" ? "warn" : "", `${subject}${message}`));
}

function failedWith(state: EngineState, text: string): EngineStep {
  if (state.errors.includes(text)) return { state, lines: [] };
  return said({ ...state, errors: [...state.errors, text] }, indented("FAILED", text));
}

function said(state: EngineState, lines: readonly string[]): EngineStep {
  const text = lines.join("\n");
  if (text === state.lastLine) return { state, lines: [] };
  return { state: { ...state, lastLine: text }, lines };
}

function indented(mark: string, text: string): string[] {
  return text.split("\n").map((line, at) => `  ${(at === 0 ? mark : "").padEnd(6)} ${line}`);
}

/** Components, the stack itself and providers do nothing: only resources that a provider manages get a line. */
function isWorthALine(step: StepMetadata): boolean {
  return (
    DONE_WORDS[step.op] !== undefined && step.provider !== "" && !step.type.startsWith("pulumi:")
  );
}

function keyOf(step: StepMetadata): string {
  return `${step.urn} ${step.op}`;
}

function isStack(urn: string): boolean {
  return urn.includes("::pulumi:pulumi:Stack::");
}

/** `Release slurm` of `urn:pulumi:dev::p::a:b:C$kubernetes:helm.sh/v3:Release::slurm`. */
export function nameOf(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.slice(types.lastIndexOf("$") + 1);
  return `${type.slice(type.lastIndexOf(":") + 1)} ${name.join("::")}`;
}

/** Colour tags and blank ends removed; a run of 84 or more key-like characters (64 bytes in base64) is left out. */
export function clean(text: string): string {
  return text
    .replace(/<\{%[^%]*%\}>/g, "")
    .replace(/[A-Za-z0-9+/_-]{84,}={0,2}/g, "[long value left out]")
    .trim();
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
