/**
 * slurmd's `--conf` line of a NodeSet: its name as a feature, then the extra configuration. A key
 * given twice gets both values, comma-separated (slurmd itself would drop the second); `Feature`
 * counts as `Features`; keys come in alphabetical order, capitalized (recorded and observed with
 * slurm-operator v1.2.1).
 * @throws Error naming an item that is no `Key=value`.
 */
export function nodeConfLine(slurmNodeSet: string, extraConf = ""): string {
  const values = new Map([["Features", [slurmNodeSet]]]);
  for (const item of extraConf.split(" ").filter((text) => text !== "")) {
    const at = item.indexOf("=");
    if (at <= 0) throw new Error(`extraConf of NodeSet ${slurmNodeSet}: ${item} is no Key=value`);
    const name = item.charAt(0).toUpperCase() + item.slice(1, at).toLowerCase();
    const key = name === "Feature" ? "Features" : name;
    values.set(key, [...(values.get(key) ?? []), item.slice(at + 1)]);
  }
  return [...values.keys()]
    .sort()
    .map((key) => `${key}=${values.get(key)?.join(",")}`)
    .join(" ");
}
