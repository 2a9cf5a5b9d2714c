import { randomInt } from "node:crypto";

/** Which characters a text may and must hold. */
export interface TextRules {
  readonly length: number;
  readonly lower: boolean;
  readonly upper: boolean;
  readonly numeric: boolean;
  readonly special: boolean;
  readonly minLower: number;
  readonly minUpper: number;
  readonly minNumeric: number;
  readonly minSpecial: number;
  /** Special characters to use in place of the default ones. */
  readonly overrideSpecial?: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const NUMERIC = "0123456789";
const SPECIAL = "!@#$%&*()-_=+[]{}<>:?";

/**
 * A random text: first the demanded number of each class, then any allowed characters, then shuffled.
 * `randomInt` draws without bias. The rules must have passed {@link textRulesFailure}.
 */
export function randomText(rules: TextRules): string {
  const special = [...(rules.overrideSpecial || SPECIAL)];
  const classes = [
    { allowed: rules.lower, least: rules.minLower, characters: [...LOWER] },
    { allowed: rules.upper, least: rules.minUpper, characters: [...LOWER.toUpperCase()] },
    { allowed: rules.numeric, least: rules.minNumeric, characters: [...NUMERIC] },
    { allowed: rules.special, least: rules.minSpecial, characters: special },
  ];
  const all = classes.flatMap(({ allowed, characters }) => (allowed ? characters : []));
  const text = classes.flatMap(({ least, characters }) => pick(characters, least));
  return shuffle([...text, ...pick(all, rules.length - text.length)]).join("");
}

/** The property that makes the rules impossible to meet and why, or undefined. */
export function textRulesFailure(
  rules: TextRules,
): { property: string; reason: string } | undefined {
  const least = rules.minLower + rules.minUpper + rules.minNumeric + rules.minSpecial;
  if (rules.length < least) {
    const reason = `'length' must be at least ${least}, the sum of minLower, minUpper, minNumeric and minSpecial`;
    return { property: "length", reason };
  }
  if (!rules.lower && !rules.upper && !rules.numeric && !rules.special) {
    const reason = "one of 'special', 'lower', 'upper' and 'numeric' must be true";
    return { property: "special", reason };
  }
  return undefined;
}

function pick(characters: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => characters[randomInt(characters.length)]!);
}

/** Fisher and Yates's shuffle. */
function shuffle(items: string[]): string[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}
