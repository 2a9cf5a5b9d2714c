/** Makes whole lines out of the chunks of several streams, each stream's chunks apart. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #rest = new Map<string, string>();

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Takes a chunk and hands on the lines that it completes. */
  push(stream: string, chunk: string): void {
    const lines = ((this.#rest.get(stream) ?? "") + chunk).split("\n");
    this.#rest.set(stream, lines.pop() ?? "");
    lines.forEach(this.#onLine);
  }

  /** Hands on what the streams ended with, if that was no whole line. */
  end(): void {
    for (const rest of this.#rest.values()) if (rest !== "") this.#onLine(rest);
    this.#rest.clear();
  }
}
