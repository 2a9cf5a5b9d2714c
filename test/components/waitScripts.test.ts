import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { waitForSlurmdbd } from "../../components/accountingValues.ts";
import { databaseReachable } from "../../components/databaseReachable.ts";
import { recordProgram, resourceNamed } from "../support/pulumiMocks.ts";

/** Runs a script of bash without blocking the server of the test. */
async function bash(words: readonly string[]): Promise<{ code: number; output: string }> {
  const [command = "", ...rest] = words;
  const child = spawn(command, rest, { timeout: 15_000 });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

/** The scripts are bash's: run as the containers run them, with another address and a short wait. */
describe("scripts that wait for a port", () => {
  const server = createServer();
  let open: string;
  let closed: string;

  before(async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    closed = String((other.address() as AddressInfo).port);
    other.close();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open = String((server.address() as AddressInfo).port);
  });
  after(() => server.close());

  const slurmdbd = (port: string) => {
    const [container] = waitForSlurmdbd({ storage: { size: "1Gi" } }, "slurmctld:1");
    const command = container?.command as string[];
    return bash([...command.slice(0, 4), "127.0.0.1", port, "0"]);
  };

  it("slurmdbd answers => slurmctld starts", async () => {
    const { code, output } = await slurmdbd(open);
    assert.equal(code, 0);
    assert.match(output, new RegExp(`slurmdbd at 127\\.0\\.0\\.1:${open} answers`));
  });

  it("slurmdbd is down => slurmctld starts all the same, and the log says so", async () => {
    const { code, output } = await slurmdbd(closed);
    assert.equal(code, 0);
    assert.match(output, /does not answer within 0 s; slurmctld starts without it/);
  });

  it("an external database => 0 when it answers, else 1 with host and port", async () => {
    const recorded = await recordProgram(() =>
      databaseReachable(
        "slurm",
        {
          host: "DB.example.com",
          port: 3306,
          namespace: "slurm",
          image: "i:1",
          imagePullSecrets: [],
        },
        {},
      ),
    );
    const job = resourceNamed(
      recorded,
      "kubernetes:batch/v1:Job",
      "slurm-database-DB.example.com:3306",
    );
    const { metadata, spec } = job.inputs as {
      metadata: { name: string };
      spec: { template: { spec: { containers: { command: string[] }[] } } };
    };
    assert.equal(metadata.name, "database-reachable-db-example-com-3306");
    const command = spec.template.spec.containers[0]?.command ?? [];
    const check = (port: string) => {
      const script = (command[2] ?? "").replace("/dev/termination-log", "/dev/null");
      return bash(["bash", "-c", script, "check", "127.0.0.1", port, "0"]);
    };
    assert.equal((await check(open)).code, 0);
    const { code, output } = await check(closed);
    assert.equal(code, 1);
    assert.match(output, new RegExp(`database 127\\.0\\.0\\.1:${closed} does not answer`));
  });
});
