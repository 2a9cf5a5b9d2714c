import type { RuleFactory } from "./rule.ts";

/** Kubernetes Secrets are immutable: a key changes by a rotation, never by an edit. */
export const secretsAreImmutable: RuleFactory = (enforcementLevel) => ({
  name: "secrets-are-immutable",
  description: "A Kubernetes Secret must carry immutable: true.",
  enforcementLevel,
  validateResource: (args, report) => {
    if (args.type !== "kubernetes:core/v1:Secret") return;
    if (args.props["immutable"] === true) return;
    report(
      "This Secret can be changed in place, unseen by the pods that hold its old bytes. " +
        "Set immutable: true; to change it, create one with another name.",
    );
  },
});
