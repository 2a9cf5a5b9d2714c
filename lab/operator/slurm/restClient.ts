import type { SlurmNode, SlurmNodeChange } from "./nodeState.ts";

/** What the NodeSet sync asks of Slurm; the tests' fake implements it too. */
export interface SlurmApi {
  /** All registered nodes. */
  nodes(): Promise<SlurmNode[]>;
  updateNode(name: string, change: SlurmNodeChange): Promise<void>;
}

/** The one data version the operator speaks (contract §6). */
const VERSION = "v0.0.44";
const REQUEST_TIMEOUT_MS = 10_000;

/** {@link SlurmApi} through slurmrestd. Only the token header is sent: the user stands in the token. */
export class SlurmRestClient implements SlurmApi {
  readonly #server: string;
  readonly #token: string;

  /** @param server for instance `http://slurm-restapi.slurm:6820` */
  constructor(server: string, token: string) {
    this.#server = server;
    this.#token = token;
  }

  async nodes(): Promise<SlurmNode[]> {
    const answer = await this.#request("GET", "nodes/");
    const nodes = (answer["nodes"] ?? []) as Partial<SlurmNode>[];
    return nodes.map(({ name = "", state = [], reason = "", comment = "" }) => ({
      name,
      state,
      reason,
      comment,
    }));
  }

  async updateNode(name: string, change: SlurmNodeChange): Promise<void> {
    const { state, ...fields } = change;
    const body = { ...fields, ...(state === undefined ? {} : { state: [state] }) };
    await this.#request("POST", `node/${encodeURIComponent(name)}`, body);
  }

  async #request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.#server}/slurm/${VERSION}/${path}`, {
      method,
      headers: { "X-SLURM-USER-TOKEN": this.#token, "content-type": "application/json" },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`slurmrestd answered ${String(response.status)} to ${method} ${path}`);
    }
    const answer = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const errors = (answer["errors"] ?? []) as { description?: string; error?: string }[];
    if (errors.length > 0) {
      const first = errors[0]?.description ?? errors[0]?.error ?? "no description";
      throw new Error(`slurmrestd refused ${method} ${path}: ${first}`);
    }
    return answer;
  }
}
