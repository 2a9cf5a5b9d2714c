import { setTimeout as sleep } from "node:timers/promises";
import type { V1Lease } from "@kubernetes/client-node";
import { hasStatus, type KubeApi } from "./client.ts";
import type { KubeObject, ObjectRef } from "./object.ts";

type Lease = KubeObject & { spec: LeaseSpec };
/** Times are RFC 3339 text with microseconds: the JSON form, not the Date of the client library's model. */
type LeaseSpec = Pick<
  NonNullable<V1Lease["spec"]>,
  "holderIdentity" | "leaseDurationSeconds" | "leaseTransitions"
> & { acquireTime?: string; renewTime?: string };

const LEASE_DURATION_SECONDS = 15;
const RENEW_DEADLINE_MS = 10_000;
const RETRY_MS = 2_000;

/** Leader election through one Lease (coordination.k8s.io), with the timings of the usual Go controllers. */
export class LeaderLease {
  readonly #api: KubeApi;
  readonly #ref: ObjectRef;
  readonly #identity: string;
  readonly #now: () => number;

  constructor(api: KubeApi, namespace: string, name: string, identity: string, now = Date.now) {
    this.#api = api;
    this.#ref = { kind: "Lease", namespace, name };
    this.#identity = identity;
    this.#now = now;
  }

  /** Waits until this process holds the Lease, or the signal aborts; a failing API is logged and asked again. */
  async acquire(signal: AbortSignal, log: (text: string) => void): Promise<void> {
    const failed = (error: unknown): boolean => {
      log(`Lease ${this.#ref.name}: ${(error as Error).message}`);
      return false;
    };
    while (!signal.aborted && !(await this.tryAcquire().catch(failed))) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Renews until the signal aborts.
   * @throws Error when the Lease could not be renewed for 10 s: another process may lead now, so this one must end
   */
  async keep(signal: AbortSignal): Promise<void> {
    let renewedAt = this.#now();
    while (!signal.aborted) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      if (await this.tryAcquire().catch(() => false)) {
        renewedAt = this.#now();
      } else if (this.#now() - renewedAt > RENEW_DEADLINE_MS) {
        throw new Error(`leader election lost: Lease ${this.#ref.name} was not renewed for 10 s`);
      }
    }
  }

  /** Takes a free, expired or own Lease; false when another holder is alive or a write raced. */
  async tryAcquire(): Promise<boolean> {
    const live = await this.#api.get<Lease>(this.#ref);
    const now = this.#now();
    if (live !== undefined && this.#isHeldByOther(live.spec, now)) {
      return false;
    }
    const mine = live?.spec.holderIdentity === this.#identity;
    const time = microTime(now);
    const spec: LeaseSpec = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: LEASE_DURATION_SECONDS,
      acquireTime: mine ? (live.spec.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: (live?.spec.leaseTransitions ?? -1) + (mine ? 0 : 1),
    };
    try {
      if (live === undefined) {
        const { namespace, name } = this.#ref;
        const fresh: Lease = {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata: { namespace, name },
          spec,
        };
        await this.#api.create(fresh);
      } else {
        await this.#api.replace({ ...live, spec });
      }
      return true;
    } catch (error) {
      if (hasStatus(error, 409)) {
        return false;
      }
      throw error;
    }
  }

  /** Gives the Lease up, so that the next process leads at once; someone else's Lease is left alone. */
  async release(): Promise<void> {
    const live = await this.#api.get<Lease>(this.#ref);
    if (live?.spec.holderIdentity === this.#identity) {
      const spec = { ...live.spec, holderIdentity: "", leaseDurationSeconds: 1 };
      await this.#api.replace({ ...live, spec });
    }
  }

  #isHeldByOther(spec: LeaseSpec, now: number): boolean {
    if (!spec.holderIdentity || spec.holderIdentity === this.#identity) {
      return false;
    }
    const expires = Date.parse(spec.renewTime ?? "") + (spec.leaseDurationSeconds ?? 0) * 1000;
    return expires > now;
  }
}

/** MicroTime needs six digits of fraction. */
function microTime(now: number): string {
  return new Date(now).toISOString().replace("Z", "000Z");
}
