/**
 * Versions of what the lab builds or installs. The Go modules are pinned by lab/go/<module>/go.mod
 * and go.sum; the values here are what the binaries report and what the images are called.
 */
export const pins = {
  kubernetes: "v1.34.4",
  etcd: "3.5.30-0",
  coredns: "v1.12.4",
  pause: "3.10.1",
  localPathProvisioner: "v0.0.30",
  certManager: "v1.21.2",
  pulumi: "v3.274.1",
  helm: "v3.18.6",
  slurm: "26.05",
  mariadb: "11.8",
  slinky: "1.2.1",
  /** Debian suite of the node image (containerd, runc, CNI plugins, etcd) and of MariaDB 11.8. */
  nodeSuite: "trixie",
  /** Debian suite that carries Slurm 26.05. */
  slurmSuite: "forky",
} as const;
