import type { EnforcementLevel, ResourceValidationPolicy } from "@pulumi/policy";

/** A rule is made with its level, so that a pack or a test chooses how strictly it holds. */
export type RuleFactory = (level: EnforcementLevel) => ResourceValidationPolicy;

/** A plain object, or an empty one: policies see any shape that a program can write. */
export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
