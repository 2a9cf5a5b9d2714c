#!/bin/sh
# Login pod: sshd beside sackd, which runs as the user slurm and serves the clients' authentication.
set -eu
install -d -o 401 -g 401 -m 0755 /run/slurm
install -d -m 0755 /run/sshd
/usr/sbin/sshd -D -e &
# shellcheck disable=SC2086 # SACKD_OPTIONS is a list of options
exec setpriv --reuid=401 --regid=401 --clear-groups sackd -D ${SACKD_OPTIONS:-}
