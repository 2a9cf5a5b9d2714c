import {
  type Journal,
  type Observation,
  type Phase,
  type Plan,
  type StepName,
  stepNames,
} from "./model.ts";

/**
 * Decides what an update does. Pure and total: no clock, no I/O, an answer for every observation.
 *
 * 1. What is observed decides; the journal only says which two keys are meant and how far the way back is open.
 * 2. A journal that contradicts the cluster is refused with a reason: no key is removed on a guess.
 * 3. While a rotation is unfinished, no other key is let in.
 * 4. A rotation that turned back goes back to its end; one whose new key is proved goes forward to its end.
 * 5. Otherwise the configuration decides: the new key goes on, the old key goes back.
 * 6. A resumed rotation never repeats a step that needs a daemon which is gone, and never skips verification.
 * 7. The same key asked for twice changes no key: at most it tidies up, or restarts pods that carry another one.
 * 8. A key that neither the state nor the configuration knows is left alone.
 */
export function plan(seen: Observation): Plan {
  const { journal } = seen;
  return journal && journal.outcome === undefined ? planUnfinished(seen, journal) : planFresh(seen);
}

function planUnfinished(seen: Observation, journal: Journal): Plan {
  const { live, wanted } = seen;
  const { from, to } = journal;
  const names = `the unfinished rotation from key ${from} to key ${to}`;
  if (live !== undefined && live !== from && live !== to) {
    return refuse(
      `the Secret carries key ${live}, which is neither key of ${names}. Find out who changed it, put key ${from} ` +
        `or key ${to} back from the staged Secret of that name, and run pulumi up again`,
    );
  }
  if (live === undefined && index(journal.step) < index("swap")) {
    return refuse(
      `the Secret is gone, although ${names} had not come to its swap: pods still run on key ${from}. Create the ` +
        `Secret again from the staged Secret whose name ends in ${from}, immutable, and run pulumi up`,
    );
  }
  const phase = phaseOf(seen, journal);
  if (phase === "proved" && live !== to) {
    return refuse(`the journal says that key ${to} is proved, but the Secret does not carry it`);
  }
  if (wanted !== from && wanted !== to) {
    return refuse(
      `${names} must end first: set keySeed to one of these two keys, run pulumi up, and then ask for key ${wanted}`,
    );
  }
  if (journal.direction === "back") return rollBack(seen, journal);
  if (phase === "proved") return { kind: "resume", at: laterStep(journal, "resume") };
  if (wanted === from && from !== to) return rollBack(seen, journal);
  return { kind: "resume", at: resumeStep(phase, seen) };
}

function planFresh(seen: Observation): Plan {
  const { live, wanted, recorded, stale, leftovers, journal } = seen;
  if (live === undefined) {
    if (recorded === undefined || recorded === wanted) return { kind: "putBack" };
    return refuse(
      `the Secret is gone and the configuration asks for key ${wanted}, while the daemons still run on key ` +
        `${recorded}. Put the previous keySeed back and run pulumi up; then rotate`,
    );
  }
  // A rotation may have ended without Pulumi having written it down.
  const isRotatedTo = journal?.outcome === "completed" && journal.to === live;
  if (recorded !== undefined && live !== recorded && live !== wanted && !isRotatedTo) {
    return refuse(
      `the Secret carries key ${live}; the stack made key ${recorded}, and the configuration asks for key ${wanted}. ` +
        "It was left as it is: find out who changed it and put the stack's key back",
    );
  }
  if (live !== wanted) return { kind: "rotate", from: live, to: wanted };
  if (stale.length > 0) {
    return { kind: "restart", why: `pods carry another key than the Secret: ${stale.join(", ")}` };
  }
  return leftovers.length > 0 ? { kind: "tidy", leftovers } : { kind: "nothing" };
}

/** Where an unfinished rotation stands. */
export function phaseOf(
  { live, controllerRuns }: Pick<Observation, "live" | "controllerRuns">,
  { from, to, step, status, sizes }: Journal,
): Phase {
  const proved = index(step) > index("verify") || (step === "verify" && status === "done");
  if (proved) return "proved";
  const stopped = !controllerRuns && sizes.length > 0;
  if (live === undefined) return "quiesced";
  if (live === to && (from !== to || index(step) >= index("swap"))) return "swapped";
  return stopped ? "quiesced" : "serving";
}

function resumeStep(phase: Phase, { live }: Observation): StepName {
  switch (phase) {
    case "serving":
      return "stage-key";
    case "quiesced":
      return live === undefined ? "swap" : "quiesce";
    case "swapped":
      return "restore";
    case "proved":
      return "resume";
  }
}

/**
 * Undoing starts at the furthest step that was reached. While the old key is not in place that is the swap at least;
 * once it is proved again, only what comes before the pods' end is left to undo.
 */
function rollBack({ live }: Observation, journal: Journal): Plan {
  const { from, proved, step } = journal;
  if (live !== from) return { kind: "rollBack", from: laterStep(journal, "swap") };
  const isServed = proved === from && index(step) > index("drain");
  return { kind: "rollBack", from: isServed ? "drain" : step };
}

function laterStep(journal: Journal, least: "swap" | "resume") {
  return index(journal.step) > index(least) ? journal.step : least;
}

function index(step: (typeof stepNames)[number]): number {
  return stepNames.indexOf(step);
}

function refuse(reason: string): Plan {
  return { kind: "refuse", reason };
}
