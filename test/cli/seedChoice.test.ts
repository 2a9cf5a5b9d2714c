import { strict as assert } from "node:assert";

import { freshSeed, seedToGoBackTo } from "../../cli/seedChoice.ts";

describe("freshSeed", () => {
  it("a generation and a time => a seed that the program takes, and another one a second later", () => {
    const seed = freshSeed(3, new Date("2026-12-01T01:02:03Z"));
    assert.equal(seed, "generation-3-20261201T010203Z");
    assert.match(seed, /^[\x20-\x7e]{1,128}$/);
    assert.notEqual(freshSeed(3, new Date("2026-12-01T01:02:04Z")), seed);
  });
});

describe("seedToGoBackTo", () => {
  it("another key is wished for, the old one serves => the one that serves", () => {
    const seeds = { wanted: "next", served: "now", previous: "before" };
    assert.equal(seedToGoBackTo(seeds), "now");
  });

  it("the wished key serves => the one before", () => {
    assert.equal(seedToGoBackTo({ wanted: "now", served: "now", previous: "before" }), "before");
  });

  it("a state that does not know what serves => the one before", () => {
    assert.equal(seedToGoBackTo({ wanted: "now", served: "", previous: "before" }), "before");
  });

  it("never rotated => an error that says so", () => {
    const seeds = { wanted: "now", served: "now", previous: "" };
    assert.throws(() => seedToGoBackTo(seeds), /never rotated/);
  });
});
