import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { defaultImages } from "../../versions.ts";
import { emptyPaths, nodeSet } from "../support/componentInputs.ts";
import { slurmValues as values, type Values } from "../support/slurmValues.ts";

describe("toSlurmValues", () => {
  it("R06: keys => never made by the chart, taken from our Secrets", () => {
    const { slurmKey, jwtKey } = values();
    assert.deepEqual(slurmKey, {
      create: false,
      secretRef: { name: "slurm-auth", key: "slurm.key" },
    });
    assert.deepEqual(jwtKey, { create: false, secretRef: { name: "slurm-jwt", key: "jwt.key" } });
  });

  it("the lab's settings => the values that the real operator was recorded with", () => {
    const recorded = JSON.parse(readFileSync("test/recorded/values.json", "utf8")) as Values;
    const lab = values({
      images: {
        ...defaultImages,
        slurmctld: "lab/slurmctld:26.05",
        slurmd: "lab/slurmd:26.05",
        slurmrestd: "lab/slurmrestd:26.05",
      },
      slurmConf: {
        ProctrackType: "proctrack/linuxproc",
        TaskPlugin: "task/none",
        SlurmctldDebug: "info",
      },
      configFiles: { "cgroup.conf": "CgroupPlugin=disabled\n" },
    });
    for (const key of ["slurmKey", "jwtKey", "configFiles"]) {
      assert.deepEqual(lab[key], recorded[key], key);
    }
    for (const container of ["slurmctld", "logfile"]) {
      assert.deepEqual(lab.controller?.[container], recorded.controller?.[container], container);
    }
    for (const container of ["slurmd", "logfile"]) {
      const image = (set: Values) => (set.nodesets?.compute as Values[string])?.[container]?.image;
      assert.deepEqual(image(lab), image(recorded), container);
    }
    const texts = Object.entries(recorded.controller?.extraConfMap ?? {});
    assert.deepEqual(
      lab.controller?.extraConfMap,
      Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
    );
  });

  it("sidecars => the image of their daemon, never the chart's moving tag", () => {
    const { controller, nodesets } = values();
    assert.deepEqual(controller?.logfile, controller?.slurmctld);
    assert.deepEqual(controller?.reconfigure, controller?.slurmctld);
    const compute = nodesets?.compute as Values[string];
    assert.deepEqual(compute.logfile?.image, compute.slurmd?.image);
    assert.doesNotMatch(JSON.stringify(values()), /latest/);
  });

  it("images with port, digest or both => repository, tag and digest apart", () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const images = {
      ...defaultImages,
      slurmctld: "localhost:5000/a/slurmctld:v1",
      slurmrestd: `ghcr.io/a/slurmrestd@${digest}`,
    };
    const { controller, restapi } = values({ images });
    assert.deepEqual(controller?.slurmctld?.image, {
      repository: "localhost:5000/a/slurmctld",
      tag: "v1",
    });
    assert.deepEqual(restapi?.slurmrestd, {
      image: { repository: "ghcr.io/a/slurmrestd", digest },
    });
  });

  it("slurmctld => persistent, ReturnToService 2 whatever else is set, one slurmrestd", () => {
    const { controller, restapi } = values({
      slurmConf: { MinJobAge: "5" },
      controllerStorage: { size: "1Gi", storageClass: "fast" },
    });
    assert.deepEqual(controller?.extraConfMap, { MinJobAge: "5", ReturnToService: "2" });
    assert.deepEqual(controller?.persistence, {
      enabled: true,
      storageClassName: "fast",
      resources: { requests: { storage: "1Gi" } },
    });
    assert.equal(restapi?.replicas, 1);
  });

  it("a NodeSet with its own partition name => the chart's own partition of the NodeSet", () => {
    const { nodesets, partitions } = values();
    assert.deepEqual(nodesets?.compute?.partition, {
      enabled: true,
      configMap: { State: "UP", MaxTime: "UNLIMITED", Default: "YES" },
    });
    assert.deepEqual(partitions, {});
  });

  it("a NodeSet with another partition name => an entry of partitions instead", () => {
    const gpu = nodeSet({ partition: "gpu-queue", isDefault: false, extraConf: { Weight: "5" } });
    const { nodesets, partitions } = values({ nodeSets: { gpu } });
    assert.deepEqual(nodesets?.gpu?.partition, { enabled: false });
    assert.deepEqual(nodesets?.gpu?.extraConfMap, { Weight: "5" });
    assert.deepEqual(partitions?.["gpu-queue"], {
      enabled: true,
      nodesets: ["gpu"],
      configMap: { State: "UP", MaxTime: "UNLIMITED" },
    });
  });

  it("placement, features, update strategy and pdb => where the chart takes them", () => {
    const { nodesets } = values({
      nodeSets: {
        compute: nodeSet({
          features: ["a100", "nvlink"],
          extraConf: { Weight: "5" },
          nodeSelector: { zone: "b" },
          tolerations: [{ key: "gpu", operator: "Exists" }],
          updateStrategy: { type: "RollingUpdate", maxUnavailable: 1 },
          pdb: false,
        }),
      },
    });
    const compute = nodesets?.compute as Record<string, unknown>;
    assert.deepEqual(compute.extraConfMap, { Weight: "5", Features: "a100,nvlink" });
    assert.deepEqual(compute.podSpec, {
      nodeSelector: { zone: "b" },
      tolerations: [{ key: "gpu", operator: "Exists" }],
    });
    assert.deepEqual(compute.updateStrategy, {
      type: "RollingUpdate",
      rollingUpdate: { maxUnavailable: 1 },
    });
    assert.equal(compute.workloadDisruptionProtection, false);
  });

  it("a partition over several NodeSets => an entry of partitions beside their own", () => {
    const parameters = { State: "UP", MaxTime: "60" };
    const { partitions, nodesets } = values({
      nodeSets: { compute: nodeSet({ isDefault: false }), gpu: nodeSet({ partition: "gpu" }) },
      partitions: { both: { nodeSets: ["compute", "gpu"], isDefault: true, parameters } },
    });
    assert.deepEqual(partitions, {
      both: {
        enabled: true,
        nodesets: ["compute", "gpu"],
        configMap: { State: "UP", MaxTime: "60", Default: "YES" },
      },
    });
    assert.deepEqual(nodesets?.compute?.partition, {
      enabled: true,
      configMap: { State: "UP", MaxTime: "UNLIMITED" },
    });
  });

  it("an autoscaler's NodeSet => starts with its replicas, which then never change here", () => {
    const owned = values({ nodeSets: { compute: nodeSet({ replicasOwnedBy: "autoscaler" }) } });
    assert.deepEqual(owned, values());
    assert.equal(owned.nodesets?.compute?.replicas, 2);
  });

  it("scripts => each kind under the chart's name for it", () => {
    const scripts = {
      prolog: { a: "1" },
      epilog: { b: "2" },
      prologSlurmctld: { c: "3" },
      epilogSlurmctld: { d: "4" },
    };
    const all = values({ scripts });
    assert.deepEqual(
      [
        all.prologScripts,
        all.epilogScripts,
        all.prologSlurmctldScripts,
        all.epilogSlurmctldScripts,
      ],
      [{ a: "1" }, { b: "2" }, { c: "3" }, { d: "4" }],
    );
  });

  it("image pull Secrets => named for every pod", () => {
    const { imagePullSecrets } = values({ imagePullSecrets: ["regcred"] });
    assert.deepEqual(imagePullSecrets, [{ name: "regcred" }]);
  });

  it("R38: every value => set; no explicit null anywhere", () => {
    assert.deepEqual(emptyPaths(values()), []);
  });
});
