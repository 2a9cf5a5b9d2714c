import { entriesOf, fieldPath } from "../reading/known.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** A provider with enableSecretMutable updates Secrets in place, which no pod notices. */
export const providersKeepSecretsImmutable: ResourceRule = (level) =>
  resourceRule(
    {
      name: "providers-keep-secrets-immutable",
      description: "No Kubernetes provider sets enableSecretMutable.",
      level,
    },
    ({ type, props }, report) => {
      if (type !== "pulumi:providers:kubernetes") return;
      for (const [field, value] of entriesOf(props)) {
        // Settings of providers travel as JSON texts.
        const isOn = String(value).trim().toLowerCase() === "true";
        if (field.toLowerCase() !== "enablesecretmutable" || !isOn) continue;
        report({
          field: fieldPath([field]),
          what: "is true",
          why: "every Secret of this provider is then changed in place, unseen by the pods that hold its old bytes",
          fix: "remove it, in the stack's configuration and in PULUMI_K8S_ENABLE_SECRET_MUTABLE too",
        });
      }
    },
  );
