import { strict as assert } from "node:assert";
import { rmSync } from "node:fs";
import { chartNames, chartVersions } from "../../versions.ts";
import { ConfigFolder } from "../support/configFolder.ts";

describe("charts and images", () => {
  let folder: ConfigFolder;
  const read = (values: Record<string, unknown>) => folder.read(values);

  beforeEach(() => {
    folder = new ConfigFolder();
  });
  afterEach(() => folder.remove());

  it("charts: oci folder => every chart below it, still pinned", async () => {
    const { charts } = (await read({ charts: "oci://registry.example.com/charts/" })).sources;
    for (const name of chartNames) {
      assert.deepEqual(charts[name], {
        chart: `oci://registry.example.com/charts/${name}`,
        version: chartVersions[name],
      });
    }
  });

  it("charts: folder => the pinned archives", async () => {
    folder.makeCharts("charts");
    const { charts } = (await read({ charts: "charts" })).sources;
    assert.equal(charts.slurm.chart, folder.at("charts/slurm-1.2.1.tgz"));
  });

  it("images.registry and a single name => the name wins, the rest is mirrored", async () => {
    const images = { registry: "registry.example.com/m", slurmd: "localhost:5000/slurmd:1" };
    const resolved = (await read({ images })).sources.images;
    assert.equal(resolved.slurmd, "localhost:5000/slurmd:1");
    assert.equal(
      resolved.slurmctld,
      "registry.example.com/m/slinkyproject/slurmctld:26.05-ubuntu26.04",
    );
  });

  describe("bundle", () => {
    it("a full bundle => its charts, images and archives", async () => {
      folder.environment.SLINKY_LAB_BUNDLE = folder.makeBundle();
      const { sources } = await read({ bundle: "lab" });
      assert.equal(sources.images.slurmd, "lab/slurmd:1");
      assert.equal(sources.charts.slurm.chart, folder.at("bundle/charts/slurm-1.2.1.tgz"));
      assert.equal(sources.imageArchives.length, 1);
    });

    it("a single image name beside it => the name wins", async () => {
      folder.makeBundle();
      const values = { bundle: "bundle", images: { slurmd: "lab/slurmd:2" } };
      assert.equal((await read(values)).sources.images.slurmd, "lab/slurmd:2");
    });

    it("an image is missing => refused by name", async () => {
      folder.makeBundle(["slurmrestd"]);
      await assert.rejects(read({ bundle: "bundle" }), /bundle: image slurmrestd is missing/);
    });

    it("images of what is switched off are missing => accepted; switched on => refused", async () => {
      folder.makeBundle(["slurmdbd", "mariadb"]);
      await read({ bundle: "bundle" });
      const database = { host: "db", passwordSecret: { name: "login" } };
      for (const [accounting, message] of [
        [{ enabled: true }, /image slurmdbd is missing(.|\n)*image mariadb is missing/],
        [{ enabled: true, database }, /image slurmdbd is missing/],
      ] as const) {
        await assert.rejects(read({ bundle: "bundle", accounting }), message);
      }
    });

    it("the login image is missing => refused even without login pods: a rotation tries its keys with it", async () => {
      folder.makeBundle(["login"]);
      await assert.rejects(read({ bundle: "bundle" }), /bundle: image login is missing/);
    });

    it("an archive of images that nothing starts => not loaded", async () => {
      folder.makeBundle(["mariadb"]);
      folder.addArchive("mariadb", ["mariadb"]);
      const count = async (values: Record<string, unknown>) =>
        (await read({ bundle: "bundle", ...values })).sources.imageArchives.length;
      assert.equal(await count({}), 1);
      assert.equal(await count({ accounting: { enabled: true } }), 2);
    });

    it("a chart is missing => refused by name", async () => {
      folder.makeBundle();
      rmSync(folder.at("bundle/charts/slurm-1.2.1.tgz"));
      await assert.rejects(read({ bundle: "bundle" }), /bundle: chart slurm is missing/);
    });

    it("a registry beside it => refused", async () => {
      folder.makeBundle();
      const values = { bundle: "bundle", images: { registry: "registry.example.com" } };
      await assert.rejects(read(values), /images\.registry: and bundle exclude each other/);
    });
  });
});
