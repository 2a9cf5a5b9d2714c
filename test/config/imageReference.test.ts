import { strict as assert } from "node:assert";
import { imageBaseName, inRegistry, parseImageReference } from "../../config/imageReference.ts";

const digest = `sha256:${"0".repeat(64)}`;

describe("parseImageReference", () => {
  for (const [text, expected] of [
    ["lab/slurmd:26.05.5", { repository: "lab/slurmd", tag: "26.05.5" }],
    ["alpine", { repository: "alpine" }],
    ["localhost:5000/a/b", { repository: "localhost:5000/a/b" }],
    ["localhost:5000/a/b:v1", { repository: "localhost:5000/a/b", tag: "v1" }],
    [`ghcr.io/a/b@${digest}`, { repository: "ghcr.io/a/b", digest }],
    [`ghcr.io/a/b:v1@${digest}`, { repository: "ghcr.io/a/b", tag: "v1", digest }],
  ] as const) {
    it(`${text} => its parts`, () => assert.deepEqual(parseImageReference(text), expected));
  }

  for (const text of ["", "a b", "a/B:v1", "a:", "a@sha256:12", "host:port/a", "/a", "a//b"]) {
    it(`${JSON.stringify(text)} => no reference`, () => {
      assert.equal(parseImageReference(text), undefined);
    });
  }
});

describe("imageBaseName", () => {
  it("a reference => the last part of its path", () => {
    assert.equal(imageBaseName({ repository: "localhost:5000/a/slurmd" }), "slurmd");
  });
});

describe("inRegistry", () => {
  it("another registry => its host and folder, then the path of the reference", () => {
    assert.equal(
      inRegistry("registry.example.com:5000/mirror/", "ghcr.io/slinkyproject/slurmd:26.05"),
      "registry.example.com:5000/mirror/slinkyproject/slurmd:26.05",
    );
  });
});
