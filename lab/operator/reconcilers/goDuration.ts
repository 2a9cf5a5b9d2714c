const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/**
 * Seconds of a duration in Go's form, for instance `1h30m`.
 * @throws Error when the text is no such duration
 */
export function goDurationSeconds(text: string): number {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) {
    throw new Error(`"${text}" is no duration: use hours, minutes and seconds such as 1h30m`);
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitSeconds[unit ?? ""] ?? 0),
    0,
  );
}
