import type { V1Volume, V1VolumeMount, V1VolumeProjection } from "@kubernetes/client-node";
import type { KeyRef } from "../crds.ts";

/** Octal 0600: what Slurm asks for key files. */
export const MODE_0600 = 0o600;
/** Octal 0610: the mode of slurmctld's configuration volume (contract §3.1). */
export const MODE_0610 = 0o610;

/** Name of the volume with the configuration in every component. */
export const ETC_VOLUME = "slurm-etc";

/** Mount of the configuration volume. */
export const ETC_MOUNT: V1VolumeMount = {
  name: ETC_VOLUME,
  mountPath: "/etc/slurm",
  readOnly: true,
};

/** One key of a Secret as the file `path`. */
export function secretItem(ref: KeyRef, path: string, mode?: number): V1VolumeProjection {
  const item = { key: ref.key, path, ...(mode === undefined ? {} : { mode }) };
  return { secret: { name: ref.name, items: [item] } };
}

/** A projected volume; the kubelet refreshes its files when a source changes. */
export function projectedVolume(
  name: string,
  defaultMode: number,
  sources: V1VolumeProjection[],
): V1Volume {
  return { name, projected: { defaultMode, sources } };
}

/** An emptyDir in memory: sockets, FIFOs and copied keys never reach a disk. */
export function memoryVolume(name: string): V1Volume {
  return { name, emptyDir: { medium: "Memory" } };
}
