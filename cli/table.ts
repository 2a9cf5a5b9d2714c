/** Rows as aligned plain text: a heading, then one line a row, columns two spaces apart, no trailing spaces. */
export function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => (row[column] ?? "").length)),
  );
  return all.map((row) =>
    widths
      .map((width, column) => (row[column] ?? "").padEnd(width))
      .join("  ")
      .trimEnd(),
  );
}
