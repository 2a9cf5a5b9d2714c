import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import provider from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { PropertyMap } from "../../../lab/plugins/wire/propertyValue.ts";

type Reply<T> = (error: Error | null, response: T) => void;

/** One log line as the engine got it. */
export interface LoggedLine {
  readonly urn: string;
  readonly message: string;
  readonly ephemeral: boolean;
}

/** A resource as create or update left it. */
export interface Stored {
  readonly id: string;
  readonly outs: PropertyMap;
}

/** A running plugin executable, driven over gRPC as the engine does, with a fake engine that keeps the log. */
export class PluginProcess {
  readonly logged: LoggedLine[];
  readonly child: ChildProcess;
  readonly client: ResourceProviderClient;
  readonly #engine: Server;

  constructor(child: ChildProcess, port: string, engine: Server, logged: LoggedLine[]) {
    this.child = child;
    this.client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    this.#engine = engine;
    this.logged = logged;
  }

  check(urn: string, news: PropertyMap): Promise<{ inputs: PropertyMap; failures: string[][] }> {
    const request = new provider.CheckRequest();
    request.setUrn(urn);
    request.setOlds(asStruct({}));
    request.setNews(asStruct(news));
    return call<provider.CheckResponse>((reply) => this.client.check(request, reply)).then((r) => ({
      inputs: asMap(r.getInputs()),
      failures: r.getFailuresList().map((f) => [f.getProperty(), f.getReason()]),
    }));
  }

  diff(
    urn: string,
    olds: PropertyMap,
    news: PropertyMap,
  ): Promise<{ changes: boolean; replaces: string[] }> {
    const request = new provider.DiffRequest();
    request.setUrn(urn);
    request.setOlds(asStruct(olds));
    request.setNews(asStruct(news));
    return call<provider.DiffResponse>((reply) => this.client.diff(request, reply)).then((r) => ({
      changes: r.getChanges() === provider.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: r.getReplacesList(),
    }));
  }

  create(urn: string, inputs: PropertyMap): Promise<Stored> {
    const request = new provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(asStruct(inputs));
    return call<provider.CreateResponse>((reply) => this.client.create(request, reply)).then(
      (r) => ({ id: r.getId(), outs: asMap(r.getProperties()) }),
    );
  }

  update(urn: string, old: Stored, news: PropertyMap): Promise<Stored> {
    const request = new provider.UpdateRequest();
    request.setUrn(urn);
    request.setId(old.id);
    request.setOlds(asStruct(old.outs));
    request.setNews(asStruct(news));
    return call<provider.UpdateResponse>((reply) => this.client.update(request, reply)).then(
      (r) => ({ id: old.id, outs: asMap(r.getProperties()) }),
    );
  }

  async delete(urn: string, old: Stored): Promise<void> {
    const request = new provider.DeleteRequest();
    request.setUrn(urn);
    request.setId(old.id);
    request.setProperties(asStruct(old.outs));
    await call<Empty>((reply) => this.client.delete(request, reply));
  }

  read(urn: string, id: string, props: PropertyMap): Promise<Stored> {
    const request = new provider.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(asStruct(props));
    return call<provider.ReadResponse>((reply) => this.client.read(request, reply)).then((r) => ({
      id: r.getId(),
      outs: asMap(r.getProperties()),
    }));
  }

  invoke(token: string, args: PropertyMap): Promise<{ outs: PropertyMap; failures: string[] }> {
    const request = new provider.InvokeRequest();
    request.setTok(token);
    request.setArgs(asStruct(args));
    return call<provider.InvokeResponse>((reply) => this.client.invoke(request, reply)).then(
      (r) => ({
        outs: asMap(r.getReturn()),
        failures: r.getFailuresList().map((f) => f.getReason()),
      }),
    );
  }

  configure(): Promise<provider.ConfigureResponse> {
    const request = new provider.ConfigureRequest();
    return call((reply) => this.client.configure(request, reply));
  }

  async schema(): Promise<{ name: string; resources: Record<string, object> }> {
    const request = new provider.GetSchemaRequest();
    const response = await call<provider.GetSchemaResponse>((reply) =>
      this.client.getSchema(request, reply),
    );
    return JSON.parse(response.getSchema()) as { name: string; resources: Record<string, object> };
  }

  async version(): Promise<string> {
    const request = new empty.Empty();
    const info = await call<{ getVersion(): string }>((reply) =>
      this.client.getPluginInfo(request, reply),
    );
    return info.getVersion();
  }

  async cancel(): Promise<void> {
    const request = new empty.Empty();
    await call<Empty>((reply) => this.client.cancel(request, reply));
  }

  /** Ends the plugin as the engine does. */
  async close(): Promise<void> {
    this.client.close();
    this.#engine.forceShutdown();
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGINT");
    await exited;
  }
}

/** Path of the executable of this name in lab/plugins/bin. */
export function pluginPath(name: string): string {
  return fileURLToPath(new URL(`../../../lab/plugins/bin/${name}`, import.meta.url));
}

/** Starts an executable and waits for the port on its first line of output. */
export async function startPlugin(
  executable: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<PluginProcess> {
  const logged: LoggedLine[] = [];
  const engine = new Server();
  engine.addService(EngineService, {
    log(request: ServerUnaryCall<LogRequest, Empty>, reply: sendUnaryData<Empty>) {
      logged.push({
        urn: request.request.getUrn(),
        message: request.request.getMessage(),
        ephemeral: request.request.getEphemeral(),
      });
      reply(null, new empty.Empty());
    },
  });
  const enginePort = await new Promise<number>((resolve, reject) => {
    engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
  const child = spawn(executable, [`127.0.0.1:${enginePort}`], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const first = once(createInterface(child.stdout), "line", {
    signal: AbortSignal.timeout(25_000),
  });
  const [port] = (await first) as [string];
  return new PluginProcess(child, port, engine, logged);
}

function call<T>(start: (reply: Reply<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => (error === null ? resolve(response) : reject(error)));
  });
}

function asStruct(map: PropertyMap) {
  return struct.Struct.fromJavaScript(map);
}

function asMap(value: { toJavaScript(): object } | undefined): PropertyMap {
  return (value?.toJavaScript() ?? {}) as PropertyMap;
}
