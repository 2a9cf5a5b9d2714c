import type { ApiException, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { ClusterUnreachable, PassingFailure } from "../ports.ts";

/** Seconds that one call to the API server may take. */
export const callTimeoutSeconds = 20;

/**
 * Reads a kubeconfig and selects its context. The client library is loaded here and not at the top of a file: it
 * costs seconds, and Pulumi cannot serialize what a provider captures of it (R39).
 * @throws when the text is no kubeconfig or lacks the context
 */
export async function openKubeConfig(text: string, context: string): Promise<KubeConfig> {
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    config.loadFromString(text);
  } catch {
    // The cause may quote the file, and the file holds credentials.
    throw new Error("the kubeconfig of the stack cannot be parsed");
  }
  if (!config.getContextObject(context)) {
    throw new Error(`the kubeconfig of the stack has no context "${context}"`);
  }
  config.setCurrentContext(context);
  return config;
}

/** The core API of a cluster. */
export async function openCoreApi(text: string, context: string): Promise<CoreV1Api> {
  const { CoreV1Api } = await import("@kubernetes/client-node");
  return (await openKubeConfig(text, context)).makeApiClient(CoreV1Api);
}

/**
 * Makes one API call under a deadline.
 * @param action what the call does, for the error
 * @throws ClusterUnreachable when nobody answered; ApiRefusal when the API server refused. No error repeats a
 * request or response body: the API server echoes key bytes in them (R12)
 */
export async function callApi<T>(action: string, call: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ClusterUnreachable(`${action}: no answer within ${callTimeoutSeconds} s`));
    }, callTimeoutSeconds * 1000);
  });
  try {
    return await Promise.race([call(), deadline]);
  } catch (error) {
    if (error instanceof ClusterUnreachable) throw error;
    const { code, body } = error as Partial<ApiException<unknown>>;
    if (typeof code === "number") throw new ApiRefusal(action, code, statusReason(body));
    const network = networkCode(error);
    if (network) {
      throw new ClusterUnreachable(`${action}: the API server cannot be reached (${network})`);
    }
    throw new Error(`${action}: ${withoutLongWords(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The API server answered with an error status. */
export class ApiRefusal extends Error {
  readonly code: number;
  /** One word of the API server, such as Forbidden. */
  readonly reason: string;

  constructor(action: string, code: number, reason: string) {
    super(`${action}: the API server refused it (${code} ${reason})`);
    this.code = code;
    this.reason = reason;
  }
}

/** Undefined where the API server says that there is no such object. */
export async function unlessAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiRefusal && error.code === 404) return undefined;
    throw error;
  }
}

/**
 * {@link callApi} for a call that may be repeated.
 * @throws PassingFailure besides, when the API server refuses for a reason that passes by itself
 */
export async function callApiSteadily<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await callApi(action, call);
  } catch (error) {
    const isPassing = error instanceof ApiRefusal && (error.code >= 500 || error.code === 429);
    throw isPassing ? new PassingFailure(error.message) : error;
  }
}

function statusReason(body: unknown): string {
  let status: unknown = body;
  if (typeof body === "string") {
    try {
      status = JSON.parse(body) as unknown;
    } catch {
      return "without a reason";
    }
  }
  const reason = (status as { reason?: unknown } | null)?.reason;
  return typeof reason === "string" && /^[A-Za-z]{1,40}$/.test(reason)
    ? reason
    : "without a reason";
}

/** Codes that mean that nobody answered; a certificate that does not fit is none of them. */
const networkCodes = /^(ECONN|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|EPIPE|UND_ERR)[A-Z_]*$/;

/** The network's error code, found behind the wrappers of fetch. */
function networkCode(error: unknown): string | undefined {
  for (let cause: unknown = error, depth = 0; cause && depth < 5; depth++) {
    const { code, cause: next } = cause as { code?: unknown; cause?: unknown };
    if (typeof code === "string" && networkCodes.test(code)) return code;
    cause = next;
  }
  return undefined;
}

/** A message without anything long enough to be a key in some notation. */
function withoutLongWords(error: unknown): string {
  const message = error instanceof Error ? error.message : "failed";
  return message.slice(0, 300).replace(/[A-Za-z0-9+/_=-]{20,}/g, "…");
}
