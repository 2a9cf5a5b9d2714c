import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Annotations = Record<string, string | null>;

interface StoredSecret {
  metadata: { name: string; namespace: string; uid: string; annotations?: Annotations } & Record<
    string,
    unknown
  >;
  immutable?: boolean;
  data: Record<string, string>;
}

/** An answer that stands in for the server's own. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * A Kubernetes API server over plain HTTP: Secrets, pods, namespaces, dry-run creates of Controllers, and the rules of
 * the key guard. Knobs make it answer anything else.
 */
export class FakeApiServer {
  readonly secrets = new Map<string, StoredSecret>();
  /** Pods as the API lists them. */
  pods: unknown[] = [];
  /** Requests as `METHOD path?query`. */
  readonly log: string[] = [];
  uid = "cluster-1";
  /** Whether the guard of the key Secrets is in force. */
  isGuarded = false;
  /** Annotations of every namespace that was patched. */
  readonly namespaces = new Map<string, Annotations>();
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
    const namespace = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path)?.[1];
    if (namespace !== undefined && method === "PATCH") {
      const marks = { ...this.namespaces.get(namespace), ...annotationsIn(body) };
      this.namespaces.set(namespace, withoutNulls(marks));
      return { status: 200, body: { metadata: { name: namespace, annotations: marks } } };
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
      const { name: made, annotations = {} } = secret.metadata;
      const announced = this.namespaces.get(namespace)?.[`create.slinky-stack.dev/${made}`];
      const mark = ["generation", "fingerprint"].map(
        (word) => annotations[`slinky-stack.dev/key-${word}`] ?? "",
      );
      if (this.isGuarded && announced !== mark.join("/")) return refusal(403, "Forbidden", where);
      secret.metadata.uid = `uid-${++this.#made}`;
      this.secrets.set(where, secret);
      return { status: 201, body: secret };
    }
    const where = `${namespace}/${name}`;
    const secret = this.secrets.get(where);
    if (!secret) return refusal(404, "NotFound", where);
    const { metadata } = secret;
    if (method === "PATCH") {
      const { uid = metadata.uid } = (JSON.parse(body) as Patch).metadata;
      if (uid !== metadata.uid) return refusal(409, "Conflict", where);
      metadata.annotations = withoutNulls({ ...metadata.annotations, ...annotationsIn(body) });
    }
    if (method === "DELETE") {
      const { preconditions } = JSON.parse(body) as { preconditions?: { uid?: string } };
      const unlocked = metadata.annotations?.["slinky-stack.dev/unlocked-for-deletion"];
      if (this.isGuarded && unlocked !== metadata.uid) return refusal(403, "Forbidden", where);
      if (preconditions?.uid !== metadata.uid) return refusal(409, "Conflict", where);
      this.secrets.delete(where);
    }
    return { status: 200, body: secret };
  }
}

interface Patch {
  readonly metadata: { readonly uid?: string; readonly annotations?: Annotations };
}

const annotationsIn = (body: string): Annotations =>
  (JSON.parse(body) as Patch).metadata.annotations ?? {};

const withoutNulls = (annotations: Annotations): Annotations =>
  Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== null));

/** The API server's answer to a request it refuses. */
export function refusal(code: number, reason: string, message: string): Answer {
  return { status: code, body: { kind: "Status", status: "Failure", code, reason, message } };
}
