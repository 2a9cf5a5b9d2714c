import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { MariaDb } from "../../components/mariaDb.ts";
import { toMariaDbSpec } from "../../components/mariaDbSpec.ts";
import { recordProgram, resourceNamed } from "../support/pulumiMocks.ts";

const args = {
  image: "lab/mariadb:11.8",
  imagePullSecrets: ["regcred"],
  namespace: "slurm",
  storage: { size: "1Gi", storageClass: "fast" },
  password: "the database password",
  timeoutSeconds: 90,
};

interface Container {
  image: string;
  env: { name: string; value: string }[];
  readinessProbe: { exec: { command: string[] } };
  volumeMounts: { name: string; mountPath: string }[];
}

describe("MariaDb", () => {
  it("constructed => Secret, headless Service and StatefulSet of one name", async () => {
    const recorded = await recordProgram(() => new MariaDb("slurm-database", args));
    const service = resourceNamed(recorded, "kubernetes:core/v1:Service", "slurm-database-service");
    const database = resourceNamed(recorded, "kubernetes:apps/v1:StatefulSet", "slurm-database");
    const secret = resourceNamed(recorded, "kubernetes:core/v1:Secret", "slurm-database-password");
    assert.equal((service.inputs.spec as { clusterIP: string }).clusterIP, "None");
    assert.ok(database.dependencies.includes(secret.urn));
    for (const { inputs } of [service, database, secret]) {
      const { name, namespace } = inputs.metadata as { name: string; namespace: string };
      assert.deepEqual([name, namespace], ["slurm-database", "slurm"]);
    }
  });

  it("the volume => kept when the StatefulSet goes", () => {
    const spec = toMariaDbSpec(args) as unknown as Record<string, unknown>;
    assert.deepEqual(spec.persistentVolumeClaimRetentionPolicy, {
      whenDeleted: "Retain",
      whenScaled: "Retain",
    });
    assert.match(JSON.stringify(spec.volumeClaimTemplates), /"fast".*"storage":"1Gi"/);
  });

  it("the password => a mounted file, in no variable, argument or probe", () => {
    const spec = toMariaDbSpec(args);
    const text = JSON.stringify(spec);
    assert.ok(!text.includes(args.password));
    const [container] = (spec as unknown as { template: { spec: { containers: Container[] } } })
      .template.spec.containers;
    const file = container?.env.find(({ name }) => name === "MARIADB_PASSWORD_FILE")?.value ?? "";
    const folder = container?.volumeMounts.find(({ name }) => name === "password")?.mountPath;
    assert.equal(file, `${folder}/password`);
    assert.ok(container?.readinessProbe.exec.command[2]?.includes(`$(cat ${file})`));
  });

  it("the probe => a command that a shell can read", () => {
    const spec = toMariaDbSpec(args) as unknown as {
      template: { spec: { containers: Container[] } };
    };
    const [, , script = ""] = spec.template.spec.containers[0]?.readinessProbe.exec.command ?? [];
    execFileSync("sh", ["-n", "-c", script]);
  });
});
