import type { PolicyInput } from "./policyServer.ts";
import { certificate, randomKey } from "./policyKeys.ts";

const container = (index: number) => ({
  name: "main",
  image: `registry.test/app-${index}:1.${index}@sha256:${"a".repeat(64)}`,
  env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: `app-${index}`, key: "token" } } }],
});

/** Resources of every sort that have nothing to do with Slurm, and nothing wrong with them. */
const makers: readonly ((index: number) => Omit<PolicyInput, "name" | "stack">)[] = [
  (index) => ({
    type: "kubernetes:apps/v1:Deployment",
    props: {
      metadata: { name: `app-${index}`, labels: { "app.kubernetes.io/component": "login" } },
      spec: { template: { spec: { containers: [container(index)] } } },
    },
  }),
  (index) => ({
    type: "kubernetes:core/v1:Service",
    props: {
      spec: { type: "LoadBalancer", selector: { "app.kubernetes.io/name": `app-${index}` } },
    },
  }),
  (index) => ({
    type: "kubernetes:core/v1:Secret",
    props: { immutable: true, stringData: { token: randomKey(64, `token ${index}`) } },
  }),
  (index) => ({
    type: "kubernetes:core/v1:ConfigMap",
    props: {
      data: {
        "ca.crt": certificate,
        "run.sh": `#!/bin/sh\nexport PATH=/usr/bin\nexec app --number ${index}\n`,
        "app.yaml": `listen: 0.0.0.0\nkey: /etc/app/tls.key\nnumber: ${index}\n`,
        revision: Buffer.from(randomKey(32, `${index}`), "base64").toString("hex"),
      },
    },
  }),
  (index) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: {
      chart: "oci://registry.test/charts/grafana",
      version: `7.${index}.0`,
      values: { image: { repository: "grafana" }, adminPassword: randomKey(32, `${index}`) },
    },
  }),
  (index) => ({
    type: "kubernetes:example.com/v1:AllowList",
    props: { spec: { image: "picture", entries: [index] } },
  }),
  () => ({
    type: "kubernetes:admissionregistration.k8s.io/v1:ValidatingWebhookConfiguration",
    props: {
      webhooks: [
        { failurePolicy: "Fail", rules: [{ apiGroups: ["example.com"], resources: ["widgets"] }] },
      ],
    },
  }),
  (index) => ({
    type: "aws:s3/bucket:Bucket",
    props: { bucket: `bucket-${index}`, tags: { image: "latest", "slurm.key": "no" } },
  }),
  () => ({ type: "random:index/randomBytes:RandomBytes", props: { length: 64 } }),
  (index) => ({
    type: "command:local:Command",
    props: { create: `helm create chart-${index}`, environment: { IMAGE: "any" } },
  }),
  () => ({ type: "pulumi:providers:kubernetes", props: { enableServerSideApply: "true" } }),
  () => ({ type: "pulumi-nodejs:dynamic:Resource", props: { keySeed: "", rotation: {} } }),
  (index) => ({
    type: "kubernetes:core/v1:SecretList",
    props: { items: [{ immutable: true, data: { [`entry-${index}`]: "eA==" } }] },
  }),
];

/** So many unrelated resources of one stack. */
export function unrelatedResources(count: number): PolicyInput[] {
  return Array.from({ length: count }, (_, index) => ({
    ...(makers[index % makers.length] ?? makers[0])!(index),
    name: `unrelated-${index}`,
    stack: "prod",
  }));
}
