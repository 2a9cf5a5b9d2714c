import { strict as assert } from "node:assert";
import { chmodSync, mkdirSync } from "node:fs";
import { ConfigFolder } from "../support/configFolder.ts";

const shell = "#!/bin/sh\nexit 0\n";

describe("scripts", () => {
  let folder: ConfigFolder;

  beforeEach(() => {
    folder = new ConfigFolder();
  });
  afterEach(() => folder.remove());

  const write = (path: string, content: string, mode = 0o755): void => {
    folder.write(path, content);
    chmodSync(folder.at(path), mode);
  };

  it("no folder => no scripts", async () => {
    const { scripts } = await folder.read({});
    assert.deepEqual(scripts, { prolog: {}, epilog: {}, prologSlurmctld: {}, epilogSlurmctld: {} });
  });

  it("the folder of the stack => every kind, byte for byte; hidden files are none", async () => {
    for (const kind of ["prolog", "epilog", "prolog-slurmctld", "epilog-slurmctld"]) {
      write(`scripts/test/${kind}.d/10-${kind}.sh`, `${shell}# ${kind}\n`);
    }
    write("scripts/test/prolog.d/.gitkeep", "");
    write("scripts/other/prolog.d/x.sh", shell);
    write("scripts/test/config/gres.conf", "AutoDetect=off\n", 0o644);
    const config = await folder.read({ configFiles: { "cgroup.conf": "a\n" } });
    assert.deepEqual(config.scripts, {
      prolog: { "10-prolog.sh": `${shell}# prolog\n` },
      epilog: { "10-epilog.sh": `${shell}# epilog\n` },
      prologSlurmctld: { "10-prolog-slurmctld.sh": `${shell}# prolog-slurmctld\n` },
      epilogSlurmctld: { "10-epilog-slurmctld.sh": `${shell}# epilog-slurmctld\n` },
    });
    assert.deepEqual(config.configFiles, {
      "cgroup.conf": "a\n",
      "gres.conf": "AutoDetect=off\n",
    });
  });

  it("a folder by name => that one", async () => {
    write("site/prolog.d/a.sh", shell);
    assert.deepEqual((await folder.read({ scripts: "site" })).scripts.prolog, { "a.sh": shell });
  });

  const refusals: [string, () => void, RegExp][] = [
    [
      "not executable",
      () => write("scripts/test/prolog.d/a.sh", shell, 0o644),
      /scripts\/prolog\.d\/a\.sh: is not executable; run: chmod \+x/,
    ],
    [
      "no shebang",
      () => write("scripts/test/epilog.d/a.sh", "exit 0\n"),
      /scripts\/epilog\.d\/a\.sh: has no shebang/,
    ],
    [
      "Windows line ends",
      () => write("scripts/test/prolog.d/a.sh", "#!/bin/sh\r\n"),
      /has Windows line ends/,
    ],
    [
      "a file of the operator's",
      () => write("scripts/test/config/slurm.conf", "x\n"),
      /scripts\/config\/slurm\.conf: is a name of the operator's/,
    ],
    [
      "a key",
      () => write("scripts/test/config/slurm.key", "x\n"),
      /scripts\/config\/slurm\.key: is a name of the operator's/,
    ],
    [
      "a blank in the name",
      () => write("scripts/test/prolog.d/a b", shell),
      /prolog\.d\/a b: is no name/,
    ],
    [
      "bytes that are no text",
      () => write("scripts/test/prolog.d/a", "#!\0"),
      /a: is no UTF-8 text/,
    ],
    ["an empty file", () => write("scripts/test/config/a.conf", ""), /a\.conf: is empty/],
    [
      "a folder among the files",
      () => mkdirSync(folder.at("scripts/test/config/more"), { recursive: true }),
      /config\/more: is no file/,
    ],
    [
      "a folder nobody reads",
      () => mkdirSync(folder.at("scripts/test/prologue.d"), { recursive: true }),
      /scripts\/prologue\.d: .* did you mean "prolog\.d"/,
    ],
    [
      "scripts that a ConfigMap cannot hold",
      () => write("scripts/test/prolog.d/a", `${shell}${"#".repeat(1_000_000)}`),
      /scripts\/prolog\.d: hold 1000017 bytes, more than a ConfigMap takes/,
    ],
    [
      "files that a ConfigMap cannot hold",
      () => write("scripts/test/config/a.conf", "#".repeat(1_000_001)),
      /scripts\/config: hold 1000001 bytes/,
    ],
  ];
  for (const [situation, prepare, message] of refusals) {
    it(`${situation} => refused`, async () => {
      prepare();
      await assert.rejects(folder.read({}), message);
    });
  }

  it("a folder that is not there => refused where it was named", async () => {
    await assert.rejects(folder.read({ scripts: "site" }), /scripts: "site" .* a folder/);
  });

  it("a file in the folder and in configFiles => refused", async () => {
    write("scripts/test/config/gres.conf", "a\n", 0o644);
    const values = { configFiles: { "gres.conf": "b\n" } };
    await assert.rejects(folder.read(values), /configFiles\.gres\.conf: is in the folder .* too/);
  });
});
