import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";

/** Properties as they travel between the engine and a provider. */
export type Properties = Record<string, unknown>;

type Reply<T> = (error: Error | null, response: T) => void;

/** Pulumi's own process for dynamic providers, started and spoken to as the engine does, without an engine. */
export class DynamicProviderProcess {
  readonly #child: ChildProcess;
  readonly #client: ResourceProviderClient;
  /** Everything the process printed. */
  output = "";

  constructor(child: ChildProcess, port: string) {
    this.#child = child;
    this.#client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (text: Buffer) => (this.output += text.toString()));
    }
  }

  /** Starts the process in the program's folder. */
  static async start(): Promise<DynamicProviderProcess> {
    const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [script, "127.0.0.1:1"], { stdio: "pipe" });
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const started = new DynamicProviderProcess(child, port);
    const request = new provider.ConfigureRequest();
    request.setArgs(toStruct({}));
    await call((reply) => started.#client.configure(request, reply));
    return started;
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const request = new provider.CreateRequest();
    request.setProperties(toStruct(inputs));
    const response = await call<provider.CreateResponse>((reply) =>
      this.#client.create(request, reply),
    );
    return { id: response.getId(), outs: toProperties(response.getProperties()) };
  }

  async diff(id: string, olds: Properties, news: Properties): Promise<boolean> {
    const request = new provider.DiffRequest();
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const response = await call<provider.DiffResponse>((reply) =>
      this.#client.diff(request, reply),
    );
    return response.getChanges() === provider.DiffResponse.DiffChanges.DIFF_SOME;
  }

  async update(id: string, olds: Properties, news: Properties): Promise<Properties> {
    const request = new provider.UpdateRequest();
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const response = await call<provider.UpdateResponse>((reply) =>
      this.#client.update(request, reply),
    );
    return toProperties(response.getProperties());
  }

  async read(id: string, outs: Properties): Promise<{ id: string; outs: Properties }> {
    const request = new provider.ReadRequest();
    request.setId(id);
    request.setProperties(toStruct(outs));
    const response = await call<provider.ReadResponse>((reply) =>
      this.#client.read(request, reply),
    );
    return { id: response.getId(), outs: toProperties(response.getProperties()) };
  }

  async delete(id: string, outs: Properties): Promise<void> {
    const request = new provider.DeleteRequest();
    request.setId(id);
    request.setProperties(toStruct(outs));
    await call((reply) => this.#client.delete(request, reply));
  }

  async stop(): Promise<void> {
    this.#client.close();
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}

function call<T>(start: (reply: Reply<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => (error ? reject(error) : resolve(response)));
  });
}

function toStruct(properties: Properties): struct.Struct {
  return struct.Struct.fromJavaScript(properties as Record<string, struct.JavaScriptValue>);
}

function toProperties(properties: struct.Struct | undefined): Properties {
  return properties?.toJavaScript() ?? {};
}
