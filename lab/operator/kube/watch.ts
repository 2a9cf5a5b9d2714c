import type { KubeClient } from "./client.ts";
import { namespaceOf, nameOf, type KubeObject } from "./object.ts";

const RELIST_DELAY_MS = 1_000;

/** Called for every object that appeared, changed or went away. */
export type ObjectHandler = (object: KubeObject) => void;

/** Follows all objects of one kind: list, watch, and list again when the watch ends. */
export class Informer {
  readonly #client: KubeClient;
  readonly #kind: string;
  readonly #namespace: string | undefined;
  readonly #onObject: ObjectHandler;
  readonly #store = new Map<string, KubeObject>();

  constructor(
    client: KubeClient,
    kind: string,
    namespace: string | undefined,
    onObject: ObjectHandler,
  ) {
    this.#client = client;
    this.#kind = kind;
    this.#namespace = namespace;
    this.#onObject = onObject;
  }

  /** The objects seen last; may lag behind the API server. */
  objects(): KubeObject[] {
    return [...this.#store.values()];
  }

  /** Runs until the signal aborts; errors are logged and followed by a new list. */
  async run(signal: AbortSignal, log: (text: string) => void): Promise<void> {
    while (!signal.aborted) {
      try {
        const list = await this.#client.listAll(this.#kind, this.#namespace);
        this.#reset(list.items);
        const handle = (type: string, object: KubeObject): void => {
          this.#handle(type, object);
        };
        await this.#client.watch(this.#kind, this.#namespace, list.resourceVersion, handle, signal);
      } catch (error) {
        if (!signal.aborted) {
          log(`watch of ${this.#kind} restarts: ${(error as Error).message}`);
          await new Promise((resolve) => setTimeout(resolve, RELIST_DELAY_MS));
        }
      }
    }
  }

  #reset(items: KubeObject[]): void {
    const gone = new Map(this.#store);
    this.#store.clear();
    for (const item of items) {
      gone.delete(storeKey(item));
      this.#handle("ADDED", item);
    }
    for (const object of gone.values()) {
      this.#onObject(object);
    }
  }

  #handle(type: string, object: KubeObject): void {
    if (type === "DELETED") {
      this.#store.delete(storeKey(object));
    } else {
      this.#store.set(storeKey(object), object);
    }
    this.#onObject(object);
  }
}

function storeKey(object: KubeObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}
