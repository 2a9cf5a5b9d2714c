/** Domain of the operator's own labels and annotations. */
export const SLINKY_DOMAIN = "slinky.slurm.net";

/** Ports of the Slurm daemons, fixed by the operator (contract §3.2). */
export const ports = {
  slurmctld: 6817,
  slurmd: 6818,
  slurmdbd: 6819,
  slurmrestd: 6820,
  login: 22,
} as const;

/** Unix ids of the Slinky images: user slurm, and nobody for slurmrestd (contract §3.1). */
export const ids = { slurm: 401, nobody: 65534 } as const;

/** Annotations on pod templates and pods. The hashes exist so that a change of their source rolls the pods. */
export const annotations = {
  defaultContainer: "kubectl.kubernetes.io/default-container",
  slurmKeyHash: "slinky.slurm.net/slurm-key-hash",
  jwtKeyHash: "slinky.slurm.net/jwt-key-hash",
  slurmConfigHash: "slinky.slurm.net/slurm-config-hash",
  slurmdbdConfHash: "slinky.slurm.net/slurmdbd-conf-hash",
  sshHostKeysHash: "slinky.slurm.net/ssh-host-keys-hash",
  sshdConfHash: "slinky.slurm.net/sshd-conf-hash",
  sssdConfHash: "slinky.slurm.net/sssd-conf-hash",
  topologySpec: "topology.slinky.slurm.net/spec",
  /** Set on a pod that is about to go: its Slurm node is drained and stays so (contract §4.2). */
  podCordon: "nodeset.slinky.slurm.net/pod-cordon",
} as const;

/** Prefix of every node reason the operator writes; a node with another reason is left alone (contract §4.4). */
export const REASON_PREFIX = "slurm-operator: ";

/** Physical names derived from the custom resources (contract §3.1). */
export const names = {
  controller: (controller: string) => `${controller}-controller`,
  config: (controller: string) => `${controller}-config`,
  accounting: (accounting: string) => `${accounting}-accounting`,
  restapi: (restapi: string) => `${restapi}-restapi`,
  workersService: (controller: string) => `slurm-workers-${controller}`,
  workersBudget: (controller: string) => `slurm-workers-pdb-${controller}`,
  sshHostKeys: (loginSet: string) => `${loginSet}-ssh-host-keys`,
  sshConfig: (loginSet: string) => `${loginSet}-ssh-config`,
  tokenSecret: (token: string, user: string) => `${token}-jwt-${user}`,
} as const;
