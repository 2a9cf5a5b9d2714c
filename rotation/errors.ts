import type { Outcome } from "./model.ts";

/** A rotation does not start, or not go on: nothing was changed for it. */
export class Refusal extends Error {}

/** What an update that is no success tells. */
export interface RotationEnd {
  readonly outcome: Exclude<Outcome, "completed">;
  /** Step that failed and in which part; undefined for a refusal before any step. */
  readonly where?: string;
  /** Everything a person needs: cause, what was undone, which key serves, what to do. */
  readonly message: string;
}

/** The one error of a rotation. */
export class RotationError extends Error {
  readonly outcome: RotationEnd["outcome"];

  constructor({ outcome, where, message }: RotationEnd, options?: ErrorOptions) {
    super(where ? `rotation stopped at ${where}: ${message}` : message, options);
    this.name = "RotationError";
    this.outcome = outcome;
  }
}

/** An error that makes Pulumi keep new outputs of a failed update (pulumi-facts, 2.4). */
export interface PartialFailure extends Error {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly reasons: readonly string[];
}

/**
 * Makes a partial failure. The outputs pass through JSON, because an `undefined` in them hangs Pulumi for ever, and
 * carry `__provider`, without which no later call finds the engine.
 */
export function partialFailure(
  id: string,
  outputs: object,
  serializedProvider: string | undefined,
  error: RotationError,
): PartialFailure {
  const properties = JSON.parse(
    JSON.stringify({ ...outputs, __provider: serializedProvider }),
  ) as Record<string, unknown>;
  return Object.assign(new Error(error.message, { cause: error }), {
    id,
    properties,
    reasons: [error.message],
  });
}
