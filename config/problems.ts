/** Longest piece of a bad value that a message repeats. */
const shownCharacters = 80;

/** Collects everything wrong with the configuration, so that one run tells all of it. */
export class Problems {
  readonly #messages: string[] = [];

  /**
   * Records a bad value.
   * @param key config key or a path below it, such as `nodeSets.compute.replicas`
   * @param value the value as given; shown shortened
   * @param allowed what would be accepted, as a phrase
   */
  bad(key: string, value: unknown, allowed: string): void {
    this.#messages.push(`${key}: ${describeValue(value)} is not allowed; allowed: ${allowed}`);
  }

  /** Records a problem that is not about one value, such as two settings that exclude each other. */
  add(key: string, sentence: string): void {
    this.#messages.push(`${key}: ${sentence}`);
  }

  /** How many problems are known so far. */
  get count(): number {
    return this.#messages.length;
  }

  /** Throws one error that lists every problem; does nothing when there is none. */
  throwIfAny(): void {
    if (this.#messages.length === 0) return;
    const lines = this.#messages.map((message) => `  - ${message}`);
    throw new Error(
      `The configuration of this stack is refused; nothing was touched.\n${lines.join("\n")}\n` +
        "Change the values with `pulumi config set` or in Pulumi.<stack>.yaml, then run the command again.",
    );
  }
}

function describeValue(value: unknown): string {
  if (value === undefined) return "(not set)";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
