import { strict as assert } from "node:assert";
import { Problems } from "../../config/problems.ts";
import { RawValues } from "../../config/rawValues.ts";
import { readRotation } from "../../config/rotation.ts";

/** Reads one value of `rotation`; returns it and what is wrong with it. */
function read(rotation?: object) {
  const problems = new Problems();
  const values = rotation === undefined ? {} : { rotation: JSON.stringify(rotation) };
  const settings = readRotation(new RawValues(values, problems));
  let message = "";
  try {
    problems.throwIfAny();
  } catch (error) {
    message = (error as Error).message;
  }
  return { settings, message };
}

describe("readRotation", () => {
  it("nothing => drain, rolled back at the deadline, bounded times", () => {
    assert.deepEqual(read(), {
      settings: {
        strategy: "drain",
        onDrainTimeout: "rollBack",
        drainTimeoutSeconds: 3600,
        quiesceTimeoutSeconds: 180,
        restoreTimeoutSeconds: 300,
        verifyTimeoutSeconds: 120,
      },
      message: "",
    });
  });

  it("values within bounds => taken", () => {
    const { settings, message } = read({ onDrainTimeout: "requeue", drainTimeoutSeconds: 5 });
    assert.equal(message, "");
    assert.equal(settings.onDrainTimeout, "requeue");
    assert.equal(settings.drainTimeoutSeconds, 5);
  });

  for (const [situation, rotation, expected] of [
    ["another strategy", { strategy: "live" }, /rotation\.strategy: "live" .* allowed: drain/],
    ["a misspelled field", { drainTimeoutSecond: 5 }, /did you mean "drainTimeoutSeconds"/],
    ["another end of the drain", { onDrainTimeout: "kill" }, /rollBack or requeue/],
    ["no time at all", { verifyTimeoutSeconds: 0 }, /verifyTimeoutSeconds: 0 .* from 10 to 3600/],
    ["a text", { drainTimeoutSeconds: "60" }, /drainTimeoutSeconds: "60"/],
    ["a fraction", { drainTimeoutSeconds: 1.5 }, /drainTimeoutSeconds: 1\.5/],
  ] as const) {
    it(`${situation} => refused by name`, () => {
      assert.match(read(rotation).message, expected);
    });
  }
});
