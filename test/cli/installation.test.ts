import { strict as assert } from "node:assert";

import { describeInstallation, versionOf } from "../../cli/installation.ts";
import { toStackSettings } from "../../cli/stackSettings.ts";
import { chartVersions, defaultImages } from "../../versions.ts";

describe("describeInstallation", () => {
  it("an upstream stack => every chart with version and registry, every image, KinD and Slurm", () => {
    const text = describeInstallation(toStackSettings({}), undefined).join("\n");
    assert.match(text, /KinD "slinky", Kubernetes v1\.\d+\.\d+ /);
    assert.match(text, new RegExp(`cert-manager ${chartVersions["cert-manager"]}  from oci://`));
    for (const image of Object.values(defaultImages)) assert.ok(text.includes(image), image);
    assert.match(text, /Slurm {4}26\.05/);
  });

  it("a bundle => its folder and its images; an image of the config wins", () => {
    const config = {
      "slinky-stack:bundle": "lab",
      "slinky-stack:images": { slurmd: "own/slurmd:9" },
    };
    const images = { slurmctld: "lab/slurmctld:26.05.5", slurmd: "lab/slurmd:26.05.5" };
    const bundle = { folder: "/cache/bundle", images };
    const text = describeInstallation(toStackSettings({ config }), bundle).join("\n");
    assert.match(text, /charts from \/cache\/bundle/);
    assert.match(text, /lab\/slurmctld:26\.05\.5/);
    assert.match(text, /own\/slurmd:9/);
    assert.match(text, /Slurm {4}26\.05\.5/);
  });

  it("a mirror registry => images from there, path kept", () => {
    const config = { "slinky-stack:images": { registry: "reg.example.com:5000/m/" } };
    const text = describeInstallation(toStackSettings({ config }), undefined).join("\n");
    assert.match(text, /reg\.example\.com:5000\/m\/slinkyproject\/slurmctld:/);
  });

  it("an existing cluster => it is said that it stays", () => {
    const settings = toStackSettings({ config: { "slinky-stack:cluster": "existing" } });
    assert.match(
      describeInstallation(settings, undefined).join("\n"),
      /not created and not deleted/,
    );
  });
});

describe("versionOf", () => {
  it("tag, tag and digest, port without tag => the tag or none", () => {
    assert.equal(versionOf("lab/node:v1.34.4"), "v1.34.4");
    assert.equal(versionOf("kindest/node:v1.37.0@sha256:ab"), "v1.37.0");
    assert.equal(versionOf("reg:5000/node"), "without a tag");
  });
});
