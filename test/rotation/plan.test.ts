import { strict as assert } from "node:assert";
import fc from "fast-check";
import { newJournal } from "../../rotation/journalKeeper.ts";
import { type Journal, type Observation, stepNames } from "../../rotation/model.ts";
import { plan } from "../../rotation/plan.ts";

const base = newJournal({ from: "a", to: "b", generation: 2 }, new Date(0));
const unfinished = (fields: Partial<Journal>): Journal => ({ ...base, ...fields });
const seen = (fields: Partial<Observation>): Observation => ({
  ...{ wanted: "b", recorded: "a", live: "a", journal: undefined },
  ...{ controllerRuns: true, stale: [], leftovers: [] },
  ...fields,
});
const sizes = [{ workload: "slurm/statefulset/slurm-controller", replicas: 1 }];

/** What happened, in short: the plan's kind and where it starts. */
function inShort(observation: Observation): string {
  const made = plan(observation);
  if (made.kind === "resume") return `resume ${made.at}`;
  if (made.kind === "rollBack") return `rollBack ${made.from}`;
  return made.kind;
}

describe("plan", () => {
  for (const [situation, fields, expected] of [
    ["another key is wanted", {}, "rotate"],
    ["the same key is wanted", { wanted: "a" }, "nothing"],
    ["the state was not written after a rotation", { live: "b" }, "nothing"],
    ["the state is empty", { recorded: undefined }, "rotate"],
    ["the Secret was changed by hand", { live: "x" }, "refuse"],
    ["the Secret is gone, the same key is wanted", { live: undefined, wanted: "a" }, "putBack"],
    ["the Secret is gone, another key is wanted", { live: undefined }, "refuse"],
    ["pods carry another key", { wanted: "a", stale: ["p"] }, "restart"],
    ["pods carry another key and another key is wanted", { stale: ["p"] }, "rotate"],
    ["a reservation is left", { wanted: "a", leftovers: ["hold"] }, "tidy"],
    [
      "rotated and not written down, the old key is wanted",
      { live: "b", wanted: "a", journal: unfinished({ outcome: "completed" }) },
      "rotate",
    ],
    ["died before anything", { journal: unfinished({}) }, "resume stage-key"],
    ["died while draining", { journal: unfinished({ step: "drain" }) }, "resume stage-key"],
    [
      "died in quiesce, slurmctld runs",
      { journal: unfinished({ step: "quiesce", sizes }) },
      "resume stage-key",
    ],
    [
      "died in quiesce, slurmctld is gone",
      { journal: unfinished({ step: "quiesce", sizes }), controllerRuns: false },
      "resume quiesce",
    ],
    [
      "died between delete and create",
      { journal: unfinished({ step: "swap", sizes }), live: undefined, controllerRuns: false },
      "resume swap",
    ],
    [
      "died with the new key in place",
      { journal: unfinished({ step: "swap", sizes }), live: "b" },
      "resume restore",
    ],
    [
      "died while verifying",
      { journal: unfinished({ step: "verify", sizes }), live: "b" },
      "resume restore",
    ],
    [
      "died after verifying",
      { journal: unfinished({ step: "verify", status: "done" }), live: "b" },
      "resume resume",
    ],
    [
      "died after verifying, the old key is wanted",
      { journal: unfinished({ step: "retire-old-key" }), live: "b", wanted: "a" },
      "resume retire-old-key",
    ],
    [
      "died while draining, the old key is wanted",
      { journal: unfinished({ step: "drain" }), wanted: "a" },
      "rollBack drain",
    ],
    [
      "died in swap, the old key is wanted",
      { journal: unfinished({ step: "swap", sizes }), live: undefined, wanted: "a" },
      "rollBack swap",
    ],
    [
      "died in the rollback, the old key is proved",
      { journal: unfinished({ step: "verify", direction: "back", proved: "a" }) },
      "rollBack drain",
    ],
    [
      "died in the rollback, the old key is not proved",
      { journal: unfinished({ step: "verify", direction: "back", proved: "" }) },
      "rollBack verify",
    ],
    [
      "the Secret vanished while draining",
      { journal: unfinished({ step: "drain" }), live: undefined },
      "refuse",
    ],
    ["a third key is wanted", { journal: unfinished({ step: "drain" }), wanted: "c" }, "refuse"],
    ["a third key is in place", { journal: unfinished({ step: "drain" }), live: "c" }, "refuse"],
    ["proved, but the old key is in place", { journal: unfinished({ step: "resume" }) }, "refuse"],
  ] as const) {
    it(`${situation} => ${expected}`, () => {
      assert.equal(inShort(seen(fields)), expected);
    });
  }
});

