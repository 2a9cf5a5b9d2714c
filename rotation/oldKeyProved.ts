import type { RotationContext } from "./context.ts";

/**
 * Guards what may be taken back only when the old key is known to serve: an undo before it may have failed.
 * @param kept what stays as it is, for the error
 */
export function requireOldKeyProved({ journal }: RotationContext, kept: string): void {
  if (journal.proved === journal.from) return;
  throw new Error(`${kept}: the daemons have not been proved to run on key ${journal.from}`);
}
