import { rotationTimes } from "../../config/rotation.ts";
import { looksLikeKeyOrHex } from "../reading/keyMaterial.ts";
import { at, fieldPath, type Path, UNKNOWN } from "../reading/known.ts";
import { isRotation } from "../reading/rotations.ts";
import { type Report, type ResourceRule, resourceRule } from "../rule.ts";

/** Ways to swap a key that the design knows. */
const strategies: readonly unknown[] = ["drain", "live"];

/** What may happen to jobs that outlast the drain. */
const drainEndings: readonly unknown[] = ["rollBack", "requeue"];

/** Least and most seconds of each wait. Every wait ends, and none ends before what it waits for can happen. */
const deadlines: readonly [Path, number, number][] = [
  ...Object.entries(rotationTimes).map(([field, [, least, most]]): [Path, number, number] => [
    ["rotation", field],
    least,
    most,
  ]),
  [["deleteTimeoutSeconds"], 1, 3600],
];

/** The settings hold for every stack with a rotation, also where no config.ts has looked at them. */
export const rotationSettingsAreSane: ResourceRule = (level) =>
  resourceRule(
    {
      name: "rotation-settings-are-sane",
      description: "The rotation of an auth key has a known strategy, a plain seed and deadlines.",
      level,
    },
    (resource, report) => {
      if (!isRotation(resource)) return;
      const { props } = resource;
      checkChoice(props, ["rotation", "strategy"], strategies, report);
      checkChoice(props, ["rotation", "onDrainTimeout"], drainEndings, report);
      for (const [path, least, most] of deadlines) {
        const seconds = at(props, ...path);
        if (seconds === UNKNOWN) continue;
        if (Number.isInteger(seconds) && Number(seconds) >= least && Number(seconds) <= most)
          continue;
        report({
          field: fieldPath(path),
          what: `is not a whole number from ${least} to ${most}`,
          why: "a rotation without a sound deadline holds the queue for ever, or gives up before its step can end",
          fix: "set it within these bounds, in seconds",
        });
      }
      checkSeed(at(props, "keySeed"), report);
    },
  );

function checkChoice(
  props: unknown,
  path: Path,
  allowed: readonly unknown[],
  report: Report,
): void {
  const value = at(props, ...path);
  if (value === UNKNOWN || allowed.includes(value)) return;
  report({
    field: fieldPath(path),
    what: `is none of ${allowed.join(", ")}`,
    why: "the engine would not know how to swap the key, or what to do with the jobs",
    fix: "set one of these words, spelled like that",
  });
}

function checkSeed(seed: unknown, report: Report): void {
  if (seed === UNKNOWN) return;
  const text = typeof seed === "string" ? seed : "";
  if (!/^[\x21-\x7e]([\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(text)) {
    report({
      field: "keySeed",
      what: "is not 1 to 128 printable ASCII characters without blanks around them",
      why: "a seed that is mistyped or mangled on its way is another key",
      fix: "set a short word or a date",
    });
  } else if (looksLikeKeyOrHex(text)) {
    report({
      field: "keySeed",
      what: "looks like a key",
      why: "a seed only tells keys apart, and is plain text in the state and in the configuration",
      fix: "set a short word or a date, and replace the key that stands there wherever it is in use",
    });
  }
}
