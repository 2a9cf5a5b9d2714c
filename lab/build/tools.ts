import { pins } from "../pins.ts";
import type { GoTool } from "./goTool.ts";

const kubernetesVersion = [
  `-X k8s.io/component-base/version.gitVersion=${pins.kubernetes}`,
  "-X k8s.io/component-base/version.gitMajor=1",
  `-X k8s.io/component-base/version.gitMinor=${pins.kubernetes.split(".")[1]}`,
  "-X k8s.io/component-base/version.gitTreeState=clean",
  `-X k8s.io/client-go/pkg/version.gitVersion=${pins.kubernetes}`,
].join(" ");

const kubernetes = (name: string): GoTool => ({
  name,
  module: "kubernetes",
  package: `k8s.io/kubernetes/cmd/${name}`,
  ldflags: kubernetesVersion,
});

const own = (name: string): GoTool => ({ name, module: "node", package: `./${name}` });

/**
 * Every Go binary of the lab. Tools share a module, and with it compiled packages, where their dependencies compile
 * together; the Pulumi CLI, the language host and cert-manager each need versions that the others refuse.
 */
export const goTools = {
  kind: { name: "kind", module: "kubernetes", package: "sigs.k8s.io/kind" },
  kubectl: kubernetes("kubectl"),
  kubeadm: kubernetes("kubeadm"),
  kubelet: kubernetes("kubelet"),
  kubeApiserver: kubernetes("kube-apiserver"),
  kubeControllerManager: kubernetes("kube-controller-manager"),
  kubeScheduler: kubernetes("kube-scheduler"),
  kubeProxy: kubernetes("kube-proxy"),
  coredns: { name: "coredns", module: "kubernetes", package: "./coredns" },
  localPathProvisioner: {
    name: "local-path-provisioner",
    module: "kubernetes",
    package: "github.com/rancher/local-path-provisioner",
    ldflags: `-X main.VERSION=${pins.localPathProvisioner}`,
  },
  pause: own("pause"),
  runcWithoutResource: own("runc-nosr"),
  certManager: { name: "cert-manager", module: "cert-manager", package: "." },
  pulumi: {
    name: "pulumi",
    module: "pulumi",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    ldflags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${pins.pulumi}`,
    tags: "osusergo,grpcnotrace",
  },
  pulumiLanguageNodejs: {
    name: "pulumi-language-nodejs",
    module: "language-host",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
  },
  pulumiResourceKubernetes: {
    name: "pulumi-resource-kubernetes",
    module: "kubernetes",
    package: "./pulumi-resource-kubernetes",
    embeds: [
      "github.com/pulumi/pulumi-kubernetes/provider/v4",
      "cmd/pulumi-resource-kubernetes/schema.json",
    ],
  },
  helm: {
    name: "helm",
    module: "kubernetes",
    package: "helm.sh/helm/v3/cmd/helm",
    ldflags: `-X helm.sh/helm/v3/internal/version.version=${pins.helm}`,
  },
} as const satisfies Record<string, GoTool>;

export type ToolName = keyof typeof goTools;
