import { strict as assert } from "node:assert";
import { together } from "../../rotation/together.ts";
import type { Controls } from "../../rotation/step.ts";

/** Controls of which only the signal matters here. */
const withSignal = (signal: AbortSignal) => ({ signal }) as Controls;

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(new Error("interrupted"));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
  });

describe("together", () => {
  it("all succeed => done when the last one is", async () => {
    const done: string[] = [];
    const work = (name: string) => async () => {
      await Promise.resolve();
      done.push(name);
    };
    await together([work("a"), work("b")], undefined, withSignal);
    assert.deepEqual(done, ["a", "b"]);
  });

  it("one fails => the others are stopped first, and its failure is the cause", async () => {
    let isStopped = false;
    const waits = async ({ signal }: Controls) => {
      await aborted(signal).catch(() => undefined);
      await Promise.resolve();
      isStopped = true;
      throw new Error("interrupted");
    };
    const fails = () => Promise.reject(new Error("the cause"));
    await assert.rejects(together([waits, fails], undefined, withSignal), /the cause/);
    assert.ok(isStopped);
  });

  it("aborted from outside => all stop", async () => {
    const outer = new AbortController();
    const waits = ({ signal }: Controls) => aborted(signal);
    const end = together([waits, waits], outer.signal, withSignal);
    outer.abort();
    await assert.rejects(end, /interrupted/);
  });
});
