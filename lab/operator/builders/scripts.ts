/**
 * Creates the FIFO that a daemon logs to and copies it to the container's log. The loop opens the FIFO again when
 * the daemon closed it; the copy runs in the background because a shell handles TERM only while it waits.
 */
export const LOGFILE_SCRIPT = `set -eu
mkdir -p "$(dirname "$SOCKET")"
if [ ! -p "$SOCKET" ]; then
  rm -f "$SOCKET"
  mkfifo -m 0666 "$SOCKET"
fi
trap 'exit 0' TERM INT
while true; do
  cat "$SOCKET" &
  wait $! || sleep 1
done
`;

/**
 * Copies the configuration and keys of a login pod to where sackd reads them, owned by the Slurm user and unreadable
 * for others. Only *.conf and *.key are taken (contract §3.1): a ring named *.jwks would stay behind.
 */
export const INITCONF_SCRIPT = `set -eu
from=/mnt/slurm
to=/mnt/etc/slurm
find -L "$from" -maxdepth 1 -type f \\( -name '*.conf' -o -name '*.key' \\) -print0 |
  xargs -0 -r cp -L -t "$to"
find "$to" -maxdepth 1 -type f -exec chown "$SLURM_USER:$SLURM_USER" {} + -exec chmod 0600 {} +
`;

/** Runs \`scontrol reconfigure\` when a file below /etc/slurm changed; looks every 5 s (contract §3.3). */
export const RECONFIGURE_SCRIPT = `set -eu
checksum() {
  find -L /etc/slurm -type d -name '..*' -prune -o -type f -exec sha256sum {} + | sort | sha256sum
}
trap 'exit 0' TERM INT
last=$(checksum)
while true; do
  sleep 5 &
  wait $!
  now=$(checksum)
  if [ "$now" != "$last" ] && scontrol reconfigure; then
    last=$now
  fi
done
`;

/** Marks the node DOWN before the pod goes; that overwrites any reason the node had (contract §4.2). */
export const PRE_STOP_SCRIPT =
  "scontrol update nodename=$(hostname) state=down reason='slurm-operator: Pod is terminating';";
