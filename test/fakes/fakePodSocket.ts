import type { OpenPodSocket, PodSocketEvents, Schedule } from "../../cluster/podExec.ts";

/** A pod's exec connection that the test plays by hand. */
export class FakePodSocket {
  /** Path of the last connection. */
  path = "";
  /** Whether the client has closed its end. */
  closed = false;
  /** Set to refuse the upgrade with this message. */
  refusal: string | undefined;
  #events: PodSocketEvents | undefined;

  /** The opener to hand to the code under test. */
  readonly open: OpenPodSocket = (path, events) => {
    this.path = path;
    if (this.refusal !== undefined) return Promise.reject(new Error(this.refusal));
    this.#events = events;
    return Promise.resolve({
      close: () => {
        this.closed = true;
      },
    });
  };

  /** Sends a frame of a channel: 1 stdout, 2 stderr. */
  send(channel: number, data: string | Uint8Array): void {
    this.#events?.frame(channel, Buffer.from(data as string));
  }

  /** Sends the status frame. */
  status(status: object): void {
    this.send(3, JSON.stringify(status));
  }

  /** Ends the connection from the server's side. */
  drop(reason = "code 1000"): void {
    this.#events?.closed(reason);
  }
}

/** A timer that fires only when the test says so. */
export class FakeSchedule {
  readonly #waiting = new Map<symbol, { milliseconds: number; after: () => void }>();

  readonly schedule: Schedule = (milliseconds, after) => {
    const key = Symbol();
    this.#waiting.set(key, { milliseconds, after });
    return () => void this.#waiting.delete(key);
  };

  /** Milliseconds of every timer that still waits, shortest first. */
  get waiting(): number[] {
    return [...this.#waiting.values()]
      .map(({ milliseconds }) => milliseconds)
      .sort((a, b) => a - b);
  }

  /** Fires every timer of up to that many milliseconds. */
  pass(milliseconds: number): void {
    for (const [key, timer] of [...this.#waiting]) {
      if (timer.milliseconds > milliseconds) continue;
      this.#waiting.delete(key);
      timer.after();
    }
  }
}
