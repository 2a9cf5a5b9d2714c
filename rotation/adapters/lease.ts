import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { CoordinationV1Api, V1Lease } from "@kubernetes/client-node";
import type { Clock } from "../../cluster/clock.ts";
import { type Lease, LeaseHeld, LeaseLost } from "../ports.ts";
import { LEASE_NAME, MANAGED_BY_LABEL, MANAGER } from "../wireNames.ts";
import { ApiRefusal, callApiSteadily, unlessAbsent } from "./connect.ts";

/** Seconds after which a Lease that is not renewed is stale; it is renewed every 5 s and before every write. */
const leaseSeconds = 30;

/** Seconds by which two machines' clocks may differ. */
const skewSeconds = 60;

/** {@link Lease} in a Lease object; its resourceVersion makes taking it over a compare-and-swap. */
export function leasePort(api: CoordinationV1Api, namespace: string, clock: Clock): Lease {
  const name = LEASE_NAME;
  const where = `Lease ${namespace}/${name}`;
  const me = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  let held: V1Lease | undefined;
  const read = () =>
    unlessAbsent(
      callApiSteadily(`read ${where}`, () => api.readNamespacedLease({ namespace, name })),
    );

  /** Writes it for a holder; undefined when somebody else was faster. */
  const put = async (seen: V1Lease | undefined, holder: string): Promise<V1Lease | undefined> => {
    const { V1MicroTime } = await import("@kubernetes/client-node");
    const now = new V1MicroTime(clock.now());
    const isTakenOver = seen?.spec?.holderIdentity !== holder;
    const spec = {
      ...seen?.spec,
      ...{ holderIdentity: holder, leaseDurationSeconds: leaseSeconds, renewTime: now },
      ...(isTakenOver && {
        acquireTime: now,
        leaseTransitions: (seen?.spec?.leaseTransitions ?? 0) + 1,
      }),
    };
    const metadata = seen?.metadata ?? { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGER } };
    const body: V1Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
    try {
      return await callApiSteadily(`write ${where}`, () =>
        seen
          ? api.replaceNamespacedLease({ namespace, name, body })
          : api.createNamespacedLease({ namespace, body }),
      );
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === 409) return undefined;
      throw error;
    }
  };

  return {
    async acquire() {
      const seen = await read();
      const holder = seen?.spec?.holderIdentity;
      const isFree = !seen || !holder || isLongStale(seen, clock);
      if (!isFree) await waitUntilStale(seen, read, clock, where);
      held = await put(seen, me);
      if (!held) throw new LeaseHeld(`${where} was taken by another run this very moment`);
    },

    async check() {
      const renewed = await put(held, me);
      if (renewed) {
        held = renewed;
        return;
      }
      const now = await read();
      if (now?.spec?.holderIdentity !== me) {
        const other = now?.spec?.holderIdentity || "nobody";
        throw new LeaseLost(`${where} is now held by ${other}; this process stops`);
      }
      held = now;
    },

    async release() {
      const seen = await read();
      if (seen?.spec?.holderIdentity === me) await put(seen, "");
    },
  };
}

/** Stale by far more than clocks may differ: nobody renews it. */
function isLongStale({ spec }: V1Lease, clock: Clock): boolean {
  const renewed = timeOf(spec?.renewTime)?.getTime() ?? 0;
  return clock.now() - renewed > (leaseSeconds + skewSeconds) * 1000;
}

/** Watches the Lease for its whole duration by our own clock; a holder that lives renews it. */
async function waitUntilStale(
  seen: V1Lease,
  read: () => Promise<V1Lease | undefined>,
  clock: Clock,
  where: string,
): Promise<void> {
  const until = clock.now() + leaseSeconds * 1000;
  while (clock.now() < until) {
    await clock.sleep(2000);
    const now = await read();
    if (now?.metadata?.resourceVersion === seen.metadata?.resourceVersion) continue;
    const { holderIdentity, acquireTime } = now?.spec ?? seen.spec ?? {};
    throw new LeaseHeld(
      `another run changes this key: ${holderIdentity || "one that has just ended"} holds ${where} since ` +
        `${timeOf(acquireTime)?.toISOString() ?? "now"}. Wait for it, then run the command again`,
    );
  }
}

/** client-node declares a Date where it leaves the text of the API server (times with microseconds). */
const timeOf = (time: Date | string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time);