const key = fc.constantFrom("a", "b", "c");
const maybeKey = fc.option(key, { nil: undefined });
const journals: fc.Arbitrary<Journal> = fc
  .record({
    from: key,
    to: key,
    step: fc.constantFrom(...stepNames),
    status: fc.constantFrom("started", "done"),
    direction: fc.constantFrom("forward", "back"),
    proved: fc.constantFrom("", "a", "b", "c"),
    sizes: fc.constantFrom([], sizes),
    outcome: fc.option(fc.constantFrom("completed", "rolledBack", "refused"), { nil: undefined }),
  })
  .map(({ outcome, ...fields }) => ({ ...base, ...fields, ...(outcome && { outcome }) }));
const observations: fc.Arbitrary<Observation> = fc.record({
  wanted: key,
  recorded: maybeKey,
  live: maybeKey,
  journal: fc.option(journals, { nil: undefined }),
  controllerRuns: fc.boolean(),
  stale: fc.constantFrom([], ["pod"]),
  leftovers: fc.constantFrom([], ["hold"]),
});
const openJournal = ({ journal }: Observation): Journal | undefined =>
  journal?.outcome === undefined ? journal : undefined;

/** Checks a law for every observation. */
function law(
  name: string,
  holds: (observation: Observation, made: ReturnType<typeof plan>) => void,
) {
  it(name, () => {
    fc.assert(
      fc.property(observations, (observation) => holds(observation, plan(observation))),
      { numRuns: 3000 },
    );
  });
}

describe("laws of the plan", () => {
  law("total and pure: an answer for everything, twice the same", (observation, made) => {
    assert.deepEqual(plan(observation), made);
  });

  law(
    "law 2: a key in place that the journal does not name is never worked on",
    (observation, made) => {
      const journal = openJournal(observation);
      const { live } = observation;
      if (!journal || live === undefined || [journal.from, journal.to].includes(live)) return;
      assert.equal(made.kind, "refuse");
    },
  );

  law("law 3: while a rotation is unfinished, no other one begins", (observation, made) => {
    if (openJournal(observation)) assert.ok(["resume", "rollBack", "refuse"].includes(made.kind));
  });

  law("law 4: what turned back never goes forward", (observation, made) => {
    if (openJournal(observation)?.direction === "back") assert.notEqual(made.kind, "resume");
  });

  law("law 4: what is past the point of no return is never rolled back", (observation, made) => {
    const journal = openJournal(observation);
    const isPast = journal && ["resume", "retire-old-key"].includes(journal.step);
    if (isPast && journal.direction === "forward") assert.notEqual(made.kind, "rollBack");
  });

  law("law 6: the swap is never skipped while the new key is not in place", (observation, made) => {
    const journal = openJournal(observation);
    if (made.kind !== "resume" || !journal || observation.live === journal.to) return;
    assert.ok(stepNames.indexOf(made.at) <= stepNames.indexOf("swap"));
  });

  law("law 6: verification is never skipped unless it was done", (observation, made) => {
    const journal = openJournal(observation);
    if (made.kind !== "resume" || !journal) return;
    const isDone =
      stepNames.indexOf(journal.step) > 6 ||
      (journal.step === "verify" && journal.status === "done");
    if (!isDone) assert.ok(stepNames.indexOf(made.at) <= stepNames.indexOf("verify"));
  });

  law("law 7: the key that is in place and wanted is not rotated", (observation, made) => {
    if (observation.live === observation.wanted) assert.notEqual(made.kind, "rotate");
  });

  law("law 8: a rotation starts from a key that the stack knows", (observation, made) => {
    const { recorded, journal } = observation;
    if (made.kind !== "rotate" || recorded === undefined) return;
    const known = [recorded, ...(journal?.outcome === "completed" ? [journal.to] : [])];
    assert.ok(known.includes(made.from));
  });
});
