import type { RotationSettings } from "../rotation/context.ts";
import { type RawValues, refuseUnknownFields } from "./rawValues.ts";

/** Default, least and most of each time, in seconds. */
export const rotationTimes = {
  drainTimeoutSeconds: [3600, 1, 604_800],
  quiesceTimeoutSeconds: [180, 10, 3600],
  restoreTimeoutSeconds: [300, 30, 7200],
  verifyTimeoutSeconds: [120, 10, 3600],
} as const;

const fields = ["strategy", "onDrainTimeout", ...Object.keys(rotationTimes)];

/** Reads `rotation`: how a change of keySeed reaches a running cluster. */
export function readRotation(raw: RawValues): RotationSettings {
  const given = raw.object("rotation");
  refuseUnknownFields("rotation", given, fields, raw.problems);
  if ((given.strategy ?? "drain") !== "drain") {
    raw.problems.bad("rotation.strategy", given.strategy, "drain");
  }
  const { onDrainTimeout = "rollBack" } = given;
  if (onDrainTimeout !== "rollBack" && onDrainTimeout !== "requeue") {
    raw.problems.bad("rotation.onDrainTimeout", onDrainTimeout, "rollBack or requeue");
  }
  const seconds = (field: keyof typeof rotationTimes): number => {
    const [fallback, least, most] = rotationTimes[field];
    const value = given[field] ?? fallback;
    const isWhole = typeof value === "number" && Number.isInteger(value);
    if (isWhole && value >= least && value <= most) return value;
    raw.problems.bad(`rotation.${field}`, value, `a whole number from ${least} to ${most}`);
    return fallback;
  };
  return {
    strategy: "drain",
    onDrainTimeout: onDrainTimeout === "requeue" ? "requeue" : "rollBack",
    drainTimeoutSeconds: seconds("drainTimeoutSeconds"),
    quiesceTimeoutSeconds: seconds("quiesceTimeoutSeconds"),
    restoreTimeoutSeconds: seconds("restoreTimeoutSeconds"),
    verifyTimeoutSeconds: seconds("verifyTimeoutSeconds"),
  };
}
