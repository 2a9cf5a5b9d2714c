/** The journal of the last rotation, read-only, for people. */

import { parseJournal } from "../rotation/adapters/journalStore.ts";
import type { Journal, Report } from "../rotation/model.ts";
import { JOURNAL_ENTRY, JOURNAL_NAME } from "../rotation/wireNames.ts";
import type { Kube } from "./kube.ts";

/** Reads it; undefined before the first rotation. @throws Error when it is not readable */
export async function readJournal(kube: Kube, namespace: string): Promise<Journal | undefined> {
  const text = await kube.configMapEntry(namespace, JOURNAL_NAME, JOURNAL_ENTRY);
  return text === undefined
    ? undefined
    : parseJournal(text, `ConfigMap ${namespace}/${JOURNAL_NAME}`);
}

/** One line: between which keys, how far, how it ended. */
export function describeJournal(journal: Journal): string {
  const { from, to, generation, direction, step, status, startedAt, outcome } = journal;
  const what = from === to ? `restart on key ${to}` : `rotation from key ${from} to key ${to}`;
  const how =
    outcome ??
    `UNFINISHED, ${direction === "back" ? "going back" : "forward"} at ${step} (${status})`;
  return `${what}, generation ${generation}, begun ${startedAt}: ${how}`;
}

/** Figures of a rotation, one line; empty without any. */
export function describeReport(report: Partial<Report>): string {
  const seconds = Object.entries(report.stepSeconds ?? {});
  if (seconds.length === 0) return "";
  const total = seconds.reduce((sum, [, each]) => sum + each, 0);
  const steps = seconds.map(([name, each]) => `${name} ${each.toFixed(1)}`).join(", ");
  const untested = report.untestedNodeSets ?? [];
  return [
    `${total.toFixed(1)} s (${steps})`,
    `slurmctld away ${report.outageSeconds ?? 0} s`,
    `nodes drained ${report.nodesDrained ?? 0}`,
    `jobs requeued ${report.jobsRequeued ?? 0}`,
    ...(untested.length > 0 ? [`no canary in ${untested.join(", ")}`] : []),
  ].join("; ");
}
