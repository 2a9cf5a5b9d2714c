import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface StoredSecret {
  metadata: { name: string; namespace: string; uid: string } & Record<string, unknown>;
  immutable?: boolean;
  data: Record<string, string>;
}

/** An answer that stands in for the server's own. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * A Kubernetes API server over plain HTTP: Secrets, pods, the namespace kube-system, and dry-run creates of
 * Controllers. Knobs make it answer anything else.
 */
export class FakeApiServer {
  readonly secrets = new Map<string, StoredSecret>();
  /** Pods as the API lists them. */
  pods: unknown[] = [];
  /** Requests as `METHOD path?query`. */
  readonly log: string[] = [];
  uid = "cluster-1";
  /** Replaces the answer to a request; undefined leaves it. */
  intercept: (line: string, body: string) => Answer | undefined = () => undefined;
  readonly #server: Server;
  #made = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<FakeApiServer> {
    const fake = new FakeApiServer();
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    return fake;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A kubeconfig with the one context `test`. */
  get kubeconfig(): string {
    const { port } = this.#server.address() as AddressInfo;
    const server = `http://127.0.0.1:${port}`;
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      // The client takes plain HTTP only when told to verify nothing.
      clusters: [{ name: "fake", cluster: { server, "insecure-skip-tls-verify": true } }],
      users: [{ name: "user", user: { token: "no-real-token" } }],
      contexts: [{ name: "test", context: { cluster: "fake", user: "user" } }],
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const line = `${request.method} ${request.url}`;
    this.log.push(line);
    const { status, body: answer } = this.intercept(line, body) ?? this.#answer(line, body);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  #answer(line: string, body: string): Answer {
    const [method = "", url = ""] = line.split(" ");
    const path = url.split("?")[0] ?? "";
    if (path === "/api/v1/namespaces/kube-system") {
      return { status: 200, body: { metadata: { name: "kube-system", uid: this.uid } } };
    }
    const pods = /^\/api\/v1\/namespaces\/[^/]+\/pods$/.test(path);
    if (pods) return { status: 200, body: { kind: "PodList", items: this.pods } };
    if (/\/controllers$/.test(path)) return { status: 201, body: JSON.parse(body) };
    const match = /^\/api\/v1\/namespaces\/([^/]+)\/secrets(?:\/(.+))?$/.exec(path);
    if (!match) return refusal(404, "NotFound", `no such path: ${path}`);
    return this.#secret(method, match[1] ?? "", match[2], body);
  }

  #secret(method: string, namespace: string, name: string | undefined, body: string): Answer {
    if (method === "POST") {
      const secret = JSON.parse(body) as StoredSecret;
      const where = `${namespace}/${secret.metadata.name}`;
      if (this.secrets.has(where)) return refusal(409, "AlreadyExists", where);
      secret.metadata.uid = `uid-${++this.#made}`;
      this.secrets.set(where, secret);
      return { status: 201, body: secret };
    }
    const where = `${namespace}/${name}`;
    const secret = this.secrets.get(where);
    if (!secret) return refusal(404, "NotFound", where);
    if (method === "DELETE") {
      const { preconditions } = JSON.parse(body) as { preconditions?: { uid?: string } };
      if (preconditions?.uid !== secret.metadata.uid) return refusal(409, "Conflict", where);
      this.secrets.delete(where);
    }
    return { status: 200, body: secret };
  }
}

/** The API server's answer to a request it refuses. */
export function refusal(code: number, reason: string, message: string): Answer {
  return { status: code, body: { kind: "Status", status: "Failure", code, reason, message } };
}
