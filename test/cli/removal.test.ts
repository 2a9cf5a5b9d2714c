import { strict as assert } from "node:assert";

import { decideDestroy } from "../../cli/removal.ts";

describe("R28: decideDestroy", () => {
  it("a cluster that answers => proceed", () => {
    assert.equal(decideDestroy("existing", true, 20).kind, "proceed");
    assert.equal(decideDestroy("kind", true, 20).kind, "proceed");
  });

  it("an existing cluster that does not answer => refused, nothing is forgotten", () => {
    const mode = decideDestroy("existing", false, 20);
    assert.equal(mode.kind, "refuse");
    assert.match(JSON.stringify(mode), /nothing was changed/);
  });

  it("a KinD cluster that is gone => proceed without it", () => {
    assert.equal(decideDestroy("kind", false, 20).kind, "proceed-without-cluster");
  });

  it("nothing in the state => proceed, cluster or not", () => {
    assert.equal(decideDestroy("existing", false, 0).kind, "proceed");
  });
});
