/**
 * Slurm's compressed host lists (`n[01-03,07],rack[1-2]n[08-10]`): the grammar of `scontrol show hostnames`.
 * What is not in the grammar is an error, never a partial list: commands to Slurm name only nodes that stand here.
 */

/** The most names one list may expand to, as in Slurm's own hostlist code (64 Ki). */
const MAX_HOSTS = 65_536;

/** A host list that cannot be expanded in full. */
export class HostlistError extends Error {
  constructor(list: string, why: string) {
    const shown = list.length > 80 ? `${list.slice(0, 77)}...` : list;
    super(`host list "${shown}" cannot be read: ${why}`);
    this.name = "HostlistError";
  }
}

/**
 * Every name of a list, in order, padding kept.
 * @throws HostlistError for an empty list, `(null)`, `n/a` and anything malformed.
 */
export function expandHostlist(list: string): string[] {
  const names = splitAtTopLevel(list).flatMap((item) => expandItem(list, item));
  if (names.length > MAX_HOSTS) throw new HostlistError(list, `more than ${MAX_HOSTS} names`);
  return names;
}

/**
 * The shortest usual spelling of a set of names: grouped by prefix, numbers sorted, duplicates dropped.
 * `expandHostlist(compressHostlist(names))` is that set again.
 * @throws HostlistError for an empty set or a name that is not a plain host name.
 */
export function compressHostlist(names: readonly string[]): string {
  if (names.length === 0) throw new HostlistError("", "it is empty");
  const groups = new Map<string, Set<string>>();
  for (const name of names) {
    if (!PLAIN.test(name)) throw new HostlistError(name, "not a host name");
    const digits = /\d{1,15}$/.exec(name)?.[0] ?? "";
    const prefix = name.slice(0, name.length - digits.length);
    groups.set(prefix, (groups.get(prefix) ?? new Set<string>()).add(digits));
  }
  return [...groups].map(([prefix, digits]) => compressGroup(prefix, digits)).join(",");
}

const PLAIN = /^[A-Za-z0-9._-]+$/;

function splitAtTopLevel(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at += 1) {
    const char = list[at];
    if (char === "[") depth += 1;
    if (char === "]") depth -= 1;
    if (depth < 0 || depth > 1) throw new HostlistError(list, "brackets do not match");
    if (at === list.length || (char === "," && depth === 0)) {
      items.push(list.slice(start, at));
      start = at + 1;
    }
  }
  if (depth !== 0) throw new HostlistError(list, "a bracket is not closed");
  return items;
}

function expandItem(list: string, item: string): string[] {
  if (item === "") throw new HostlistError(list, list === "" ? "it is empty" : "an item is empty");
  let names = [""];
  for (const part of item.split(/(\[[^\]]*\])/).filter((text) => text !== "")) {
    const suffixes = part.startsWith("[") ? expandBracket(list, part.slice(1, -1)) : [part];
    if (!part.startsWith("[") && !PLAIN.test(part)) {
      throw new HostlistError(list, `"${part}" is not a host name`);
    }
    if (names.length * suffixes.length > MAX_HOSTS) {
      throw new HostlistError(list, `more than ${MAX_HOSTS} names`);
    }
    names = names.flatMap((name) => suffixes.map((suffix) => name + suffix));
  }
  return names;
}

function expandBracket(list: string, body: string): string[] {
  return body.split(",").flatMap((range) => {
    const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(range);
    if (match === null) throw new HostlistError(list, `"${range}" is not a number or a range`);
    const [, low = "", high = low] = match;
    const count = Number(high) - Number(low) + 1;
    if (count < 1) throw new HostlistError(list, `the range "${range}" runs backwards`);
    if (count > MAX_HOSTS) throw new HostlistError(list, `more than ${MAX_HOSTS} names`);
    if (high.length < low.length || (high.startsWith("0") && high.length !== low.length)) {
      throw new HostlistError(list, `the range "${range}" mixes two paddings`);
    }
    return Array.from({ length: count }, (_, step) => pad(Number(low) + step, low.length));
  });
}

function compressGroup(prefix: string, digits: ReadonlySet<string>): string {
  const numbers = [...digits]
    .filter((text) => text !== "")
    .sort((a, b) => Number(a) - Number(b) || a.length - b.length);
  const ranges: { low: string; high: string }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && pad(Number(last.high) + 1, last.low.length) === number) {
      last.high = number;
    } else {
      ranges.push({ low: number, high: number });
    }
  }
  const [only] = numbers;
  const plain = digits.has("") ? [prefix] : [];
  if (numbers.length === 0) return plain.join(",");
  if (numbers.length === 1) return [...plain, `${prefix}${only}`].join(",");
  const body = ranges.map(({ low, high }) => (low === high ? low : `${low}-${high}`)).join(",");
  return [...plain, `${prefix}[${body}]`].join(",");
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
