import type { PodView } from "../../cli/kube.ts";

/** A ready pod of namespace slurm; fields can be replaced. */
export function pod(name: string, component: string, fields: Partial<PodView> = {}): PodView {
  return {
    namespace: "slurm",
    name,
    labels: { "app.kubernetes.io/component": component },
    phase: "Running",
    ready: true,
    readyCount: "1/1",
    restarts: 0,
    node: "slinky-worker",
    images: {},
    ...fields,
  };
}

/** A ready worker pod, labelled as the operator does. */
export function workerPod(
  nodeSet: string,
  index: number,
  fields: Partial<PodView> = {},
  release = "slurm",
): PodView {
  const labels = {
    "app.kubernetes.io/component": "worker",
    "app.kubernetes.io/instance": `${release}-worker-${nodeSet}`,
    "nodeset.slinky.slurm.net/pod-hostname": `${nodeSet}-${index}`,
  };
  const images = { slurmd: "lab/slurmd:26.05.5" };
  return pod(`${release}-worker-${nodeSet}-${index}`, "worker", { labels, images, ...fields });
}
