import { at, itemsOf } from "../reading/known.ts";
import { isRotation } from "../reading/rotations.ts";
import { type StackRule, stackRule } from "../rule.ts";

/** The same seed is the same key: whoever had it then has it now. */
export const seedIsFresh: StackRule = (level) =>
  stackRule(
    {
      name: "seed-is-fresh",
      description: "The seed of an auth key has not served before.",
      level,
    },
    (resources, report) => {
      for (const rotation of resources.filter(isRotation)) {
        const earlier = itemsOf(at(rotation.props, "earlierSeeds"));
        const seed = at(rotation.props, "servedSeed");
        if (typeof seed !== "string" || !earlier.includes(seed)) continue;
        report(rotation, {
          field: "servedSeed",
          what: "has served before",
          why: "the same seed is the same key, which everybody has who had it then; after a rollback that is intended",
          fix: "run `npm run rotate`, or set a keySeed that was never used and run `pulumi up`",
        });
      }
    },
  );
