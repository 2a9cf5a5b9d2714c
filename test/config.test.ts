import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { configKeys } from "../config/stackConfig.ts";
import { defaultImages, kindNodeImage } from "../versions.ts";
import { ConfigFolder } from "./support/configFolder.ts";

const kubeconfig = "contexts: [{ name: prod }, { name: staging }]";

describe("stack configuration", () => {
  let folder: ConfigFolder;
  const read = (values: Record<string, unknown>) => folder.read(values);

  beforeEach(() => {
    folder = new ConfigFolder();
    folder.write("kubeconfig", kubeconfig);
  });
  afterEach(() => folder.remove());

  it("nothing set => a KinD cluster with the pinned upstream charts and images", async () => {
    const config = await read({});
    assert.deepEqual(config.cluster, {
      kind: "kind",
      name: "slinky",
      workers: 2,
      nodeImage: kindNodeImage,
      kubeadmPatches: [],
      minimumFreeGiB: 10,
      timeoutSeconds: 300,
    });
    assert.deepEqual(config.sources.charts.slurm, {
      chart: "oci://ghcr.io/slinkyproject/charts/slurm",
      version: "1.2.1",
    });
    assert.deepEqual(config.sources.images, defaultImages);
    assert.equal(config.keySeed, "initial");
    assert.deepEqual(config.controllerStorage, { size: "4Gi" });
    assert.deepEqual(config.nodeSets.compute, {
      replicas: 2,
      replicasOwnedBy: "stack",
      partition: "compute",
      isDefault: true,
      oversubscribe: false,
      extraConf: {},
      features: [],
      resources: {},
      nodeSelector: {},
      tolerations: [],
      updateStrategy: { type: "RollingUpdate" },
      pdb: true,
    });
    assert.deepEqual([config.partitions, config.loginSets], [{}, {}]);
    assert.deepEqual([config.accounting, config.sssdSecret], [undefined, undefined]);
  });

  it("Pulumi.yaml => declares exactly the keys that are read, and its defaults are accepted", async () => {
    const project = parse(readFileSync("Pulumi.yaml", "utf8")) as {
      config: Record<string, { default?: unknown }>;
    };
    assert.deepEqual(Object.keys(project.config).sort(), [...configKeys].sort());
    const defaults: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(project.config)) defaults[key] = value.default;
    assert.deepEqual(await read(defaults), await read({}));
  });

  for (const stack of ["dev", "lab"]) {
    it(`Pulumi.${stack}.yaml => accepted, default providers switched off (R21)`, async () => {
      folder.environment.SLINKY_LAB_BUNDLE = folder.makeBundle();
      const file = parse(readFileSync(`Pulumi.${stack}.yaml`, "utf8")) as {
        config: Record<string, unknown>;
      };
      assert.deepEqual(file.config["pulumi:disable-default-providers"], ["kubernetes"]);
      const own: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(file.config)) {
        const [namespace, name = ""] = key.split(":");
        if (namespace === "slinky-stack") own[name] = value;
      }
      await read(own);
    });
  }

  it("several bad values => all of them in one error", async () => {
    const bad = { cluster: "minikube", kindWorkers: "10", keySeed: "", clutser: "kind" };
    await assert.rejects(read(bad), (error: Error) => {
      assert.match(error.message, /nothing was touched/);
      assert.match(error.message, /clutser: there is no such key; did you mean "cluster"\?/);
      assert.match(error.message, /cluster: "minikube" is not allowed; allowed: kind or existing/);
      assert.match(error.message, /kindWorkers: "10" .* a whole number from 0 to 9/);
      assert.match(error.message, /keySeed: "" .* 1 to 128 printable/);
      return true;
    });
  });

  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ["kindName with capitals", { kindName: "Slinky" }, /kindName: "Slinky" .* RFC 1123 label/],
    ["kindName of 41 letters", { kindName: "a".repeat(41) }, /kindName: .* at most 40/],
    ["kindWorkers 1.5", { kindWorkers: "1.5" }, /kindWorkers: "1\.5"/],
    [
      "kindNodeImage latest",
      { kindNodeImage: "kindest/node:latest" },
      /kindNodeImage: .* other than latest/,
    ],
    [
      "a kubeadm patch without kind",
      { kindKubeadmPatches: [{ a: 1 }] },
      /kindKubeadmPatches\[0\]: .*ClusterConfiguration/,
    ],
    ["kubeconfig with KinD", { kubeconfig: "x" }, /kubeconfig: belongs to cluster: existing/],
    ["context with KinD", { context: "x" }, /context: belongs to cluster: existing/],
    ["a key seed of 129 letters", { keySeed: "a".repeat(129) }, /keySeed: .* 1 to 128/],
    ["a key seed with a line break", { keySeed: "a\nb" }, /keySeed: /],
    [
      "charts in a folder that lacks them",
      { charts: "charts" },
      /charts: chart cert-manager is missing: .*charts has no cert-manager-v1\.21\.2\.tgz/,
    ],
    [
      "an unknown image",
      { images: { slurmdd: "a:1" } },
      /images\.slurmdd: .* did you mean "slurmd"/,
    ],
    ["an image without tag", { images: { slurmd: "lab/slurmd" } }, /images\.slurmd: "lab\/slurmd"/],
    ["an image tagged latest", { images: { slurmd: "lab/slurmd:latest" } }, /images\.slurmd: /],
    ["a registry that is a path", { images: { registry: "mirror" } }, /images\.registry: "mirror"/],
    [
      "an image pull Secret with capitals",
      { imagePullSecrets: ["A"] },
      /imagePullSecrets\[0\]: "A"/,
    ],
    [
      "bundle lab without the lab",
      { bundle: "lab" },
      /SLINKY_LAB_BUNDLE is not set: .*npm run lab:build.*lab:env/,
    ],
    [
      "a bundle that is not there",
      { bundle: "nowhere" },
      /bundle: the bundle folder .*nowhere does not exist/,
    ],
    [
      "controllerStorage with a typo",
      { controllerStorage: { sise: "4Gi" } },
      /controllerStorage\.sise: .*"size"/,
    ],
    [
      "a size that is no quantity",
      { controllerStorage: { size: "big" } },
      /controllerStorage\.size: "big"/,
    ],
    [
      "a storage class with capitals",
      { controllerStorage: { storageClass: "X" } },
      /storageClass: "X"/,
    ],
    [
      "a timeout below its least",
      { helmTimeoutSeconds: "5" },
      /helmTimeoutSeconds: "5" .* from 30 to 7200/,
    ],
    ["nodeSets that are a list", { nodeSets: [] }, /nodeSets: \[\] is not allowed; allowed: a map/],
    [
      "existing without kubeconfig",
      { cluster: "existing", context: "prod" },
      /kubeconfig: \(not set\)/,
    ],
    [
      "a kubeconfig that is not there",
      { cluster: "existing", kubeconfig: "nope", context: "prod" },
      /kubeconfig: "nope" .* a readable file/,
    ],
    [
      "no context",
      { cluster: "existing", kubeconfig: "kubeconfig" },
      /context: \(not set\) .* prod, staging/,
    ],
    [
      "an unknown context",
      { cluster: "existing", kubeconfig: "kubeconfig", context: "dev" },
      /context: "dev" .* prod, staging/,
    ],
  ];
  for (const [situation, values, message] of refusals) {
    it(`${situation} => refused`, async () => {
      await assert.rejects(read(values), message);
    });
  }
});
