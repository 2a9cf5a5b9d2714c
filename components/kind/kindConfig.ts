import type { KindSettings } from "./settings.ts";

/** Where every node of our clusters shows whose it is. */
export const ownerMountPath = "/etc/slinky-stack/owner";

/**
 * Pure: kind's cluster configuration (kind.x-k8s.io/v1alpha4) as JSON, which is YAML too.
 * @param ownerFolder folder of the host mounted into every node; `docker inspect` reads it back as the mark of ownership
 */
export function toKindConfig(settings: KindSettings, ownerFolder: string): string {
  const extraMounts = [{ hostPath: ownerFolder, containerPath: ownerMountPath, readOnly: true }];
  const roles = ["control-plane", ...Array<string>(settings.workers).fill("worker")];
  return JSON.stringify({
    kind: "Cluster",
    apiVersion: "kind.x-k8s.io/v1alpha4",
    name: settings.name,
    nodes: roles.map((role) => ({ role, extraMounts })),
    kubeadmConfigPatches: settings.kubeadmPatches.map((patch) => JSON.stringify(patch)),
  });
}
