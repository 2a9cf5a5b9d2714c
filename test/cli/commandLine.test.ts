import { strict as assert } from "node:assert";

import { describeError, parseOptions, positiveNumber, UsageError } from "../../cli/commandLine.ts";

describe("parseOptions", () => {
  it("known options => their values; --stack and --yes always", () => {
    const options = parseOptions({ json: "boolean" }, ["--stack", "lab", "--json", "--yes"]);
    assert.deepEqual({ ...options }, { stack: "lab", json: true, yes: true });
  });

  for (const words of [["--nope"], ["stray"], ["--stack"], ["--yes=1"]]) {
    it(`${words.join(" ")} => a usage error`, () => {
      assert.throws(() => parseOptions({}, words), UsageError);
    });
  }
});

describe("positiveNumber", () => {
  it("a number => the number; not given => undefined", () => {
    assert.equal(positiveNumber({ nodes: "2" }, "nodes"), 2);
    assert.equal(positiveNumber({}, "nodes"), undefined);
  });

  for (const value of ["0", "-1", "two", "1.5", ""]) {
    it(`"${value}" => a usage error`, () => {
      assert.throws(() => positiveNumber({ nodes: value }, "nodes"), UsageError);
    });
  }
});

describe("describeError", () => {
  it("an error with causes => one line each, repetitions left out", () => {
    const root = new Error("connection refused");
    const error = new Error("no answer", {
      cause: new Error("no answer: connection refused", { cause: root }),
    });
    assert.equal(describeError(error), "no answer\n  because: no answer: connection refused");
  });
});
