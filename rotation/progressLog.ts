import type { Log } from "./ports.ts";

/** Milliseconds that the engine gets to take a line. */
const deadlineMilliseconds = 2000;

/** Lines next to the resource while it changes, and the end of them. */
export interface ProgressLog {
  readonly log: Log;
  /** Resolves when every line has been delivered or printed. */
  flush(): Promise<void>;
}

/**
 * Sends lines to Pulumi's engine for a resource, in order; where there is no engine they are printed, which Pulumi
 * shows without a resource (pulumi-facts, 2.6).
 * @param address the engine's gRPC address: the first argument of Pulumi's provider process
 */
export function progressLog(urn: string, address = process.argv[2]): ProgressLog {
  const print: Log = (line) => console.log(line);
  if (!urn || !address || !/^[\w.-]+:\d+$/.test(address)) {
    return { log: print, flush: () => Promise.resolve() };
  }
  const engine = connect(address);
  let tail: Promise<void> = Promise.resolve();
  return {
    log(line) {
      tail = tail.then(async () => {
        try {
          await (
            await engine
          )(urn, line);
        } catch {
          print(line);
        }
      });
    },
    flush: () => tail,
  };
}

async function connect(address: string): Promise<(urn: string, line: string) => Promise<void>> {
  const { credentials, Metadata } = await import("@grpc/grpc-js");
  const { EngineClient } = await import("@pulumi/pulumi/proto/engine_grpc_pb.js");
  const { default: engine } = await import("@pulumi/pulumi/proto/engine_pb.js");
  const client = new EngineClient(address, credentials.createInsecure());
  return (urn, line) => {
    const request = new engine.LogRequest();
    request.setSeverity(engine.LogSeverity.INFO);
    request.setUrn(urn);
    request.setMessage(line);
    const options = { deadline: Date.now() + deadlineMilliseconds };
    return new Promise((resolve, reject) => {
      client.log(request, new Metadata(), options, (error) => (error ? reject(error) : resolve()));
    });
  };
}
