import { at, UNKNOWN } from "../reading/known.ts";
import { isRotation } from "../reading/rotations.ts";
import { type StackRule, stackRule } from "../rule.ts";

/** Options of {@link keyIsNotOld}. */
export interface KeyAgeOptions {
  /** Days that a key may serve. */
  readonly maxKeyAgeDays: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const dayMilliseconds = 86_400_000;

/** A key that serves for long has been seen by more people, backups and nodes than anybody remembers. */
export const keyIsNotOld: StackRule<KeyAgeOptions> = (level, options = {}) => {
  const { maxKeyAgeDays = 90, now = Date.now } = options;
  return stackRule(
    {
      name: "key-is-not-old",
      description: "An auth key is rotated before it is old.",
      level,
      parameters: {
        maxKeyAgeDays: {
          type: "number",
          exclusiveMinimum: 0,
          description: "Days that a key may serve.",
          default: maxKeyAgeDays,
        },
      },
    },
    (resources, report, configured) => {
      const days = Number(configured["maxKeyAgeDays"] ?? maxKeyAgeDays);
      for (const rotation of resources.filter(isRotation)) {
        const since = servingSince(rotation.props);
        if (since === undefined || now() - since <= days * dayMilliseconds) continue;
        report(rotation, {
          field: "the auth key",
          what: `serves for more than ${days} days`,
          why: "the longer a key serves, the more backups and former nodes have it",
          fix: "run `npm run rotate`, or set another keySeed and run `pulumi up`",
        });
      }
    },
  );
};

/** Since when the key serves: its rotation, or its creation where it has never been rotated. */
function servingSince(props: unknown): number | undefined {
  for (const field of ["rotatedAt", "createdAt"]) {
    const time = at(props, field);
    // Before it is known nothing is old, and a rotation that is to come makes it young.
    if (time === UNKNOWN) return undefined;
    const milliseconds = typeof time === "string" ? Date.parse(time) : Number.NaN;
    if (!Number.isNaN(milliseconds)) return milliseconds;
  }
  return undefined;
}
