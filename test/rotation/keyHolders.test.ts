import { strict as assert } from "node:assert";
import { forEach } from "../../rotation/keyHolders.ts";

describe("forEach", () => {
  it("many items => every one once, several at a time, never more than ten", async () => {
    const items = Array.from({ length: 200 }, (_, index) => index);
    const seen: number[] = [];
    let [running, most] = [0, 0];
    await forEach(items, async (item) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      seen.push(item);
      running--;
    });
    assert.deepEqual(
      seen.sort((a, b) => a - b),
      items,
    );
    assert.equal(most, 10);
  });

  it("one fails => no other begins, and those that run end first", async () => {
    const ended: number[] = [];
    const work = async (item: number): Promise<void> => {
      if (item === 3) throw new Error("third");
      await new Promise(setImmediate);
      ended.push(item);
    };
    await assert.rejects(
      forEach(
        Array.from({ length: 50 }, (_, index) => index),
        work,
      ),
      /third/,
    );
    assert.deepEqual(ended, [0, 1, 2, 4, 5, 6, 7, 8, 9]);
  });
});
