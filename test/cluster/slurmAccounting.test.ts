import { strict as assert } from "node:assert";
import { isClusterRegistered } from "../../cluster/slurmAccounting.ts";

const ask = (stdout: string, exitCode = 0, stderr = "") =>
  isClusterRegistered(() => Promise.resolve({ exitCode, stdout, stderr }), "slurm_slurm");

describe("isClusterRegistered", () => {
  it("a cluster with its slurmctld's address => registered", async () => {
    assert.equal(await ask("slurm_slurm|10.244.1.5|6817\n"), true);
  });

  it("nothing, another cluster, or a record without an address => not registered", async () => {
    for (const text of ["", "other|10.0.0.1|6817\n", "slurm_slurm||0\n"]) {
      assert.equal(await ask(text), false, text);
    }
  });

  it("slurmdbd does not answer => its words", () =>
    assert.rejects(ask("", 1, "sacctmgr: error: Connection refused\n"), /Connection refused/));
});
