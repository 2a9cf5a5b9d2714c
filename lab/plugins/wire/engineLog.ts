import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engine from "@pulumi/pulumi/proto/engine_pb.js";

/** Where a running command's lines go. */
export interface LineLog {
  /** Takes one line for the resource with this URN ("" for a function). */
  write(urn: string, line: string): void;
  /** Resolves when everything written so far has been delivered or given up. */
  flush(): Promise<void>;
}

const CALL_DEADLINE_MS = 5_000;

/**
 * Status lines of the engine, next to their resource while it runs. One call at a time, since the engine serves calls
 * concurrently and would mix up the lines. A lost engine ends the log, not the command: the command's own result is
 * still worth having.
 *
 * @param address the engine's gRPC address; without it the lines are dropped
 */
export function engineLog(address: string | undefined): LineLog {
  if (address === undefined) return { write: () => {}, flush: () => Promise.resolve() };
  const client = new EngineClient(address, credentials.createInsecure());
  let tail: Promise<boolean> = Promise.resolve(true);
  return {
    write(urn, line) {
      tail = tail.then((alive) => alive && send(client, urn, line));
    },
    async flush() {
      await tail;
    },
  };
}

/** Sends one line; false when the engine does not take it any more. */
function send(client: EngineClient, urn: string, line: string): Promise<boolean> {
  const request = new engine.LogRequest();
  request.setSeverity(engine.LogSeverity.INFO);
  request.setUrn(urn);
  request.setMessage(line);
  request.setEphemeral(true);
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + CALL_DEADLINE_MS };
    client.log(request, new Metadata(), options, (error) => resolve(error === null));
  });
}
