import { strict as assert } from "node:assert";
import { fullReference, loadImages } from "../../../components/kind/loadImages.ts";
import { FakeDocker } from "../../fakes/fakeDocker.ts";

const archive = (path: string, images: Record<string, string>) => ({
  path,
  images: Object.entries(images).map(([reference, id]) => ({ reference, id })),
});

describe("loadImages", () => {
  let docker: FakeDocker;
  const slurm = archive("slurm.tar", { "lab/slurmd:1": "sha256:a", "lab/slurmctld:1": "sha256:b" });
  const operator = archive("operator.tar", { "lab/slurm-operator:1": "sha256:c" });

  const load = (archives = [slurm, operator]) =>
    loadImages({ name: "slinky", archives, timeoutSeconds: 300 }, docker, () => undefined);

  beforeEach(() => {
    docker = new FakeDocker();
    docker.addForeign("slinky");
    docker.archives = {
      "slurm.tar": {
        "docker.io/lab/slurmd:1": "sha256:a",
        "docker.io/lab/slurmctld:1": "sha256:b",
      },
      "operator.tar": { "docker.io/lab/slurm-operator:1": "sha256:c" },
    };
  });

  it("empty nodes => every archive is loaded; the second time none", async () => {
    assert.deepEqual(await load(), ["slurm.tar", "operator.tar"]);
    assert.deepEqual(await load(), []);
  });

  it("one node lacks one image => only that archive is loaded", async () => {
    await load();
    docker.containers[0]?.images.delete("docker.io/lab/slurmd:1");
    assert.deepEqual(await load(), ["slurm.tar"]);
  });

  it("the same name with new content => loaded again", async () => {
    await load();
    const rebuilt = archive("slurm.tar", { "lab/slurmd:1": "sha256:new" });
    assert.deepEqual(await load([rebuilt, operator]), ["slurm.tar"]);
  });

  it("a node without crictl => everything is loaded", async () => {
    await load();
    docker.lacksCrictl = true;
    assert.deepEqual(await load(), ["slurm.tar", "operator.tar"]);
  });

  it("no nodes => refused", async () => {
    docker.containers.length = 0;
    await assert.rejects(load(), /slinky has no nodes/);
  });
});

describe("fullReference", () => {
  for (const [short, full] of [
    ["alpine:3", "docker.io/library/alpine:3"],
    ["lab/slurmd:1", "docker.io/lab/slurmd:1"],
    ["ghcr.io/a/b:1", "ghcr.io/a/b:1"],
    ["localhost/a:1", "localhost/a:1"],
    ["localhost:5000/a:1", "localhost:5000/a:1"],
  ] as const) {
    it(`${short} => ${full}`, () => assert.equal(fullReference(short), full));
  }
});
