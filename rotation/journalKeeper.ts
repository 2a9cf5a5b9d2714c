import { type Journal, type StepName, stepNames } from "./model.ts";
import type { JournalStore } from "./ports.ts";
import type { RunJournal } from "./runner.ts";

/** A journal for a rotation that begins. */
export function newJournal(
  keys: Pick<Journal, "from" | "to" | "generation">,
  startedAt: Date,
): Journal {
  return {
    schemaVersion: 1,
    ...keys,
    direction: "forward",
    step: "check-preconditions",
    status: "started",
    proved: keys.from,
    drained: [],
    foreign: [],
    sizes: [],
    workers: [],
    stoppedAtSeconds: 0,
    startedAt: startedAt.toISOString(),
    report: {
      stepSeconds: {},
      nodesDrained: 0,
      jobsRequeued: 0,
      outageSeconds: 0,
      untestedNodeSets: [],
    },
  };
}

/** The journal of the rotation that runs: what it says is in the cluster before a method returns. */
export class JournalKeeper implements RunJournal<StepName> {
  readonly #store: JournalStore;
  #journal: Journal;

  constructor(store: JournalStore, journal: Journal) {
    this.#store = store;
    this.#journal = journal;
  }

  get journal(): Journal {
    return this.#journal;
  }

  async record(change: Partial<Journal>): Promise<void> {
    const merged = { ...this.#journal, ...change };
    const report = { ...merged.report, nodesDrained: merged.drained.length };
    const next: Journal = { ...merged, report };
    await this.#store.write(next);
    this.#journal = next;
  }

  async mark(
    step: StepName,
    direction: "forward" | "back",
    status: "started" | "done",
  ): Promise<void> {
    const { step: reached } = this.#journal;
    const isFurthest = stepNames.indexOf(step) >= stepNames.indexOf(reached);
    const progress = direction === "forward" && isFurthest ? { step, status } : {};
    await this.record({ direction, ...progress });
  }

  took(label: string, seconds: number): void {
    const { report } = this.#journal;
    const before = report.stepSeconds[label] ?? 0;
    const stepSeconds = { ...report.stepSeconds, [label]: round(before + seconds) };
    this.#journal = { ...this.#journal, report: { ...report, stepSeconds } };
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
