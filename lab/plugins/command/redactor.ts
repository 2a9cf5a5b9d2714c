/** Shorter pieces would blank out ordinary words. */
const SHORTEST = 4;

/**
 * A function that replaces every secret in a text by `[secret]`. Secrets of several lines are also replaced line by
 * line, because logs are split into lines.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const pieces = secrets
    .flatMap((secret) => [secret, ...secret.split("\n")])
    .filter((piece) => piece.trim().length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => pieces.reduce((rest, piece) => rest.replaceAll(piece, "[secret]"), text);
}
