import { strict as assert } from "node:assert";
import { RotatorAccess, rotatorRules } from "../../components/rotatorAccess.ts";
import { rotationAccess } from "../../rotation/access.ts";
import { recordProgram, type RecordedResource, resourceNamed } from "../support/pulumiMocks.ts";

const rbac = "kubernetes:rbac.authorization.k8s.io/v1";

describe("RotatorAccess", () => {
  let recorded: RecordedResource[];
  before(async () => {
    const args = { namespace: "slurm", operatorNamespace: "slinky" };
    recorded = await recordProgram(() => new RotatorAccess("rotator", args));
  });

  it("constructed => a ServiceAccount, bound in both namespaces and to two names of the cluster", () => {
    assert.deepEqual(recorded.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`).sort(), [
      "ClusterRole rotator-cluster",
      "ClusterRoleBinding rotator-cluster",
      "Role rotator-operator",
      "Role rotator-slurm",
      "RoleBinding rotator-operator",
      "RoleBinding rotator-slurm",
      "RotatorAccess rotator",
      "ServiceAccount rotator",
    ]);
    for (const place of ["slurm", "operator"]) {
      const { inputs } = resourceNamed(recorded, `${rbac}:RoleBinding`, `rotator-${place}`);
      const subject = { kind: "ServiceAccount", name: "slinky-stack-rotator", namespace: "slurm" };
      assert.deepEqual(inputs["subjects"], [subject]);
    }
  });

  it("its rules => those of a rotation, no wildcard, no access to all namespaces' objects", () => {
    const { inputs } = resourceNamed(recorded, `${rbac}:ClusterRole`, "rotator-cluster");
    assert.deepEqual(inputs["rules"], [
      {
        apiGroups: [""],
        resources: ["namespaces"],
        verbs: ["get"],
        resourceNames: ["kube-system"],
      },
      { apiGroups: [""], resources: ["namespaces"], verbs: ["patch"], resourceNames: ["slurm"] },
    ]);
    for (const { verbs, group, resource } of rotationAccess) {
      assert.ok(![...verbs, group, resource].includes("*"));
    }
    const places = ["slurm", "operator", "cluster"] as const;
    const made = places.flatMap((place) => rotatorRules(place, "slurm"));
    assert.equal(made.length, rotationAccess.length);
  });
});
