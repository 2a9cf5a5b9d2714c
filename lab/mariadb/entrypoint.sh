#!/bin/sh
# Starts mariadbd with the variables of the upstream image that the stack sets: MARIADB_DATABASE, MARIADB_USER and
# MARIADB_PASSWORD, each also as <name>_FILE. Root comes in through the socket only, so MARIADB_RANDOM_ROOT_PASSWORD
# and MARIADB_ROOT_HOST need nothing here. Arguments are options of mariadbd.
set -eu
umask 077
data=/var/lib/mysql
run=/run/mysqld

# The value of a variable, or the content of the file that <name>_FILE names.
setting() {
  eval "value=\${$1:-} file=\${$1_FILE:-}"
  if [ -n "$file" ]; then value=$(cat "$file"); fi
  if [ -z "$value" ]; then
    echo "entrypoint: $1 or $1_FILE must be set" >&2
    exit 1
  fi
  printf '%s' "$value"
}

# The text as an SQL string.
quoted() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/\\\\/\\\\\\\\/g; s/'/''/g")"
}

database=$(setting MARIADB_DATABASE)
user=$(quoted "$(setting MARIADB_USER)")@\'%\'
password=$(quoted "$(setting MARIADB_PASSWORD)")

# A killed initialisation leaves the mark behind and is done again; anything else in the folder is never touched.
if [ -e "$data/.installing" ] || [ ! -d "$data/mysql" ]; then
  touch "$data/.installing"
  find "$data" -mindepth 1 -maxdepth 1 ! -name .installing ! -name lost+found -exec rm -rf {} +
  mariadb-install-db --no-defaults --datadir="$data" --skip-test-db \
    --auth-root-authentication-method=socket
  rm "$data/.installing"
fi

# mariadbd runs this before it accepts connections; it wants one statement a line.
cat > "$run/init.sql" <<SQL
CREATE DATABASE IF NOT EXISTS \`$database\`;
CREATE USER IF NOT EXISTS $user IDENTIFIED BY $password;
ALTER USER $user IDENTIFIED BY $password;
GRANT ALL PRIVILEGES ON \`$database\`.* TO $user;
SQL
exec mariadbd --no-defaults --datadir="$data" --socket="$run/mysqld.sock" \
  --pid-file="$run/mysqld.pid" --init-file="$run/init.sql" "$@"
