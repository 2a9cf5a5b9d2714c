import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Node's own announcement of a request that reaches an HTTP/2 server of this process (Node.js, Diagnostics Channel). */
const requestChannel = "http2.server.stream.created";

/** The call by which Pulumi's engine tells every provider of the first Ctrl-C (pulumi provider.proto). */
const cancelPath = "/pulumirpc.ResourceProvider/Cancel";

/** Signals that reach the provider process at the second Ctrl-C, 5 s before it is killed. */
const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs work with a signal that aborts at Ctrl-C. Pulumi's server for dynamic providers answers the engine's Cancel
 * call and does nothing (pulumi-facts, 2.5), so the call is seen where it comes in. Nothing is left behind afterwards:
 * a handler that stayed would delay the end of the process.
 */
export async function cancellable<T>(
  onCancel: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = (): void => {
    if (abort.signal.aborted) return;
    onCancel();
    abort.abort();
  };
  const onRequest = (message: unknown): void => {
    const { headers } = message as { headers?: Readonly<Record<string, unknown>> };
    if (headers?.[":path"] === cancelPath) stop();
  };
  subscribe(requestChannel, onRequest);
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(abort.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    unsubscribe(requestChannel, onRequest);
  }
}
