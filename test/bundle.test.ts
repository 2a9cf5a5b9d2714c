import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBundle, toArchivedImages } from "../bundle.ts";

const digits = (letter: string) => letter.repeat(64);

describe("readBundle", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bundle-"));
    mkdirSync(join(folder, "charts"));
    mkdirSync(join(folder, "images"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A docker archive that holds nothing but its table of contents. */
  const archive = (name: string, manifest: unknown) => {
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
    execFileSync("tar", ["-cf", join(folder, "images", name), "-C", folder, "manifest.json"]);
  };

  it("charts and archives => charts by file name, images by base name with their ids", async () => {
    writeFileSync(join(folder, "charts", "slurm-1.2.1.tgz"), "");
    writeFileSync(join(folder, "charts", "notes.txt"), "");
    archive("slurm.tar", [
      { Config: `${digits("a")}.json`, RepoTags: ["lab/slurmctld:26.05.5", "lab/slurmd:26.05.5"] },
      { Config: `blobs/sha256/${digits("b")}`, RepoTags: ["lab/slurmrestd:26.05.5"] },
    ]);
    archive("other.tar", [{ Config: `${digits("c")}.json`, RepoTags: null }]);

    const bundle = await readBundle(folder);

    assert.deepEqual(bundle.charts, { "slurm-1.2.1.tgz": join(folder, "charts/slurm-1.2.1.tgz") });
    assert.deepEqual(bundle.images, {
      slurmctld: "lab/slurmctld:26.05.5",
      slurmd: "lab/slurmd:26.05.5",
      slurmrestd: "lab/slurmrestd:26.05.5",
    });
    assert.deepEqual(bundle.archives[1], {
      path: join(folder, "images/slurm.tar"),
      images: [
        { reference: "lab/slurmctld:26.05.5", id: `sha256:${digits("a")}` },
        { reference: "lab/slurmd:26.05.5", id: `sha256:${digits("a")}` },
        { reference: "lab/slurmrestd:26.05.5", id: `sha256:${digits("b")}` },
      ],
    });
  });

  it("two images with one base name => refused, naming both", async () => {
    archive("a.tar", [{ Config: digits("a"), RepoTags: ["lab/slurmd:1"] }]);
    archive("b.tar", [{ Config: digits("b"), RepoTags: ["lab/slurmd:2"] }]);
    await assert.rejects(
      readBundle(folder),
      /two images named slurmd: lab\/slurmd:1 and lab\/slurmd:2/,
    );
  });

  it("a file that is no archive => refused by name", async () => {
    writeFileSync(join(folder, "images", "broken.tar"), "no archive");
    await assert.rejects(readBundle(folder), /broken\.tar is no image archive/);
  });

  it("no such folder => refused by name", async () => {
    await assert.rejects(readBundle(join(folder, "absent")), /absent does not exist/);
  });
});

describe("toArchivedImages", () => {
  it("an image without an id => refused", () => {
    const manifest = [{ Config: "config.json", RepoTags: ["lab/slurmd:1"] }];
    assert.throws(() => toArchivedImages(manifest, "x.tar"), /x\.tar: .* without an id/);
  });
});
