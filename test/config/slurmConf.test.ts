import { strict as assert } from "node:assert";
import { Problems } from "../../config/problems.ts";
import { RawValues } from "../../config/rawValues.ts";
import { readConfigFiles, readSlurmConf } from "../../config/slurmConf.ts";

const reader =
  <T>(key: string, read: (raw: RawValues) => T) =>
  (value: unknown): T => {
    const problems = new Problems();
    const result = read(new RawValues({ [key]: JSON.stringify(value) }, problems));
    problems.throwIfAny();
    return result;
  };

describe("slurmConf", () => {
  const read = reader("slurmConf", readSlurmConf);

  it("texts, numbers, flags and lists => texts as slurm.conf takes them", () => {
    const given = {
      TaskPlugin: ["task/none"],
      MinJobAge: 0,
      DebugFlags: ["a", "b"],
      TrackWCKey: true,
    };
    assert.deepEqual(read(given), {
      TaskPlugin: "task/none",
      MinJobAge: "0",
      DebugFlags: "a,b",
      TrackWCKey: "yes",
    });
  });

  for (const name of [
    "AuthType",
    "authinfo",
    "ClusterName",
    "SlurmctldParameters",
    "PartitionName",
  ]) {
    it(`${name} => refused: it belongs to the operator`, () => {
      assert.throws(() => read({ [name]: "x" }), new RegExp(`slurmConf\\.${name}: belongs to`));
    });
  }

  it("ReturnToService other than 2 => refused; 2 => accepted", () => {
    assert.throws(() => read({ ReturnToService: 1 }), /ReturnToService: "1" is not allowed/);
    assert.deepEqual(read({ ReturnToService: 2 }), { ReturnToService: "2" });
  });

  for (const [situation, given, message] of [
    ["a line break in a value", { Epilog: "a\nAuthType=none" }, /slurmConf\.Epilog: /],
    ["a semicolon in a value", { Epilog: "a;b" }, /slurmConf\.Epilog: /],
    ["an empty value", { Epilog: "" }, /slurmConf\.Epilog: ""/],
    ["null", { Epilog: null }, /slurmConf\.Epilog: null/],
    ["a name with a blank", { "Epi log": "a" }, /a parameter name of letters and digits/],
    ["one parameter in two cases", { Epilog: "a", epilog: "b" }, /same parameter as Epilog/],
  ] as const) {
    it(`${situation} => refused`, () => assert.throws(() => read(given), message));
  }
});

describe("configFiles", () => {
  const read = reader("configFiles", readConfigFiles);

  it("a file => kept byte for byte", () => {
    const files = { "cgroup.conf": "CgroupPlugin=disabled\n" };
    assert.deepEqual(read(files), files);
  });

  for (const [situation, given, message] of [
    ["slurm.conf", { "slurm.conf": "x" }, /configFiles\.slurm\.conf: /],
    ["a key", { "slurm.jwks": "x" }, /configFiles\.slurm\.jwks: /],
    ["a path", { "a/b": "x" }, /configFiles\.a\/b: /],
    ["an empty file", { "a.conf": "" }, /the content of the file/],
  ] as const) {
    it(`${situation} => refused`, () => assert.throws(() => read(given), message));
  }
});
