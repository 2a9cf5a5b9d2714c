import type { Controller, RestApi } from "../crds.ts";
import type { KubeApi } from "../kube/client.ts";
import { namespaceOf, nameOf } from "../kube/object.ts";
import { names, ports } from "../names.ts";
import { DEFAULT_LIFETIME_SECONDS, signSlurmToken } from "./jwt.ts";
import { SlurmRestClient, type SlurmApi } from "./restClient.ts";
import { secretBytes } from "./secretBytes.ts";

/** Token age at which a new one is signed (contract §6). */
const REFRESH_AFTER_MS = 12 * 60 * 1000;

interface CachedToken {
  token: string;
  signedAt: number;
  /** Resource versions of the Controller and RestApi the token was made for. */
  versions: string;
}

/** How long a failed look at Slurm's nodes is kept: the real client lists them again only then (slurm-client, informer.go). */
const FAILURE_KEPT_MS = 30 * 1000;

interface Failure {
  error: unknown;
  until: number;
}

/** Gives the Slurm API of a cluster; undefined when it has no RestApi. */
export type SlurmFor = (controller: Controller) => Promise<SlurmApi | undefined>;

/**
 * Slurm clients by Controller. A token is kept for 12 minutes although the jwt key may change meanwhile, unless the
 * Controller or the RestApi is touched: version 1.2.1 does not watch Secrets here (contract §6).
 */
export class SlurmClients {
  readonly #api: KubeApi;
  readonly #now: () => number;
  readonly #tokens = new Map<string, CachedToken>();
  readonly #failures = new Map<string, Failure>();

  constructor(api: KubeApi, now = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  /** @throws Error when the jwt key cannot be read: the caller must not take that for "no Slurm" */
  async for(controller: Controller): Promise<SlurmApi | undefined> {
    const namespace = namespaceOf(controller);
    const restApis = await this.#api.list<RestApi>("RestApi", namespace);
    const restApi = restApis.find((item) => item.spec.controllerRef.name === nameOf(controller));
    if (restApi === undefined) {
      return undefined;
    }
    const token = await this.#token(controller, restApi);
    const host = `${names.restapi(nameOf(restApi))}.${namespace}`;
    return this.#keepingFailures(
      new SlurmRestClient(`http://${host}:${String(ports.slurmrestd)}`, token),
      host,
    );
  }

  #keepingFailures(client: SlurmApi, host: string): SlurmApi {
    return {
      nodes: async () => {
        const kept = this.#failures.get(host);
        if (kept && this.#now() < kept.until) {
          throw kept.error;
        }
        try {
          return await client.nodes();
        } catch (error) {
          this.#failures.set(host, { error, until: this.#now() + FAILURE_KEPT_MS });
          throw error;
        }
      },
      updateNode: (name, change) => client.updateNode(name, change),
    };
  }

  async #token(controller: Controller, restApi: RestApi): Promise<string> {
    const id = `${namespaceOf(controller)}/${nameOf(controller)}`;
    const versions = [controller, restApi].map((item) => item.metadata.resourceVersion).join("/");
    const cached = this.#tokens.get(id);
    const now = this.#now();
    if (cached?.versions === versions && now - cached.signedAt < REFRESH_AFTER_MS) {
      return cached.token;
    }
    const key = await secretBytes(this.#api, namespaceOf(controller), controller.spec.jwtKeyRef);
    const token = signSlurmToken(key, "slurm", DEFAULT_LIFETIME_SECONDS, now);
    this.#tokens.set(id, { token, signedAt: now, versions });
    return token;
  }
}
