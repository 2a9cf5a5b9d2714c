/**
 * One command in one pod, with an answer that can be trusted: the exit code comes from Kubernetes' status frame, and
 * nothing else is ever read as success.
 *
 * Contract of the channel protocol (Kubernetes `remotecommand`, v4/v5.channel.k8s.io): binary frames, first byte the
 * channel (1 stdout, 2 stderr, 3 status); the status is a `Status` object sent when the command has ended, after
 * which the server closes the connection.
 */

import type { KubeConfig } from "@kubernetes/client-node";

/** Where a command runs. */
export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** What a command left. A code other than 0 is a result, not an error. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Why there is no exit code:
 * `refused` the API server did not start it; `failed` Kubernetes says it could not run;
 * `unknown` the connection ended without a status, so it may or may not have run; `deadline` no answer in time.
 */
export type ExecFailure = "refused" | "failed" | "unknown" | "deadline";

/** A command without a result; after `unknown` and `deadline` it may have run, so commands must be safe to repeat. */
export class PodExecError extends Error {
  readonly failure: ExecFailure;

  constructor(failure: ExecFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PodExecError";
    this.failure = failure;
  }
}

/** What the connection tells us. */
export interface PodSocketEvents {
  /** One frame of a channel. */
  frame(channel: number, data: Buffer): void;
  /** The connection is gone; no frame follows. */
  closed(reason: string): void;
}

/** An open connection. */
export interface PodSocket {
  close(): void;
}

/** Opens the connection for a path of the API server; rejects when the upgrade is refused. */
export type OpenPodSocket = (path: string, events: PodSocketEvents) => Promise<PodSocket>;

/** Runs `after` once `milliseconds` have passed, unless the returned function is called before. */
export type Schedule = (milliseconds: number, after: () => void) => () => void;

/** How a command is run. */
export interface ExecOptions {
  /** Time for the whole command, connection included, in seconds. */
  readonly timeoutSeconds: number;
  /** Replaces the real timer in tests. */
  readonly schedule?: Schedule;
}

/** Silence after the status frame that ends the streams of a server which does not close, in milliseconds. */
const SETTLE_MILLISECONDS = 1_000;

/**
 * Runs a command (an argument vector, no shell) and resolves once its status has arrived and its streams have ended.
 * @throws PodExecError in every other case, at the latest when `timeoutSeconds` have passed.
 */
export function execInPod(
  open: OpenPodSocket,
  target: ExecTarget,
  command: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  const schedule = options.schedule ?? realSchedule;
  const what = `"${command[0] ?? ""}" in pod ${target.namespace}/${target.pod} (${target.container})`;

  return new Promise<ExecResult>((resolve, reject) => {
    const output = { 1: [] as Buffer[], 2: [] as Buffer[] };
    let status: Buffer | undefined;
    let socket: PodSocket | undefined;
    let ended = false;
    let cancelSettle = (): void => undefined;

    const end = (deliver: () => void): void => {
      if (ended) return;
      ended = true;
      cancelDeadline();
      cancelSettle();
      socket?.close();
      deliver();
    };
    const fail = (failure: ExecFailure, why: string, cause?: unknown): void => {
      end(() => reject(new PodExecError(failure, `${what}: ${why}`, { cause })));
    };
    const finish = (): void => {
      if (status === undefined) return;
      try {
        const exitCode = exitCodeOf(status);
        const result = { exitCode, stdout: text(output[1]), stderr: text(output[2]) };
        end(() => resolve(result));
      } catch (error) {
        fail("failed", error instanceof Error ? error.message : String(error));
      }
    };
    const cancelDeadline = schedule(options.timeoutSeconds * 1000, () => {
      fail(
        "deadline",
        `no result within ${options.timeoutSeconds} s; it may still run, so look before repeating it`,
      );
    });

    open(execPath(target, command), {
      frame(channel, data) {
        if (channel === 1 || channel === 2) output[channel].push(data);
        if (channel === 3) status = data;
        if (status === undefined || ended) return;
        cancelSettle();
        cancelSettle = schedule(SETTLE_MILLISECONDS, finish);
      },
      closed(reason) {
        if (status !== undefined) finish();
        else fail("unknown", `the connection closed without a status (${reason}); it may have run`);
      },
    }).then(
      (opened) => {
        socket = opened;
        if (ended) opened.close();
      },
      (error: unknown) => fail("refused", `not started: ${reasonOf(error)}`, error),
    );
  });
}

/** The part of the ws package's socket that is used here. */
interface RawSocket {
  onclose: (event: { code: number; reason: string }) => void;
  onerror: (event: { message: string }) => void;
  close(): void;
}

/** Opens exec connections with a kubeconfig's current context; TLS and credentials are client-node's. */
export function podSocketOpener(kubeConfig: KubeConfig): OpenPodSocket {
  return async (path, events) => {
    const { Exec } = await import("@kubernetes/client-node");
    const handler = new Exec(kubeConfig).handler;
    const connected: unknown = await handler.connect(path, null, (channel, data) => {
      events.frame(channel, data);
      return true;
    });
    const socket = connected as RawSocket;
    socket.onclose = ({ code, reason }) => events.closed(reason === "" ? `code ${code}` : reason);
    socket.onerror = ({ message }) => events.closed(message);
    return { close: () => socket.close() };
  };
}

function execPath(target: ExecTarget, command: readonly string[]): string {
  const query = new URLSearchParams({
    container: target.container,
    stdout: "true",
    stderr: "true",
  });
  for (const argument of command) query.append("command", argument);
  const { namespace, pod } = target;
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query.toString()}`;
}

/** Bytes are joined before they are decoded, so a character split across frames stays whole. */
function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

function exitCodeOf(frame: Buffer): number {
  let status: unknown;
  try {
    status = JSON.parse(frame.toString("utf8"));
  } catch {
    throw new Error("the status frame is not JSON");
  }
  const {
    status: verdict,
    message,
    details,
  } = status as {
    status?: string;
    message?: string;
    details?: { causes?: { reason?: string; message?: string }[] };
  };
  if (verdict === "Success") return 0;
  const code = details?.causes?.find((cause) => cause.reason === "ExitCode")?.message ?? "";
  if (verdict === "Failure" && /^\d+$/.test(code)) return Number(code);
  throw new Error(message ?? "the status frame names neither success nor an exit code");
}

function reasonOf(error: unknown): string {
  const message = (error as { message?: unknown } | undefined)?.message;
  return typeof message === "string" && message !== "" ? message : "the connection was refused";
}

const realSchedule: Schedule = (milliseconds, after) => {
  const timer = setTimeout(after, milliseconds);
  return () => clearTimeout(timer);
};
