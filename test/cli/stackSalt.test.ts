import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { dropSalt, withoutSalt } from "../../cli/stackSalt.ts";
import { projectFolder } from "../../cli/stackSettings.ts";

describe("withoutSalt", () => {
  it("a salt before or after the configuration => gone, the rest stays as it was", () => {
    const config = "config:\n  # why\n  slinky-stack:kindName: a\n";
    assert.equal(withoutSalt(`encryptionsalt: v1:abc=\n${config}`), config);
    assert.equal(withoutSalt(`${config}encryptionsalt: v1:abc=`), config);
    assert.equal(withoutSalt(config), config);
  });

  it("a secure value => the salt stays, since the value needs it", () => {
    const text = "encryptionsalt: v1:abc=\nconfig:\n  a:b:\n    secure: v1:xyz\n";
    assert.equal(withoutSalt(text), text);
  });
});

describe("the stack files of this project", () => {
  for (const name of ["dev", "lab"])
    it(`Pulumi.${name}.yaml => no salt, which would refuse every other machine`, async () => {
      const text = await readFile(join(projectFolder, `Pulumi.${name}.yaml`), "utf8");
      assert.equal(text, withoutSalt(text));
    });
});

describe("dropSalt", () => {
  it("a file with a salt => written without; no file => nothing is made", async () => {
    const folder = await mkdtemp(join(tmpdir(), "salt-"));
    try {
      await writeFile(join(folder, "Pulumi.lab.yaml"), "encryptionsalt: v1:a=\nconfig: {}\n");
      await dropSalt({ name: "lab", settings: { bundle: "lab" } }, folder);
      await dropSalt({ name: "none", settings: { bundle: "lab" } }, folder);
      assert.equal(await readFile(join(folder, "Pulumi.lab.yaml"), "utf8"), "config: {}\n");
      await assert.rejects(readFile(join(folder, "Pulumi.none.yaml")));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("a stack outside the lab => its file is its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "salt-"));
    try {
      const text = "encryptionsalt: v1:a=\nconfig: {}\n";
      await writeFile(join(folder, "Pulumi.prod.yaml"), text);
      await dropSalt({ name: "prod", settings: { bundle: undefined } }, folder);
      assert.equal(await readFile(join(folder, "Pulumi.prod.yaml"), "utf8"), text);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
