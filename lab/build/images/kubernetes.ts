import { join } from "node:path";
import { artifactFolder, sourcesOf } from "../../artifact.ts";
import { labFolder } from "../../paths.ts";
import { pins } from "../../pins.ts";
import { run } from "../../shell.ts";
import type { Image } from "../imageArchive.ts";
import { writeImageArchive, writeLayer } from "../imageArchive.ts";
import type { ToolName } from "../tools.ts";
import { goTools } from "../tools.ts";
import type { ImageArchive } from "./imageArtifact.ts";
import { base, keys, layerOf, node, removeLayers, tool, toolLayer } from "./imageArtifact.ts";

const upstream = (name: string, tag: string): string => `registry.k8s.io/${name}:${tag}`;

/** Images that every KinD node has, and those of the control plane, as two archives. */
const kubernetesNeeds = [
  base,
  ...(
    [
      "kubeApiserver",
      "kubeControllerManager",
      "kubeScheduler",
      "kubeProxy",
      "coredns",
      "pause",
      "localPathProvisioner",
    ] as const
  ).map(tool),
];

export const kubernetesImages: ImageArchive = {
  name: "images-kubernetes",
  needs: kubernetesNeeds,
  inputs: keys(kubernetesNeeds),
  async build(folder, log) {
    const layer = (name: ToolName): Promise<string> => toolLayer(folder, name, log);
    const k8s = async (name: ToolName, below: string[] = []): Promise<Image> => ({
      reference: upstream(goTools[name].name, pins.kubernetes),
      layers: [...below, await layer(name)],
    });
    const bottom = layerOf(base);
    await writeImageArchive(
      join(folder, "node.tar"),
      [
        {
          reference: upstream("pause", pins.pause),
          layers: [await layer("pause")],
          entrypoint: ["/usr/local/bin/pause"],
        },
        await k8s("kubeProxy", [bottom]),
        {
          reference: upstream("coredns/coredns", pins.coredns),
          layers: [await layer("coredns")],
          entrypoint: ["/usr/local/bin/coredns"],
        },
        { reference: "lab/busybox:trixie", layers: [bottom] },
        {
          reference: `lab/local-path-provisioner:${pins.localPathProvisioner}`,
          layers: [bottom, await layer("localPathProvisioner")],
        },
      ],
      log,
    );
    await writeImageArchive(
      join(folder, "control-plane.tar"),
      [
        await k8s("kubeApiserver"),
        await k8s("kubeControllerManager"),
        await k8s("kubeScheduler"),
        { reference: upstream("etcd", pins.etcd), layers: [bottom] },
      ],
      log,
    );
    await removeLayers(folder);
  },
};

const nodeNeeds = [
  node,
  kubernetesImages,
  ...(["kubeadm", "kubelet", "kubectl", "runcWithoutResource"] as const).map(tool),
];

/** The KinD node image, for `kind create cluster --image`. */
export const nodeImage: ImageArchive = {
  name: "image-node",
  needs: nodeNeeds,
  inputs: [...keys(nodeNeeds), ...sourcesOf(join(labFolder, "node"))],
  async build(folder, log) {
    const version = join(folder, "version");
    await run("sh", ["-c", 'echo "$1" > "$2"', "sh", pins.kubernetes, version], {
      timeoutSeconds: 10,
    });
    const here = (name: string): { from: string } => ({ from: join(labFolder, "node", name) });
    const links = join(folder, "links.layer.stage");
    // kind and kubeadm's units look for the tools in /usr/bin, containerd for CNI in /opt/cni/bin.
    const script =
      'mkdir -p "$1/usr/bin" "$1/opt/cni" "$1/etc/kubernetes/manifests" && ln -s /usr/lib/cni "$1/opt/cni/bin" && ' +
      'for t in kubeadm kubelet kubectl; do ln -s "/usr/local/bin/$t" "$1/usr/bin/$t"; done && ' +
      'printf "runtime-endpoint: unix:///run/containerd/containerd.sock\\n" > "$1/etc/crictl.yaml"';
    await run("sh", ["-c", script, "sh", links], { timeoutSeconds: 30, logFile: log });
    await run(
      "tar",
      ["--owner=0", "--group=0", "-cf", join(folder, "links.layer"), "-C", links, "."],
      {
        timeoutSeconds: 60,
      },
    );
    await run("rm", ["-r", links], { timeoutSeconds: 30 });
    const files = join(folder, "files.layer");
    const images = artifactFolder(kubernetesImages);
    await writeLayer(
      files,
      {
        "usr/local/bin/lab-init": { ...here("init"), mode: 0o755 },
        "etc/containerd/config.toml": here("containerd.toml"),
        "kind/manifests/default-cni.yaml": here("manifests/default-cni.yaml"),
        "kind/manifests/default-storage.yaml": here("manifests/default-storage.yaml"),
        "kind/version": { from: version },
        "kind/images/node.tar": { from: join(images, "node.tar") },
        "kind/images/control-plane.tar": { from: join(images, "control-plane.tar") },
      },
      log,
    );
    const layers = [layerOf(node), join(folder, "links.layer"), files];
    for (const name of ["kubeadm", "kubelet", "kubectl", "runcWithoutResource"] as const) {
      layers.push(await toolLayer(folder, name, log));
    }
    const image: Image = {
      reference: `lab/node:${pins.kubernetes}`,
      layers,
      entrypoint: ["/usr/local/bin/lab-init"],
      env: { container: "docker" },
    };
    await writeImageArchive(join(folder, "node.tar"), [image], log);
    await removeLayers(folder);
  },
};
