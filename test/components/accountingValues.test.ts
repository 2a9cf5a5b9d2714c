import { strict as assert } from "node:assert";
import { defaultImages } from "../../versions.ts";
import { slurmValues as values } from "../support/slurmValues.ts";

describe("accounting values", () => {
  it("accounting off => said so, and slurmctld waits for nothing", () => {
    const { accounting, controller } = values();
    assert.deepEqual(accounting, { enabled: false });
    assert.equal(controller?.podSpec, undefined);
  });

  it("accounting with the stack's own database => its Service and Secret; slurmctld second", () => {
    const { accounting, controller } = values({ accounting: { storage: { size: "1Gi" } } });
    assert.equal(accounting?.enabled, true);
    assert.deepEqual(accounting?.storageConfig, {
      host: "slurm-database",
      port: 3306,
      database: "slurm_acct_db",
      username: "slurm",
      passwordKeyRef: { name: "slurm-database", key: "password" },
    });
    const [wait] = controller?.podSpec?.initContainers as { image: string; command: string[] }[];
    assert.equal(wait?.image, defaultImages.slurmctld);
    assert.deepEqual(wait?.command.slice(3), [
      "wait-for-slurmdbd",
      "slurm-accounting",
      "6819",
      "120",
    ]);
  });

  it("accounting with another database => that one", () => {
    const passwordSecret = { name: "db-login", key: "pw" };
    const database = { host: "db", port: 3307, database: "acct", username: "u", passwordSecret };
    const { accounting } = values({ accounting: { database } });
    assert.deepEqual(accounting?.storageConfig, {
      host: "db",
      port: 3307,
      database: "acct",
      username: "u",
      passwordKeyRef: { name: "db-login", key: "pw" },
    });
  });
});
