import type { Clock } from "../../cluster/clock.ts";

/** A clock that moves only when somebody sleeps, and then at once. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);

  now(): number {
    return this.#now;
  }

  sleep(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    return Promise.resolve();
  }
}
