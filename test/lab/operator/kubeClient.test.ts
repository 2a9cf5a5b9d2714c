import { strict as assert } from "node:assert";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";
import { hasStatus, KubeClient } from "../../../lab/operator/kube/client.ts";
import type { KubeObject } from "../../../lab/operator/kube/object.ts";
import { Informer } from "../../../lab/operator/kube/watch.ts";
import { handleReview } from "../../../lab/operator/webhook/server.ts";

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;

/** A server that answers with `handler`; lives for one test file. */
class Server {
  handler: Handler = (_request, response) => response.end("{}");
  readonly #server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      this.handler(request, response, body);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function secretObject(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "slurm" } };
}

describe("Kubernetes client", () => {
  const api = new Server();
  let client: KubeClient;

  before(async () => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: "c", server: await api.start(), skipTLSVerify: true }],
      users: [{ name: "u", token: "service-account" }],
      contexts: [{ name: "x", cluster: "c", user: "u" }],
      currentContext: "x",
    });
    client = new KubeClient(config);
  });

  after(() => {
    api.stop();
  });

  it("get => path and token; 404 => undefined; another status => an error with its message", async () => {
    let status = 200;
    api.handler = (request, response) => {
      assert.equal(request.url, "/apis/slinky.slurm.net/v1beta1/namespaces/slurm/nodesets/n");
      assert.equal(request.headers.authorization, "Bearer service-account");
      response.statusCode = status;
      response.end(JSON.stringify({ kind: "NodeSet", message: "not allowed" }));
    };
    const ref = { kind: "NodeSet", namespace: "slurm", name: "n" };
    assert.equal((await client.get(ref))?.kind, "NodeSet");
    status = 404;
    assert.equal(await client.get(ref), undefined);
    status = 403;
    await assert.rejects(client.get(ref), (error: Error) => {
      assert.match(error.message, /answered 403: not allowed/);
      return hasStatus(error, 403);
    });
  });

  it("writes => verb, path, content type and body", async () => {
    const seen: string[] = [];
    api.handler = (request, response, body) => {
      const type = String(request.headers["content-type"]).split("/").at(-1);
      seen.push(`${String(request.method)} ${String(request.url)} ${String(type)} ${body}`);
      response.end("{}");
    };
    const object = secretObject("s");
    const text = JSON.stringify(object);
    const path = "/api/v1/namespaces/slurm/secrets";
    await client.create(object);
    await client.replace(object);
    await client.replaceStatus(object);
    const ref = { kind: "Secret", namespace: "slurm", name: "s" };
    await client.mergePatch(ref, { a: null });
    await client.delete(ref, "u1");
    assert.deepEqual(seen, [
      `POST ${path} json ${text}`,
      `PUT ${path}/s json ${text}`,
      `PUT ${path}/s/status json ${text}`,
      `PATCH ${path}/s merge-patch+json {"a":null}`,
      `DELETE ${path}/s json {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u1"}}`,
    ]);
  });

  it("informer => lists, follows the watch over chunk borders, lists again when it ends", async () => {
    const stop = new AbortController();
    const events: string[] = [];
    let lists = 0;
    api.handler = (request, response) => {
      if (request.url?.includes("watch=true") === true) {
        const lines = ["b", "c"].map((name) =>
          JSON.stringify({ type: "ADDED", object: secretObject(name) }),
        );
        const text = `${lines.join("\n")}\n${JSON.stringify({ type: "DELETED", object: secretObject("b") })}\n`;
        response.write(text.slice(0, 20));
        setImmediate(() => response.end(text.slice(20)));
        return;
      }
      lists += 1;
      if (lists === 2) {
        stop.abort();
      }
      const items = [{ metadata: secretObject("a").metadata }];
      response.end(JSON.stringify({ apiVersion: "v1", metadata: { resourceVersion: "1" }, items }));
    };
    const informer = new Informer(client, "Secret", undefined, (object) => {
      assert.equal(object.kind, "Secret");
      events.push(object.metadata.name ?? "");
    });
    await informer.run(stop.signal, () => undefined);
    assert.deepEqual(events.slice(0, 4), ["a", "b", "c", "b"]);
    assert.equal(lists, 2);
  });
});

describe("webhook endpoint", () => {
  const server = http.createServer(handleReview);
  let url: string;

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/validate`;
  });

  after(() => server.close());

  it("AdmissionReview => AdmissionReview with the verdict; anything else => 400", async () => {
    const spec = { slurmKeyRef: { name: "a" } };
    const request = {
      uid: "7",
      operation: "UPDATE",
      kind: { kind: "Controller" },
      oldObject: { spec },
      object: { spec: { slurmKeyRef: { name: "b" } } },
    };
    const answer = await fetch(url, { method: "POST", body: JSON.stringify({ request }) });
    assert.deepEqual(await answer.json(), {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: {
        uid: "7",
        allowed: false,
        status: { code: 403, message: "cannot change SlurmKeyRef after deployment" },
      },
    });
    assert.equal((await fetch(url, { method: "POST", body: "x" })).status, 400);
  });
});
