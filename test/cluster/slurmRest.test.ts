import { strict as assert } from "node:assert";
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunInController } from "../../cluster/slurmCommands.ts";
import { checkRest, makeToken } from "../../cluster/slurmRest.ts";

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJhIn0.c2lnbmF0dXJl";
const answer =
  (exitCode: number, stdout: string, stderr = ""): RunInController =>
  () =>
    Promise.resolve({ exitCode, stdout, stderr });

describe("makeToken", () => {
  it("slurmctld makes one => the token alone, for that user and time", async () => {
    const commands: string[] = [];
    const run: RunInController = (command) => {
      commands.push(command.join(" "));
      return Promise.resolve({ exitCode: 0, stdout: `SLURM_JWT=${token}\n`, stderr: "" });
    };
    assert.equal(await makeToken(run, "alice", 60), token);
    assert.deepEqual(commands, ["scontrol token username=alice lifespan=60"]);
  });

  it("slurmctld refuses => its words", () =>
    assert.rejects(makeToken(answer(1, "", "Invalid user\n"), "a", 60), /Invalid user/));

  it("an answer that is no token => refused, and not repeated", () =>
    assert.rejects(makeToken(answer(0, "SLURM_JWT=half-a-token"), "a", 60), (error) => {
      assert.match(String(error), /the answer holds no token/);
      assert.ok(!String(error).includes("half-a-token"));
      return true;
    }));
});

describe("checkRest", () => {
  it("HTTP 200 and 511 => the status", async () => {
    for (const status of [200, 511]) {
      const run = answer(0, `HTTP/1.1 ${status} something\r\n`);
      assert.deepEqual(await checkRest(run, "slurm-restapi"), { status, problem: undefined });
    }
  });

  it("no connection, and a pod that is gone => why", async () => {
    const refused = "bash: line 3: /dev/tcp/slurm-restapi/6820: Connection refused\n";
    assert.match(
      (await checkRest(answer(1, "", refused), "x")).problem ?? "",
      /Connection refused/,
    );
    const gone: RunInController = () => Promise.reject(new Error("no controller pod"));
    assert.equal((await checkRest(gone, "x")).problem, "no controller pod");
  });

  it("the script => sends the token as a header and prints the status line", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.method, request.url, request.headers["x-slurm-user-token"]]);
      response.writeHead(200).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const folder = mkdtempSync(join(tmpdir(), "rest-"));
    writeFileSync(join(folder, "scontrol"), `#!/bin/sh\necho "SLURM_JWT=${token}"\n`);
    chmodSync(join(folder, "scontrol"), 0o755);
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
    const run: RunInController = (command) =>
      new Promise((resolve) => {
        const [name = "", ...words] = command.map((word) => (word === "6820" ? `${port}` : word));
        execFile(name, words, { env, timeout: 10_000 }, (error, stdout, stderr) =>
          resolve({ exitCode: error === null ? 0 : 1, stdout, stderr }),
        );
      });
    try {
      assert.deepEqual(await checkRest(run, "127.0.0.1"), { status: 200, problem: undefined });
      assert.deepEqual(seen, [["GET", "/slurm/v0.0.44/nodes/", token]]);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
