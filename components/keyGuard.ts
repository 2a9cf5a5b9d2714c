import * as pulumi from "@pulumi/pulumi";
import { ValidatingAdmissionPolicy } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicy.js";
import { ValidatingAdmissionPolicyBinding } from "@pulumi/kubernetes/admissionregistration/v1/validatingAdmissionPolicyBinding.js";
import type { input } from "@pulumi/kubernetes/types/index.js";
import { childOptions } from "./childOptions.ts";
import { creationMarksPolicy, keySecretsPolicy } from "./keyGuardPolicy.ts";

/** Arguments of {@link KeyGuard}. */
export interface KeyGuardArgs {
  /** Namespace whose key Secrets are guarded; no other is looked at. */
  readonly namespace: pulumi.Input<string>;
}

/**
 * A guard inside the cluster: the API server refuses every change, deletion and creation of the key Secrets that the
 * engine of the rotation has not opened it for, whoever asks. It fails closed, and lets the namespace be deleted.
 */
export class KeyGuard extends pulumi.ComponentResource {
  constructor(name: string, args: KeyGuardArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super("slinky-stack:components:KeyGuard", name, {}, opts);
    const policies = { keys: keySecretsPolicy, marks: creationMarksPolicy };
    for (const [part, spec] of Object.entries(policies)) {
      // One policy a namespace: two stacks on one cluster keep out of each other's way.
      const policyName = pulumi.interpolate`slinky-stack-${part}.${args.namespace}`;
      const policy = new ValidatingAdmissionPolicy(
        `${name}-${part}`,
        {
          metadata: { name: policyName },
          spec: spec as unknown as input.admissionregistration.v1.ValidatingAdmissionPolicySpec,
        },
        childOptions(this, opts),
      );
      new ValidatingAdmissionPolicyBinding(
        `${name}-${part}-binding`,
        {
          metadata: { name: policyName },
          spec: {
            policyName: policy.metadata.name,
            validationActions: ["Deny"],
            matchResources: {
              namespaceSelector: {
                matchLabels: { "kubernetes.io/metadata.name": args.namespace },
              },
            },
          },
        },
        childOptions(this, opts),
      );
    }
    this.registerOutputs({});
  }
}
