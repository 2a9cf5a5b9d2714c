/** Answer of the API server to a probe: an HTTP status, or no answer at all. */
export interface AdmissionAnswer {
  /** HTTP status; undefined when there was no answer. */
  readonly code?: number;
  /** Message of the API server or of the network. Probes carry no secret, so it may be shown. */
  readonly message: string;
}

/** What to do about an answer. */
export type AdmissionVerdict =
  | { readonly kind: "admitted" }
  /** The webhook is still coming up: ask again. */
  | { readonly kind: "not-yet"; readonly cause: string }
  /** No waiting will help. */
  | { readonly kind: "hopeless"; readonly cause: string; readonly hint: string };

const notYet: readonly { readonly pattern: RegExp; readonly cause: string }[] = [
  { pattern: /x509|certificate|tls:/i, cause: "its certificate is not trusted yet (x509)" },
  { pattern: /connection refused|ECONNREFUSED/i, cause: "connection refused" },
  { pattern: /no endpoints available/i, cause: "no endpoints available" },
  { pattern: /context deadline exceeded|timeout|timed out|ETIMEDOUT/i, cause: "timeout" },
  { pattern: /no route to host|ECONNRESET|connection reset|EOF|dial tcp/i, cause: "no connection" },
];

/**
 * Pure: judges the answer to a dry-run create (R35). Right after an install the API server cannot reach or trust the
 * webhook for a while; a missing resource or path never heals.
 */
export function classifyAdmission(answer: AdmissionAnswer): AdmissionVerdict {
  const { code, message } = answer;
  if (code !== undefined && code >= 200 && code < 300) return { kind: "admitted" };
  if (code === 404 || /could not find the requested resource|404 page not found/.test(message)) {
    return {
      kind: "hopeless",
      cause: `the API or the webhook's path was not found (${firstLine(message)})`,
      hint: "the versions of the charts slurm-operator-crds and slurm-operator must be equal and serve slinky.slurm.net/v1beta1",
    };
  }
  const known = notYet.find(({ pattern }) => pattern.test(message));
  if (known) return { kind: "not-yet", cause: known.cause };
  if (code === undefined || code === 429 || code >= 500) {
    return { kind: "not-yet", cause: firstLine(message) };
  }
  return {
    kind: "hopeless",
    cause: `the API server answered ${code}: ${firstLine(message)}`,
    hint:
      code === 401 || code === 403
        ? "the kubeconfig's user must be allowed to create controllers.slinky.slurm.net"
        : "look at the log of deployment slurm-operator-webhook",
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
