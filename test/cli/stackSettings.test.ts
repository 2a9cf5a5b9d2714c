import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readStackSettings, toStackSettings } from "../../cli/stackSettings.ts";

describe("toStackSettings", () => {
  it("no file content => the project's defaults", () => {
    const { cluster, kindName, bundle } = toStackSettings(null);
    assert.deepEqual(
      { cluster, kindName, bundle },
      { cluster: "kind", kindName: "slinky", bundle: undefined },
    );
  });

  it("a lab stack => its bundle, name and node image", () => {
    const config = {
      "slinky-stack:kindName": "slinky-lab",
      "slinky-stack:bundle": "lab",
      "slinky-stack:kindNodeImage": "lab/node:v1.34.4",
      "slinky-stack:images": { registry: "reg.example.com/m", slurmd: "own/slurmd:1" },
      "other:bundle": "no",
    };
    const settings = toStackSettings({ config });
    assert.equal(settings.bundle, "lab");
    assert.equal(settings.kindName, "slinky-lab");
    assert.equal(settings.kindNodeImage, "lab/node:v1.34.4");
    assert.equal(settings.imageRegistry, "reg.example.com/m");
    assert.deepEqual(settings.images, { slurmd: "own/slurmd:1" });
  });
});

describe("readStackSettings", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "settings-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("a stack without a file => defaults", async () => {
    assert.equal((await readStackSettings("none", folder)).cluster, "kind");
  });

  it("a file that is no YAML => an error that names it", async () => {
    await writeFile(join(folder, "Pulumi.bad.yaml"), "config: [");
    await assert.rejects(readStackSettings("bad", folder), /Pulumi\.bad\.yaml cannot be read/);
  });
});
