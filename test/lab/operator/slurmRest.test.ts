import { strict as assert } from "node:assert";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Controller, RestApi } from "../../../lab/operator/crds.ts";
import type { DataObject } from "../../../lab/operator/kube/apply.ts";
import { SlurmRestClient } from "../../../lab/operator/slurm/restClient.ts";
import { SlurmClients } from "../../../lab/operator/slurm/slurmClients.ts";
import { recordedCluster, secret, START_MS } from "./cluster.ts";

interface Seen {
  line: string;
  token: string | undefined;
  body: string;
}

describe("slurmrestd client", () => {
  const seen: Seen[] = [];
  let answer: { status: number; body: object };
  let server: http.Server;
  let client: SlurmRestClient;

  before(async () => {
    server = http.createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const token = request.headers["x-slurm-user-token"] as string | undefined;
        seen.push({ line: `${String(request.method)} ${String(request.url)}`, token, body });
        response.statusCode = answer.status;
        response.end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    client = new SlurmRestClient(`http://127.0.0.1:${String(port)}`, "the-token");
  });

  after(() => server.close());

  it("nodes => v0.0.44, token header, missing fields filled", async () => {
    answer = { status: 200, body: { nodes: [{ name: "compute-0", state: ["IDLE"] }], errors: [] } };
    assert.deepEqual(await client.nodes(), [
      { name: "compute-0", state: ["IDLE"], reason: "", comment: "" },
    ]);
    assert.deepEqual(seen.at(-1), {
      line: "GET /slurm/v0.0.44/nodes/",
      token: "the-token",
      body: "",
    });
  });

  it("updateNode => POST with the state in a list", async () => {
    answer = { status: 200, body: {} };
    await client.updateNode("compute-0", { state: "DRAIN", reason: "r" });
    const { line, body } = seen.at(-1) ?? { line: "", body: "" };
    assert.equal(line, "POST /slurm/v0.0.44/node/compute-0");
    assert.deepEqual(JSON.parse(body), { state: ["DRAIN"], reason: "r" });
  });

  it("authentication refused or errors in the answer => an error, never an empty list", async () => {
    answer = { status: 511, body: {} };
    await assert.rejects(client.nodes(), /answered 511/);
    answer = {
      status: 200,
      body: { nodes: [], errors: [{ description: "Unable to contact slurm controller" }] },
    };
    await assert.rejects(client.nodes(), /Unable to contact slurm controller/);
  });
});

describe("Slurm clients", () => {
  it("a failed look at the nodes => kept for 30 seconds, by whichever client is asked", async () => {
    const api = recordedCluster();
    let now = START_MS;
    const clients = new SlurmClients(api, () => now);
    const controller = api.read<Controller>("Controller", "slurm");
    const look = async (): Promise<unknown> =>
      (await clients.for(controller))?.nodes().catch((error: unknown) => error);
    const first = await look();
    assert.ok(first instanceof Error);
    now += 29_000;
    assert.equal(await look(), first);
    now += 2_000;
    assert.notEqual(await look(), first);
  });

  it("no RestApi for the Controller => undefined", async () => {
    const api = recordedCluster();
    await api.delete({ kind: "RestApi", namespace: "slurm", name: "slurm" }, undefined);
    assert.equal(
      await new SlurmClients(api).for(api.read<Controller>("Controller", "slurm")),
      undefined,
    );
  });

  it("jwt Secret missing => an error, not a missing client", async () => {
    const api = recordedCluster();
    await api.delete({ kind: "Secret", namespace: "slurm", name: "slurm-jwt" }, undefined);
    const result = new SlurmClients(api).for(api.read<Controller>("Controller", "slurm"));
    await assert.rejects(result, /Secret slurm\/slurm-jwt has no key jwt.key/);
  });

  it("jwt key changed => old token for 12 minutes, a new one at once when the RestApi is touched", async () => {
    const api = recordedCluster();
    let now = START_MS;
    const clients = new SlurmClients(api, () => now);
    const tokens: unknown[] = [];
    const realFetch = globalThis.fetch;
    globalThis.fetch = (_url, init) => {
      tokens.push((init?.headers as Record<string, string>)["X-SLURM-USER-TOKEN"]);
      return Promise.resolve(new Response("{}"));
    };
    const ask = async (): Promise<void> => {
      await (await clients.for(api.read<Controller>("Controller", "slurm")))?.nodes();
    };
    try {
      await ask();
      api.edit<DataObject>("Secret", "slurm-jwt", (object) => {
        object.data = secret("slurm-jwt", { "jwt.key": "second" }).data;
      });
      now += 11 * 60_000;
      await ask();
      api.edit<RestApi>("RestApi", "slurm", ({ metadata }) => {
        metadata.annotations = { touched: "yes" };
      });
      await ask();
      now += 12 * 60_000;
      await ask();
    } finally {
      globalThis.fetch = realFetch;
    }
    assert.equal(tokens[1], tokens[0]);
    assert.notEqual(tokens[2], tokens[1]);
    assert.notEqual(tokens[3], tokens[2]);
  });
});
