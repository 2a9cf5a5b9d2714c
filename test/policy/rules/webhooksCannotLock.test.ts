import { webhooksCannotLock } from "../../../policy/rules/webhooksCannotLock.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const pods = [{ apiGroups: [""], resources: ["pods"] }];
const field = "webhooks[0].failurePolicy";
const operator = "oci://registry.test/charts/slurm-operator";

describe("webhooks-cannot-lock", () => {
  const of = (webhook: unknown, kind = "ValidatingWebhookConfiguration") => ({
    type: `kubernetes:admissionregistration.k8s.io/v1:${kind}`,
    props: { webhooks: [webhook] },
  });
  const chart = (values: unknown) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart: operator, values },
  });

  itJudges(webhooksCannotLock("advisory"), [
    ["Fail for all pods => told", of({ failurePolicy: "Fail", rules: pods }), [field]],
    ["the default, which is Fail => told", of({ rules: pods }), [field]],
    ["a mutating one => told", of({ rules: pods }, "MutatingWebhookConfiguration"), [field]],
    ["a Patch => told", of({ rules: pods }, "MutatingWebhookConfigurationPatch"), [field]],
    [
      "the binding of pods => told",
      of({ rules: [{ apiGroups: [""], resources: ["pods/binding"] }] }),
      [field],
    ],
    ["everything => told", of({ rules: [{ apiGroups: ["*"], resources: ["*/*"] }] }), [field]],
    [
      "leases => told",
      of({ rules: [{ apiGroups: ["coordination.k8s.io"], resources: ["leases"] }] }),
      [field],
    ],
    ["Ignore => passes", of({ failurePolicy: "Ignore", rules: pods }), []],
    [
      "its own kinds only => passes",
      of({ rules: [{ apiGroups: ["slinky.slurm.net"], resources: ["*"] }] }),
      [],
    ],
    [
      "some namespaces only => passes",
      of({ rules: pods, namespaceSelector: { matchLabels: { a: "b" } } }),
      [],
    ],
    [
      "selectors that select everything => told",
      of({
        rules: pods,
        namespaceSelector: {},
        objectSelector: { matchLabels: {}, matchExpressions: [] },
      }),
      [field],
    ],
    [
      "a condition => passes",
      of({ rules: pods, matchConditions: [{ name: "a", expression: "b" }] }),
      [],
    ],
    [
      "policy, rules or selector not known yet => pass",
      of({ failurePolicy: unknown, rules: pods }),
      [],
    ],
    ["rules not known yet => pass", of({ rules: unknown }), []],
    ["a selector not known yet => passes", of({ rules: pods, namespaceSelector: unknown }), []],
    [
      "a List => told of the item",
      {
        type: "kubernetes:admissionregistration.k8s.io/v1:ValidatingWebhookConfigurationList",
        props: { items: [{ webhooks: [{ rules: pods }] }] },
      },
      [`items[0].${field}`],
    ],
    [
      "a policy of the API server itself => passes",
      {
        type: "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy",
        props: { spec: { failurePolicy: "Fail" } },
      },
      [],
    ],
    [
      "the operator's defaults => pass",
      chart({ webhook: { validating: { failurePolicy: "Fail" } } }),
      [],
    ],
    [
      "the operator's binding webhook on Fail => told",
      chart({ webhook: { mutating: { failurePolicy: "Fail" } } }),
      ["values.webhook.mutating.failurePolicy"],
    ],
  ]);
});
