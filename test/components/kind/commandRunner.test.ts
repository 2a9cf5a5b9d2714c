import { strict as assert } from "node:assert";
import { runOrThrow, systemRunner } from "../../../components/kind/commandRunner.ts";

const node = process.execPath;

describe("systemRunner", () => {
  it("a program => its output and code, with the input given", async () => {
    const script = "process.stdin.on('data', (d) => process.stdout.write(d)); process.exitCode = 3";
    const options = { timeoutMs: 10_000, input: "hello" };
    const { code, stdout } = await systemRunner.run(node, ["-e", script], options);
    assert.deepEqual({ code, stdout }, { code: 3, stdout: "hello" });
  });

  it("a program that hangs => killed at the deadline", async () => {
    const run = systemRunner.run(node, ["-e", "setInterval(() => {}, 1000)"], { timeoutMs: 200 });
    await assert.rejects(run, /did not end within 0\.2 s/);
  });

  it("a program that is not installed => says so", async () => {
    await assert.rejects(
      systemRunner.run("no-such-program", [], { timeoutMs: 1000 }),
      /cannot run no-such-program: it is not installed or not on PATH/,
    );
  });
});

describe("runOrThrow", () => {
  it("a code other than 0 => an error with the end of the error output", async () => {
    const script = "console.error('first'); console.error('last'); process.exit(2)";
    await assert.rejects(
      runOrThrow(systemRunner, node, ["-e", script], { timeoutMs: 10_000 }),
      /ended with code 2:\nfirst\nlast$/,
    );
  });
});
