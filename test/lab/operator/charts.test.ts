import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { resourceKinds, SLINKY_API_VERSION } from "../../../lab/operator/kube/resources.ts";
import { customKinds } from "../../../lab/operator/crds.ts";

const charts = path.join(import.meta.dirname, "..", "..", "..", "lab", "charts");

function read(...parts: string[]): string {
  return readFileSync(path.join(charts, ...parts), "utf8");
}

interface Values {
  slurmKey: { create: boolean };
  jwtKey: { create: boolean };
  operator: { image: { repository: string; tag: string | null } };
  nodesets: object;
  partitions: { all: { enabled: boolean } };
}

describe("charts", () => {
  it("each chart => its own name and the version of the real one", () => {
    for (const name of ["slurm-operator-crds", "slurm-operator", "slurm"]) {
      const chart = parse(read(name, "Chart.yaml")) as { name: string; version: string };
      assert.deepEqual([chart.name, chart.version], [name, "1.2.1"]);
    }
  });

  it("defaults => keys are made by the chart, no NodeSet, no partition, images of the real chart", () => {
    const slurm = parse(read("slurm", "values.yaml")) as Values;
    assert.deepEqual([slurm.slurmKey.create, slurm.jwtKey.create], [true, true]);
    assert.deepEqual([slurm.nodesets, slurm.partitions.all.enabled], [{}, false]);
    const { image } = (parse(read("slurm-operator", "values.yaml")) as Values).operator;
    assert.deepEqual(image, { repository: "ghcr.io/slinkyproject/slurm-operator", tag: null });
  });

  it("definitions => one for every kind the operator reconciles", () => {
    const template = read("slurm-operator-crds", "templates", "crds.yaml");
    const found = [...template.matchAll(/"kind" "(\w+)" "plural" "(\w+)"/g)].map(
      ([, kind, plural]) => [kind, plural],
    );
    assert.deepEqual(
      found,
      customKinds.map((kind) => [kind, resourceKinds[kind]?.plural]),
    );
    assert.match(template, new RegExp(`group: ${SLINKY_API_VERSION.split("/")[0] ?? ""}`));
  });

  it("RBAC => every kind the operator uses is named in its ClusterRole", () => {
    const rbac = read("slurm-operator", "templates", "rbac.yaml");
    for (const { apiVersion, plural } of Object.values(resourceKinds)) {
      if (apiVersion !== SLINKY_API_VERSION) {
        assert.match(rbac, new RegExp(`resources: \\[.*\\b${plural}\\b.*\\]`), plural);
      }
    }
  });

  it("key Secrets of the chart => immutable and kept by lookup", () => {
    const keys = read("slurm", "templates", "keys.yaml");
    assert.match(keys, /^immutable: true$/m);
    assert.match(keys, /lookup "v1" "Secret"/);
    assert.ok(readdirSync(path.join(charts, "slurm", "templates")).includes("controller.yaml"));
  });
});
