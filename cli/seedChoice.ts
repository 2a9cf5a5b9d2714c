/** Which seed the commands ask for. Pure. */

/** What is known of the seeds of a stack. */
export interface Seeds {
  /** In the stack's configuration. */
  readonly wanted: string;
  /** Of the key that serves; empty when the stack does not know it. */
  readonly served: string;
  /** Of the key before; empty when there was none. */
  readonly previous: string;
}

/** A seed nobody has used: the generation that it makes, and the time. */
export function freshSeed(generation: number, now: Date): string {
  const minute = now.toISOString().replace(/[-:]/g, "").slice(0, 15);
  return `generation-${generation}-${minute}Z`;
}

/**
 * The seed to go back to: while another key is only wished for, that wish is taken back; otherwise it is the key before.
 * @throws Error when there is none
 */
export function seedToGoBackTo({ wanted, served, previous }: Seeds): string {
  if (served !== "" && served !== wanted) return served;
  if (previous !== "") return previous;
  throw new Error(
    "there is no previous key: this stack has never rotated its key. Set keySeed by hand if you know the seed",
  );
}
