/** A label selector as text, in the order of the keys, as status fields hold it. */
export function selectorText(labels: Record<string, string>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
