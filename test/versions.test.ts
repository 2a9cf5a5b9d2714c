import { strict as assert } from "node:assert";
import { imageBaseName, parseImageReference } from "../config/imageReference.ts";
import {
  chartNames,
  chartVersions,
  defaultImages,
  imageNames,
  kindNodeImage,
  upstreamChartRegistries,
} from "../versions.ts";

describe("versions", () => {
  it("every image => pinned by tag or digest, under its own base name", () => {
    for (const name of imageNames) {
      const reference = parseImageReference(defaultImages[name]);
      assert.ok(reference, name);
      assert.equal(imageBaseName(reference), name);
      assert.notEqual(reference.tag ?? "latest", "latest", name);
    }
  });

  it("the node image => pinned by digest", () => {
    assert.match(parseImageReference(kindNodeImage)?.digest ?? "", /^sha256:/);
  });

  it("every chart => an exact version and an OCI registry", () => {
    for (const name of chartNames) {
      assert.match(chartVersions[name], /^v?\d+\.\d+\.\d+$/);
      assert.match(upstreamChartRegistries[name], /^oci:\/\/[a-z.]+\/[a-z/]+$/);
    }
  });

  it("the operator's charts and images => of one release", () => {
    const release = chartVersions["slurm-operator"];
    assert.equal(chartVersions["slurm-operator-crds"], release);
    assert.equal(chartVersions.slurm, release);
    for (const name of ["slurm-operator", "slurm-operator-webhook"] as const) {
      assert.equal(parseImageReference(defaultImages[name])?.tag, release);
    }
  });
});
