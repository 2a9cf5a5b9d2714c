import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { chartVersions } from "../../versions.ts";
import {
  kubeconfigFile,
  kubectlJson,
  openLab,
  pulumi,
  succeed,
  transcript,
} from "./support/lab.ts";

/** What of a rendered object matters here. */
interface RenderedObject {
  kind: string;
  data?: object;
  stringData?: object;
}

/** Every spelling in which the bytes could have been printed, and windows of the raw bytes. */
function spellings(key: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    found.set(encoding, Buffer.from(key.toString(encoding).slice(0, 32)));
  }
  for (let start = 0; start + 24 <= key.length; start += 20) {
    found.set(`raw bytes from ${start}`, key.subarray(start, start + 24));
  }
  return found;
}

describe("secrets", () => {
  const keys = new Map<string, Buffer>();

  before(async () => {
    for (const [name, entry] of [
      ["slurm-auth", "slurm.key"],
      ["slurm-jwt", "jwt.key"],
    ] as const) {
      const words = ["get", "secret", name, "--namespace", "slurm"];
      // Read without the transcript: its output is the key.

      const text = execFileSync(
        "kubectl",
        ["--kubeconfig", kubeconfigFile, ...words, "-o", "json"],
        {
          env: await openLab(),
          timeout: 30_000,
        },
      ).toString();
      const secret = JSON.parse(text) as { data: Record<string, string>; immutable?: boolean };
      assert.equal(secret.immutable, true, `${name} is immutable`);
      keys.set(name, Buffer.from(secret.data[entry] ?? "", "base64"));
    }
  });

  it("the auth key => 64 bytes, and not the JWT key", () => {
    assert.equal(keys.get("slurm-auth")?.length, 64);
    assert.ok(!keys.get("slurm-auth")?.equals(keys.get("slurm-jwt") ?? Buffer.alloc(0)));
  });

  it("preview, exported state and everything printed => no key bytes in any spelling", async () => {
    const preview = await pulumi(["preview", "--diff"]);
    const exported = await succeed("pulumi", ["stack", "export"]);
    const places = new Map([
      ["preview", Buffer.from(preview.all)],
      ["exported state", Buffer.from(exported)],
      ["transcript of the suite", readFileSync(transcript)],
    ]);
    assert.ok(exported.includes("ciphertext"), "the export holds encrypted secrets");
    for (const [name, key] of keys) {
      for (const [spelling, bytes] of spellings(key)) {
        for (const [place, text] of places) {
          assert.equal(text.indexOf(bytes), -1, `${name} as ${spelling} in the ${place}`);
        }
      }
    }
  });

  it("annotations of the key Secrets => fingerprint, no last-applied copy", async () => {
    const words = ["get", "secret", "slurm-auth", "--namespace", "slurm"];
    const template = "jsonpath={.metadata.annotations}";

    const text = execFileSync(
      "kubectl",
      ["--kubeconfig", kubeconfigFile, ...words, "-o", template],
      {
        env: await openLab(),
        timeout: 30_000,
      },
    ).toString();
    assert.ok(!text.includes("last-applied"));
    const fingerprint = (await succeed("pulumi", ["stack", "output", "keyFingerprint"])).trim();
    assert.ok(text.includes(fingerprint), text);
  });

  it("the release of Slurm => created no Secret with a key", async () => {
    const { items } = await kubectlJson<{
      items: { metadata: { name: string; labels?: Record<string, string> } }[];
    }>([
      "get",
      "secrets",
      "--namespace",
      "slurm",
      "--selector",
      "app.kubernetes.io/managed-by=Helm",
    ]);
    assert.deepEqual(
      items.map((secret) => secret.metadata.name),
      [],
    );
  });

  it("R06: the chart rendered twice with the program's values => the same bytes, no key in them", async () => {
    const bundle = (await openLab())["SLINKY_LAB_BUNDLE"] ?? "";
    const chart = join(bundle, "charts", `slurm-${chartVersions.slurm}.tgz`);
    const release = ["--namespace", "slurm", "--kubeconfig", kubeconfigFile];
    const values = await succeed("helm", [
      "get",
      "values",
      "slurm",
      "--output",
      "json",
      ...release,
    ]);
    const folder = await mkdtemp(join(tmpdir(), "slinky-e2e-"));
    try {
      const file = join(folder, "values.json");
      await writeFile(file, values);
      // A key of the template command's own would be random: two renders would differ.
      const render = (): Promise<string> =>
        succeed("helm", ["template", "slurm", chart, "--namespace", "slurm", "--values", file]);
      const first = await render();
      assert.equal(await render(), first);
      const kinds = parseAllDocuments(first).map((document) => document.toJS() as RenderedObject);
      assert.ok(kinds.some((object) => object?.kind === "Controller"));
      for (const { kind, data, stringData } of kinds.filter(Boolean)) {
        if (kind !== "Secret") continue;
        const entries = Object.keys({ ...data, ...stringData });
        assert.ok(!entries.some((name) => /\.(key|jwks)$/.test(name)), entries.join(", "));
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
