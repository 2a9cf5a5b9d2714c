import { pins } from "../pins.ts";
import type { Rootfs } from "./rootfs.ts";

/** Runs KinD nodes: containerd, runc, CNI plugins and what the init and kubelet call. */
export const nodeRoot: Rootfs = {
  name: "node",
  suite: pins.nodeSuite,
  variant: "minbase",
  packages: [
    "ca-certificates",
    "conntrack",
    "containerd",
    "containernetworking-plugins",
    "curl",
    "ethtool",
    "ipset",
    "iproute2",
    "iptables",
    "jq",
    "kmod",
    "mount",
    "nftables",
    "procps",
    "runc",
    "socat",
    "util-linux",
  ],
};

/** Base of the images that are more than one static binary: etcd, kube-proxy, Node programs. */
export const baseRoot: Rootfs = {
  name: "base",
  suite: pins.nodeSuite,
  variant: "extract",
  packages: [
    "base-files",
    "busybox-static",
    "conntrack",
    "etcd-server",
    "iptables",
    "kmod",
    "libstdc++6",
    "nftables",
  ],
  extractHooks: [
    // Maintainer scripts do not run in this variant: the alternatives are set by hand.
    'for tool in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do ln -sf xtables-nft-multi "$1/usr/sbin/$tool"; done',
    'for tool in sh cat ls mkdir rm chmod chown cp env sleep; do ln -sf busybox "$1/usr/bin/$tool"; done',
  ],
};

/**
 * A user of the lab on login pods and Slurm nodes alike, as a directory service would provide, with a home on each
 * pod. A container may not set the login uid, so PAM must not insist on it.
 */
const testUserHooks = [
  'echo "tester:x:2001:2001:Test user:/home/tester:/bin/bash" >> "$1/etc/passwd"',
  'echo "tester:x:2001:" >> "$1/etc/group"',
  'echo "tester:*:20000::::::" >> "$1/etc/shadow"',
  'install -d -o 2001 -g 2001 "$1/home/tester"',
  'sed -i "s/^session *required *pam_loginuid.so/session optional pam_loginuid.so/" "$1/etc/pam.d/sshd"',
];

/**
 * Slurm's daemons and clients. The user slurm gets Slinky's uid 401 before the packages are
 * installed (Debian's would be 64030); the plugin packages are named because slurmrestd does not
 * depend on them (slinky-contract: images).
 */
export const slurmRoot: Rootfs = {
  name: "slurm",
  suite: pins.slurmSuite,
  variant: "minbase",
  packages: [
    "ca-certificates",
    "curl",
    "findutils",
    "hostname",
    "openssh-server",
    "procps",
    "python3-minimal",
    "sackd",
    "slurm-client",
    "slurm-wlm-basic-plugins",
    "slurm-wlm-jwt-plugin",
    "slurm-wlm-mysql-plugin",
    "slurmctld",
    "slurmd",
    "slurmdbd",
    "slurmrestd",
    "tini",
    "util-linux",
  ],
  essentialHooks: [
    'echo "slurm:x:401:401::/var/lib/slurm:/usr/sbin/nologin" >> "$1/etc/passwd"',
    'echo "slurm:x:401:" >> "$1/etc/group"',
  ],
  customizeHooks: [
    'rm -rf "$1"/etc/slurm/* "$1"/etc/ssh/ssh_host_*',
    'install -d -o 401 -g 401 "$1/var/spool/slurmctld" "$1/var/log/slurm" "$1/var/lib/slurm"',
    'install -d "$1/var/spool/slurmd" "$1/etc/slurm"',
    ...testUserHooks,
    'rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*',
  ],
};

/**
 * The accounting database. The user mysql gets the upstream image's id 999 before anything else can take it; the
 * core packages hold the server and its client without Debian's service around them.
 */
export const mariadbRoot: Rootfs = {
  name: "mariadb",
  suite: pins.nodeSuite,
  variant: "minbase",
  packages: ["mariadb-client-core", "mariadb-server-core"],
  essentialHooks: [
    'echo "mysql:x:999:999::/nonexistent:/usr/sbin/nologin" >> "$1/etc/passwd"',
    'echo "mysql:x:999:" >> "$1/etc/group"',
  ],
  customizeHooks: [
    'install -d -o 999 -g 999 "$1/var/lib/mysql"',
    'rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*',
  ],
};
