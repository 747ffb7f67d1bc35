#!/bin/sh
# PostgreSQL's password file must belong to its user alone, which a mounted secret does not.
set -eu
if [ -r /run/secrets/knack_password ]; then
  umask 077
  printf '*:*:*:knack:%s\n' "$(cat /run/secrets/knack_password)" > "$HOME/.pgpass"
fi
exec "$@"
