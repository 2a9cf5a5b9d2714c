/** How the operator marks the pods of Slurm, and where the auth key is in them (slinky-contract, 3.1). */

/** Label that carries the component of a pod or workload. */
export const COMPONENT_LABEL = "app.kubernetes.io/component";

/** Label of a worker pod that carries its host name, which is its Slurm node name. */
export const NODE_NAME_LABEL = "nodeset.slinky.slurm.net/pod-hostname";

/** Container of each component that runs its daemon and mounts the key. */
export const DAEMON_CONTAINERS: Readonly<Record<string, string>> = {
  controller: "slurmctld",
  accounting: "slurmdbd",
  restapi: "slurmrestd",
  login: "login",
  worker: "slurmd",
};

/** Where every holder has the key. */
export const KEY_FILE = "/etc/slurm/slurm.key";

/** Digests the key in the pod itself: no byte of it leaves the pod. */
export const DIGEST_COMMAND = ["sha256sum", KEY_FILE] as const;

/** First 12 hex digits of what {@link DIGEST_COMMAND} printed; undefined when it is no digest. */
export const fingerprintIn = (stdout: string): string | undefined =>
  /^([0-9a-f]{12})[0-9a-f]{52}\s/.exec(stdout)?.[1];
