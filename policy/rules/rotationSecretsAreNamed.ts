import { isRotation } from "../reading/rotations.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Outputs of the rotation that would be secrets, should the engine ever return them. */
const secretOutputs = ["kubeconfig", "root"] as const;

/** Dynamic providers get and return plain text: only the option makes an output of theirs a secret in the state. */
export const rotationSecretsAreNamed: ResourceRule = (level) =>
  resourceRule(
    {
      name: "rotation-secrets-are-named",
      description: "The rotation of an auth key names its secret outputs.",
      level,
    },
    (resource, report) => {
      if (!isRotation(resource)) return;
      const { additionalSecretOutputs } = resource.options;
      const missing = secretOutputs.filter((output) => !additionalSecretOutputs.includes(output));
      if (missing.length === 0) return;
      report({
        field: "the option additionalSecretOutputs",
        what: `lacks ${missing.join(" and ")}`,
        why: "a dynamic provider's output is plain text in the state unless it is named there",
        fix: `set additionalSecretOutputs: ${JSON.stringify(secretOutputs)}`,
      });
    },
  );
