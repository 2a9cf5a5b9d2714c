import http from "node:http";
import https from "node:https";
import type { KubeConfig } from "@kubernetes/client-node";
import { namespaceOf, nameOf, type KubeObject, type ObjectRef } from "./object.ts";
import { resourcePath } from "./resources.ts";

/** The part of the Kubernetes API that the reconcilers use; the tests' fake implements it too. */
export interface KubeApi {
  /** The object, or undefined when the API server answers 404. */
  get<T extends KubeObject>(ref: ObjectRef): Promise<T | undefined>;
  list<T extends KubeObject>(kind: string, namespace: string): Promise<T[]>;
  create<T extends KubeObject>(object: T): Promise<T>;
  /** PUT of the whole object; its resourceVersion makes a stale write fail with 409. */
  replace<T extends KubeObject>(object: T): Promise<T>;
  replaceStatus<T extends KubeObject>(object: T): Promise<T>;
  /** JSON merge patch (RFC 7386): null removes a field. */
  mergePatch(ref: ObjectRef, patch: object): Promise<void>;
  /** Deletes the object if its uid is still `uid`; an object that is gone is success. */
  delete(ref: ObjectRef, uid: string | undefined): Promise<void>;
}

/** The API server refused a request. `status` is the HTTP status. */
export class KubeApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = "KubeApiError";
    this.status = status;
  }
}

/** Whether the error is an API answer with this HTTP status. */
export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof KubeApiError && error.status === status;
}

/** One page of a list: the objects and the version to watch from. */
export interface ListResult {
  items: KubeObject[];
  resourceVersion: string;
}

const REQUEST_TIMEOUT_MS = 15_000;
/** The API server ends a watch after this time; the informer lists again. */
const WATCH_SECONDS = 300;

/** {@link KubeApi} over HTTP, with the credentials of a kubeconfig or of the pod's service account. */
export class KubeClient implements KubeApi {
  readonly #config: KubeConfig;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  async get<T extends KubeObject>(ref: ObjectRef): Promise<T | undefined> {
    try {
      return await this.#json<T>("GET", resourcePath(ref.kind, ref.namespace, ref.name));
    } catch (error) {
      if (hasStatus(error, 404)) {
        return undefined;
      }
      throw error;
    }
  }

  async list<T extends KubeObject>(kind: string, namespace: string): Promise<T[]> {
    return (await this.listAll(kind, namespace)).items as T[];
  }

  /** All objects of a kind, in one namespace or in all; list items get their kind and apiVersion back. */
  async listAll(kind: string, namespace: string | undefined): Promise<ListResult> {
    const list = await this.#json<{
      apiVersion: string;
      metadata: { resourceVersion: string };
      items: KubeObject[];
    }>("GET", resourcePath(kind, namespace));
    return {
      items: list.items.map((item) => ({ ...item, kind, apiVersion: list.apiVersion })),
      resourceVersion: list.metadata.resourceVersion,
    };
  }

  create<T extends KubeObject>(object: T): Promise<T> {
    return this.#json<T>("POST", resourcePath(object.kind, namespaceOf(object)), object);
  }

  replace<T extends KubeObject>(object: T): Promise<T> {
    return this.#json<T>("PUT", this.#path(object), object);
  }

  replaceStatus<T extends KubeObject>(object: T): Promise<T> {
    return this.#json<T>("PUT", `${this.#path(object)}/status`, object);
  }

  async mergePatch(ref: ObjectRef, patch: object): Promise<void> {
    const path = resourcePath(ref.kind, ref.namespace, ref.name);
    await this.#json("PATCH", path, patch, "application/merge-patch+json");
  }

  async delete(ref: ObjectRef, uid: string | undefined): Promise<void> {
    const options = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
    try {
      await this.#json("DELETE", resourcePath(ref.kind, ref.namespace, ref.name), options);
    } catch (error) {
      if (!hasStatus(error, 404)) {
        throw error;
      }
    }
  }

  /**
   * Streams watch events until the server ends the watch or the signal aborts.
   * @throws KubeApiError with status 410 when `resourceVersion` is too old: list again
   */
  async watch(
    kind: string,
    namespace: string | undefined,
    resourceVersion: string,
    onEvent: (type: string, object: KubeObject) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const query = `watch=true&timeoutSeconds=${String(WATCH_SECONDS)}&resourceVersion=${resourceVersion}`;
    const path = `${resourcePath(kind, namespace)}?${query}`;
    const response = await this.#send(
      "GET",
      path,
      undefined,
      undefined,
      (WATCH_SECONDS + 30) * 1000,
      signal,
    );
    if (response.statusCode !== 200) {
      throw new KubeApiError(
        response.statusCode ?? 0,
        `watch of ${kind}: ${await readAll(response)}`,
      );
    }
    let rest = "";
    for await (const chunk of response.setEncoding("utf8")) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((text) => text !== "")) {
        const event = JSON.parse(line) as { type: string; object: KubeObject & { code?: number } };
        if (event.type === "ERROR") {
          throw new KubeApiError(
            event.object.code ?? 410,
            `watch of ${kind} was ended by the server`,
          );
        }
        onEvent(event.type, event.object);
      }
    }
  }

  #path(object: KubeObject): string {
    return resourcePath(object.kind, namespaceOf(object), nameOf(object));
  }

  async #json<T>(
    method: string,
    path: string,
    body?: object,
    contentType = "application/json",
  ): Promise<T> {
    const response = await this.#send(method, path, body, contentType, REQUEST_TIMEOUT_MS);
    const text = await readAll(response);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      // The Status object's message names what was refused and why; it carries no object data.
      throw new KubeApiError(
        status,
        `${method} ${path} answered ${String(status)}: ${statusMessage(text)}`,
      );
    }
    return JSON.parse(text) as T;
  }

  async #send(
    method: string,
    path: string,
    body: object | undefined,
    contentType: string | undefined,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<http.IncomingMessage> {
    const server = this.#config.getCurrentCluster()?.server;
    if (server === undefined) {
      throw new Error("the kubeconfig has no current cluster: set a current context");
    }
    const url = new URL(server + path);
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const options: https.RequestOptions = { method, headers: { accept: "application/json" } };
    await this.#config.applyToHTTPSOptions(options);
    if (payload !== undefined) {
      options.headers = {
        ...(options.headers as http.OutgoingHttpHeaders),
        "content-type": contentType,
        "content-length": Buffer.byteLength(payload),
      };
    }
    options.signal = signal ?? AbortSignal.timeout(timeoutMs);
    return new Promise((resolve, reject) => {
      const send = url.protocol === "https:" ? https.request : http.request;
      const request = send(url, options, resolve);
      request.setTimeout(timeoutMs, () =>
        request.destroy(new Error(`${method} ${path} timed out`)),
      );
      request.on("error", reject);
      request.end(payload);
    });
  }
}

async function readAll(response: http.IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) {
    text += String(chunk);
  }
  return text;
}

function statusMessage(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? "no message";
  } catch {
    return "not a Status object";
  }
}
