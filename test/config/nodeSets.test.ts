import { strict as assert } from "node:assert";
import { type NodeSetConfig, readNodeSets } from "../../config/nodeSets.ts";
import { Problems } from "../../config/problems.ts";
import { RawValues } from "../../config/rawValues.ts";

const read = (nodeSets: unknown, schedulableNodes?: number): Record<string, NodeSetConfig> => {
  const problems = new Problems();
  const raw = new RawValues({ nodeSets: JSON.stringify(nodeSets) }, problems);
  const result = readNodeSets(raw, schedulableNodes);
  problems.throwIfAny();
  return result;
};

describe("nodeSets", () => {
  it("every field => read", () => {
    const nodeSet = {
      replicas: 3,
      replicasOwnedBy: "autoscaler",
      partition: "gpu_A",
      default: true,
      oversubscribe: true,
      extraConf: { Weight: 5, Gres: ["gpu:2", "shard:8"] },
      features: ["a100", "nvlink"],
      nodeSelector: { zone: "b" },
      tolerations: [{ key: "gpu", operator: "Exists", effect: "NoSchedule" }],
      updateStrategy: { type: "RollingUpdate", maxUnavailable: "50%" },
      pdb: false,
      resources: { requests: { cpu: "500m", memory: "2Gi" }, limits: { cpu: 2 } },
    };
    assert.deepEqual(read({ gpu: nodeSet }).gpu, {
      replicas: 3,
      replicasOwnedBy: "autoscaler",
      partition: "gpu_A",
      isDefault: true,
      oversubscribe: true,
      extraConf: { Weight: "5", Gres: "gpu:2,shard:8" },
      features: ["a100", "nvlink"],
      nodeSelector: { zone: "b" },
      tolerations: [{ key: "gpu", operator: "Exists", effect: "NoSchedule" }],
      updateStrategy: { type: "RollingUpdate", maxUnavailable: "50%" },
      pdb: false,
      resources: { requests: { cpu: "500m", memory: "2Gi" }, limits: { cpu: "2" } },
    });
  });

  it("R36: zero replicas => accepted", () => {
    assert.equal(read({ gpu: { replicas: 0 } }).gpu?.replicas, 0);
  });

  const longest = "a".repeat(39);
  it("the longest name => fits every object made from it", () => {
    read({ [longest]: { replicas: 1 } });
    assert.equal(`slurm-worker-${longest}-0123456789`.length, 63);
  });

  const one = { replicas: 1 };
  const refusals: [string, unknown, RegExp][] = [
    ["no NodeSet", {}, /nodeSets: \{\} .* at least one/],
    ["a name with capitals", { GPU: one }, /nodeSets\.GPU: .* RFC 1123/],
    ["a name that is too long", { [`${longest}a`]: one }, /at most 39 characters/],
    ["the name all", { all: one }, /nodeSets\.all: /],
    ["no replicas", { gpu: {} }, /gpu\.replicas: \(not set\)/],
    ["replicas as text", { gpu: { replicas: "2" } }, /gpu\.replicas: "2"/],
    ["negative replicas", { gpu: { replicas: -1 } }, /gpu\.replicas: -1/],
    ["half a replica", { gpu: { replicas: 1.5 } }, /gpu\.replicas: 1\.5/],
    ["1025 replicas", { gpu: { replicas: 1025 } }, /gpu\.replicas: 1025 .* 0 to 1024/],
    [
      "more than 1024 together",
      { a: { replicas: 1000 }, b: { replicas: 25 } },
      /ask for 1025 nodes/,
    ],
    ["an unknown field", { gpu: { replica: 1 } }, /gpu\.replica: .* did you mean "replicas"/],
    ["a NodeSet that is a number", { gpu: 2 }, /nodeSets\.gpu: 2 .* a map of replicas/],
    ["a partition named DEFAULT", { gpu: { ...one, partition: "DEFAULT" } }, /gpu\.partition: /],
    ["a partition with a blank", { gpu: { ...one, partition: "a b" } }, /gpu\.partition: "a b"/],
    [
      "a default that is text",
      { gpu: { ...one, default: "yes" } },
      /gpu\.default: "yes" .* true or false/,
    ],
    [
      "two defaults",
      { a: { ...one, default: true }, b: { ...one, default: true } },
      /a and b are both default/,
    ],
    [
      "one partition claimed twice",
      { a: { ...one, partition: "x" }, b: { ...one, partition: "X" } },
      /nodeSets\.b: claims partition X, which NodeSet a has/,
    ],
    [
      "another NodeSet's own partition",
      { a: { ...one, partition: "b" }, b: one },
      /nodeSets\.b: claims partition b/,
    ],
    ["extraConf with quotes", { gpu: { ...one, extraConf: { Gres: "'x'" } } }, /extraConf\.Gres: /],
    [
      "extraConf with a blank",
      { gpu: { ...one, extraConf: { Gres: "a b" } } },
      /extraConf\.Gres: /,
    ],
    [
      "resources that are no quantity",
      { gpu: { ...one, resources: { limits: { cpu: "many" } } } },
      /resources\.limits: /,
    ],
    [
      "an unknown kind of resources",
      { gpu: { ...one, resources: { limit: {} } } },
      /resources\.limit: .*"limits"/,
    ],
  ];
  const fieldRefusals: [string, object, RegExp][] = [
    ["an owner nobody knows", { replicasOwnedBy: "hpa" }, /replicasOwnedBy: "hpa" .* autoscaler/],
    ["a feature with a comma", { features: ["a,b"] }, /gpu\.features: /],
    ["features twice", { extraConf: { Feature: "x" } }, /extraConf\.Feature: is set by features/],
    ["a node label that is a number", { nodeSelector: { zone: 1 } }, /gpu\.nodeSelector: /],
    ["a toleration without key", { tolerations: [{}] }, /tolerations\[0\]\.key: \(not set\)/],
    [
      "a toleration with an unknown effect",
      { tolerations: [{ operator: "Exists", effect: "Never" }] },
      /tolerations\[0\]\.effect: "Never" .* NoSchedule/,
    ],
    [
      "an unknown strategy",
      { updateStrategy: { type: "Recreate" } },
      /type: "Recreate" .*OnDelete/,
    ],
    [
      "an update that never replaces a pod",
      { updateStrategy: { maxUnavailable: 0 } },
      /maxUnavailable: 0 .* a count/,
    ],
    [
      "OnDelete with a count",
      { updateStrategy: { type: "OnDelete", maxUnavailable: 1 } },
      /maxUnavailable: means nothing with type: OnDelete/,
    ],
    ["pdb as text", { pdb: "on" }, /gpu\.pdb: "on"/],
  ];
  for (const [situation, fields, message] of fieldRefusals) {
    refusals.push([situation, { gpu: { ...one, ...fields } }, message]);
  }
  for (const [situation, nodeSets, message] of refusals) {
    it(`${situation} => refused`, () => assert.throws(() => read(nodeSets), message));
  }

  it("more replicas than nodes, one pod a node => refused; oversubscribed => accepted", () => {
    assert.throws(() => read({ gpu: { replicas: 3 } }, 2), /at most 2 on this KinD cluster/);
    assert.equal(read({ gpu: { replicas: 3, oversubscribe: true } }, 2).gpu?.replicas, 3);
  });
});
