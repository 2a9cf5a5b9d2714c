import { isRotation } from "../reading/rotations.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Deleting the key of a running cluster stops it; protection makes that two decisions. */
export const rotationIsProtected: ResourceRule = (level) =>
  resourceRule(
    {
      name: "rotation-is-protected",
      description: "The rotation of an auth key is protected.",
      level,
    },
    (resource, report) => {
      if (!isRotation(resource) || resource.options.protect) return;
      report({
        field: "the option protect",
        what: "is not true",
        why: "a deletion or replacement by mistake takes the auth key from a running cluster",
        fix: "set protect: true; `npm run down` lifts it, and so does `pulumi state unprotect`",
      });
    },
  );
