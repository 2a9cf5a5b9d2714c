import { looksLikeKeyOrHex } from "../reading/keyMaterial.ts";
import { everything, fieldPath } from "../reading/known.ts";
import { type StackRule, stackRule } from "../rule.ts";

/**
 * Outputs are printed, referenced by other stacks and kept in the state. A policy is not told which ones are secret,
 * so a key may be no output at all; its fingerprint says everything that people need.
 */
export const outputsHoldNoKeys: StackRule = (level) =>
  stackRule(
    {
      name: "outputs-hold-no-keys",
      description: "No output of the stack or of a component looks like a key.",
      level,
    },
    (resources, report) => {
      for (const resource of resources) {
        const { type, props } = resource;
        if (type !== "pulumi:pulumi:Stack" && !type.startsWith("slinky-stack:")) continue;
        for (const [path, value] of everything(props)) {
          if (typeof value !== "string" || !looksLikeKeyOrHex(value)) continue;
          report(resource, {
            field: `output ${fieldPath(path)}`,
            what: "looks like a key",
            why: "outputs are printed after every update and read by every stack that refers to this one",
            fix: "export the key's fingerprint, or the name of the Secret that holds it",
          });
        }
      }
    },
  );
