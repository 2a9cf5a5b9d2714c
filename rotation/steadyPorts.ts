import type { Clock } from "../cluster/clock.ts";
import { ClusterUnreachable, PassingFailure, type RotationPorts } from "./ports.ts";

/** Seconds for which a call is repeated when nobody answers; an API server that restarts is back by then. */
const repeatSeconds = 90;

/** Seconds between two repetitions. */
const pauseSeconds = 2;

/** Seconds after which the Lease is renewed also before a call that only reads. */
const renewSeconds = 5;

/** Calls that change nothing; every other call is fenced. */
const reads = new Set(
  "read staged pods workloads nodes blockingJobs isSet keyFile clientCall services state missing".split(
    " ",
  ),
);

/** Tools of {@link steadyPorts}. */
export interface SteadyTools {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ports whose calls survive a passing failure, and whose writes happen only while the Lease is ours: a process that
 * was stopped for longer than the Lease lasts finds out before it writes, and not after.
 */
export function steadyPorts(ports: RotationPorts, tools: SteadyTools): RotationPorts {
  const { clock } = tools;
  let renewedAt = clock.now();
  const call = async (name: string, work: () => Promise<unknown>): Promise<unknown> => {
    const isDue = clock.now() - renewedAt >= renewSeconds * 1000;
    if (!reads.has(name) || isDue) {
      await ports.lease.check();
      renewedAt = clock.now();
    }
    return work();
  };
  const steady = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...words: unknown[]) =>
          repeat(tools, () =>
            call(String(name), () => Reflect.apply(member, target, words) as Promise<unknown>),
          );
      },
    });
  const { lease, ...others } = ports;
  const wrapped = Object.entries(others).map(([name, port]) => [name, steady(port as object)]);
  return { ...(Object.fromEntries(wrapped) as Omit<RotationPorts, "lease">), lease };
}

async function repeat<T>({ clock, signal }: SteadyTools, work: () => Promise<T>): Promise<T> {
  const until = clock.now() + repeatSeconds * 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof ClusterUnreachable || error instanceof PassingFailure;
      if (!isPassing || clock.now() >= until || signal?.aborted) throw error;
      await clock.sleep(pauseSeconds * 1000);
    }
  }
}
