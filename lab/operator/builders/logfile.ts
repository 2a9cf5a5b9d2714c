import type { V1Container } from "@kubernetes/client-node";
import type { ContainerPatch } from "../crds.ts";
import { toContainer } from "./container.ts";
import { LOGFILE_SCRIPT } from "./scripts.ts";

/** Name of the volume with the log FIFO. */
export const LOGFILE_VOLUME = "slurm-logfile";

/** Native sidecar that prints a daemon's log file. */
export function logfileSidecar(logFile: string, patch: ContainerPatch = {}): V1Container {
  return toContainer(
    {
      name: "logfile",
      image: "alpine:latest",
      command: ["sh", "-c", LOGFILE_SCRIPT],
      env: [{ name: "SOCKET", value: logFile }],
      restartPolicy: "Always",
      volumeMounts: [{ name: LOGFILE_VOLUME, mountPath: "/var/log/slurm" }],
    },
    patch,
  );
}
