#!/bin/sh
# Runs once, when the database is created: a role that may use the database knack and owns two schemas in it, nothing else.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/knack_password)" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE knack LOGIN PASSWORD :'password';
REVOKE ALL ON DATABASE knack FROM PUBLIC;
GRANT CONNECT ON DATABASE knack TO knack;
CREATE SCHEMA knack AUTHORIZATION knack;
CREATE SCHEMA knack_boss AUTHORIZATION knack;
SQL
