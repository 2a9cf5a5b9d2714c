import { strict as assert } from "node:assert";
import { type Run, runSteps, undoSteps } from "../../rotation/runner.ts";
import type { Step } from "../../rotation/step.ts";
import { waiting } from "../../rotation/waiting.ts";
import { ManualClock } from "../fakes/manualClock.ts";

type Name = "one" | "two" | "three";
class Final extends Error {}

/** Three steps that write down what happens; `faults` makes parts of them fail. */
function runOf(
  faults: Readonly<Record<string, Error>> = {},
  more: Partial<Run<object, Name>> = {},
) {
  const events: string[] = [];
  const happen = (event: string): Promise<void> => {
    events.push(event);
    const fault = faults[event];
    return fault ? Promise.reject(fault) : Promise.resolve();
  };
  const step = (name: Name, reversible: boolean): Step<object, Name> => ({
    ...{ name, reversible },
    apply: () => happen(`apply ${name}`),
    verify: () => happen(`verify ${name}`),
    undo: () => happen(`undo ${name}`),
  });
  const run: Run<object, Name> = {
    steps: [step("one", true), step("two", true), step("three", false)],
    context: {},
    journal: {
      mark: (name, direction, status) => happen(`${direction} ${name} ${status}`),
      took: () => undefined,
    },
    clock: new ManualClock(),
    log: () => undefined,
    isFinal: (error) => error instanceof Final,
    ...more,
  };
  const works = () => events.filter((event) => /^(apply|verify|undo)/.test(event));
  return { run, events, works };
}

describe("runSteps", () => {
  it("nothing fails => every step, the journal before and after each", async () => {
    const { run, events } = runOf();
    assert.deepEqual(await runSteps(run, "two"), { kind: "completed" });
    assert.deepEqual(events, [
      ...["forward two started", "apply two", "verify two", "forward two done"],
      ...["forward three started", "apply three", "verify three", "forward three done"],
    ]);
  });

  for (const part of ["apply two", "verify two", "forward two started", "forward two done"]) {
    it(`"${part}" fails => the failing step and the ones before are undone, in reverse`, async () => {
      const { run, works } = runOf({ [part]: new Error("no") });
      const result = await runSteps(run, "one");
      assert.equal(result.kind, "undone");
      assert.deepEqual(result.kind === "undone" && result.undoFailures, []);
      assert.deepEqual(works().slice(-2), ["undo two", "undo one"]);
    });
  }

  it("an undo fails => the others run all the same, and all failures are told", async () => {
    const { run, works } = runOf({ "verify two": new Error("no"), "undo two": new Error("stuck") });
    const result = await runSteps(run, "one");
    assert.deepEqual(works().slice(-2), ["undo two", "undo one"]);
    assert.ok(result.kind === "undone");
    assert.equal(result.failure.part, "verify");
    assert.deepEqual(
      result.undoFailures.map(({ step, error }) => `${step} ${error.message}`),
      ["two stuck"],
    );
  });

  it("an irreversible step fails => stopped, nothing is undone", async () => {
    const { run, works } = runOf({ "apply three": new Error("no") });
    assert.equal((await runSteps(run, "one")).kind, "stopped");
    assert.ok(!works().some((event) => event.startsWith("undo")));
  });

  it("an error after which nothing may be written => stopped, nothing is undone", async () => {
    const { run, works } = runOf({ "apply two": new Final("lost") });
    assert.equal((await runSteps(run, "one")).kind, "stopped");
    assert.ok(!works().some((event) => event.startsWith("undo")));
  });

  it("an earlier run went further => undone from there", async () => {
    const { run, works } = runOf({ "apply one": new Error("no") }, { reached: "two" });
    await runSteps(run, "one");
    assert.deepEqual(works(), ["apply one", "undo two", "undo one"]);
  });

  it("aborted before a step => that step is not applied, what was done is undone", async () => {
    const abort = new AbortController();
    abort.abort();
    const { run, works } = runOf({}, { signal: abort.signal });
    const result = await runSteps(run, "one");
    assert.ok(result.kind === "undone" && /interrupted/.test(result.failure.error.message));
    assert.deepEqual(works(), ["undo one"]);
  });

  it("undoSteps => from the given step down", async () => {
    const { run, works } = runOf();
    assert.deepEqual(await undoSteps(run, "two"), []);
    assert.deepEqual(works(), ["undo two", "undo one"]);
  });
});

describe("waitUntil", () => {
  const waitIn = async (look: () => Promise<boolean>, signal?: AbortSignal) => {
    const { run } = runOf();
    const lines: string[] = [];
    const step: Step<object, Name> = {
      name: "one",
      reversible: true,
      apply: (_context, controls) => controls.waitUntil("the sun", 20, look),
    };
    const result = await runSteps(
      { ...run, steps: [step], log: (line) => lines.push(line), signal },
      "one",
    );
    return { result, lines, seconds: run.clock.now() / 1000 };
  };

  it("it comes true after failures => goes on", async () => {
    let looks = 0;
    const look = () =>
      ++looks < 4 ? Promise.reject(new Error("not yet")) : Promise.resolve(looks === 6);
    assert.equal((await waitIn(look)).result.kind, "completed");
  });

  it("it never comes true => fails at the deadline with the last answer, and says so while it waits", async () => {
    const { result, lines } = await waitIn(() => Promise.reject(new Error("clouds")));
    assert.ok(result.kind === "undone");
    assert.match(
      result.failure.error.message,
      /waited 20 s for the sun, in vain; last answer: clouds/,
    );
    assert.ok(
      lines.some((line) =>
        /one: waiting for the sun \(5 of 20 s\); last answer: clouds/.test(line),
      ),
    );
  });

  it("an abort while a look writes => interrupted once it has ended, not before", async () => {
    const abort = new AbortController();
    let hasWritten = false;
    const look = async () => {
      abort.abort();
      await new Promise(setImmediate);
      hasWritten = true;
      return false;
    };
    const { result } = await waitIn(look, abort.signal);
    assert.ok(result.kind === "undone" && /interrupted/.test(result.failure.error.message));
    assert.ok(hasWritten);
  });

  it("an abort between two looks => interrupted at once", async () => {
    const abort = new AbortController();
    const began = Date.now();
    const clock = { now: () => Date.now(), sleep: () => new Promise<void>(() => undefined) };
    setImmediate(() => abort.abort());
    const wait = waiting({
      clock,
      note: () => undefined,
      signal: abort.signal,
      isFinal: () => false,
    });
    await assert.rejects(
      wait("it", 60, () => Promise.resolve(false)),
      /interrupted/,
    );
    assert.ok(Date.now() - began < 1000);
  });
});
