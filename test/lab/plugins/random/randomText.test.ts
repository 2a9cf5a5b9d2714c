import { strict as assert } from "node:assert";
import fc from "fast-check";
import { randomText, textRulesFailure } from "../../../../lab/plugins/random/randomText.ts";
import type { TextRules } from "../../../../lab/plugins/random/randomText.ts";

const RULES: TextRules = {
  length: 8,
  lower: true,
  upper: true,
  numeric: true,
  special: true,
  minLower: 0,
  minUpper: 0,
  minNumeric: 0,
  minSpecial: 0,
};

describe("randomText", () => {
  it("any rules that pass the check => length and minimums hold", () => {
    const least = fc.nat({ max: 4 });
    const rules = fc.record({
      length: fc.integer({ min: 1, max: 40 }),
      lower: fc.boolean(),
      upper: fc.boolean(),
      numeric: fc.boolean(),
      special: fc.boolean(),
      minLower: least,
      minUpper: least,
      minNumeric: least,
      minSpecial: least,
    });
    fc.assert(
      fc.property(rules, (given) => {
        fc.pre(textRulesFailure(given) === undefined);
        const text = randomText(given);
        const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
        assert.equal(text.length, given.length);
        const counts = [
          [given.lower, given.minLower, count(/[a-z]/g)],
          [given.upper, given.minUpper, count(/[A-Z]/g)],
          [given.numeric, given.minNumeric, count(/[0-9]/g)],
          [given.special, given.minSpecial, count(/[^a-zA-Z0-9]/g)],
        ] as const;
        for (const [allowed, minimum, found] of counts) {
          assert.ok(allowed ? found >= minimum : found === minimum);
        }
      }),
    );
  });

  it("10000 digits => each digit about as often (chi square below the 1-in-a-million bound)", () => {
    const digits = { ...RULES, length: 10_000, lower: false, upper: false, special: false };
    const counts = new Map<string, number>();
    for (const digit of randomText(digits)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const chiSquare = [..."0123456789"]
      .map((digit) => ((counts.get(digit) ?? 0) - 1000) ** 2 / 1000)
      .reduce((sum, term) => sum + term, 0);
    assert.ok(chiSquare < 45, `chi square ${chiSquare}`);
  });
});
