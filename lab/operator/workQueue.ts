import type { ObjectRef } from "./kube/object.ts";

/** Delay after the n-th failure in a row: 1, 2, 4, … seconds, at most 30 (contract §4.2, lab measurements). */
export function backoffSeconds(failures: number): number {
  return Math.min(30, 2 ** (failures - 1));
}

interface Item {
  ref: ObjectRef;
  failures: number;
  running: boolean;
  /** An event came while the item ran: run again. */
  dirty: boolean;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Timers of the queue, replaceable in tests. */
export interface Timers {
  set(callback: () => void, seconds: number): ReturnType<typeof setTimeout>;
  clear(timer: ReturnType<typeof setTimeout> | undefined): void;
}

const realTimers: Timers = {
  set: (callback, seconds) => setTimeout(callback, seconds * 1000),
  clear: (timer) => {
    clearTimeout(timer);
  },
};

/** Runs one handler per object at a time; repeats on failure with back-off, and later where the handler asks for it. */
export class WorkQueue {
  readonly #items = new Map<string, Item>();
  readonly #handle: (ref: ObjectRef) => Promise<number | undefined>;
  readonly #log: (text: string) => void;
  readonly #timers: Timers;
  #stopped = false;

  constructor(
    handle: (ref: ObjectRef) => Promise<number | undefined>,
    log: (text: string) => void,
    timers: Timers = realTimers,
  ) {
    this.#handle = handle;
    this.#log = log;
    this.#timers = timers;
  }

  /** Asks for a run soon; asking again before it starts changes nothing. */
  add(ref: ObjectRef): void {
    const id = `${ref.kind}/${ref.namespace}/${ref.name}`;
    const item = this.#items.get(id) ?? { ref, failures: 0, running: false, dirty: false };
    this.#items.set(id, item);
    if (item.running) {
      item.dirty = true;
    } else {
      this.#schedule(item, 0);
    }
  }

  /** Starts nothing more and waits until the running handlers end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const item of this.#items.values()) {
      this.#timers.clear(item.timer);
    }
    await Promise.allSettled(this.#running);
  }

  readonly #running = new Set<Promise<void>>();

  #schedule(item: Item, seconds: number): void {
    this.#timers.clear(item.timer);
    if (!this.#stopped) {
      item.timer = this.#timers.set(() => {
        const run = this.#run(item).finally(() => this.#running.delete(run));
        this.#running.add(run);
      }, seconds);
    }
  }

  async #run(item: Item): Promise<void> {
    item.running = true;
    item.dirty = false;
    let again: number | undefined;
    try {
      again = await this.#handle(item.ref);
      item.failures = 0;
    } catch (error) {
      item.failures += 1;
      again = backoffSeconds(item.failures);
      const { kind, namespace, name } = item.ref;
      const message = error instanceof Error ? error.message : String(error);
      this.#log(`${kind} ${namespace}/${name}: ${message}; next try in ${String(again)} s`);
    }
    item.running = false;
    if (item.dirty) {
      // An event does not shorten the back-off of a failing object: its own writes would make it spin.
      this.#schedule(item, item.failures > 0 ? (again ?? 0) : 0);
    } else if (again !== undefined) {
      this.#schedule(item, again);
    }
  }
}
