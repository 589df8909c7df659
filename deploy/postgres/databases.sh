#!/bin/sh
# Runs once, while the volume is empty: creates one database with an unprivileged owner for Homeport, and one for
# Keycloak.
set -eu

create() {
  psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set name="$1" --set password="$2" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect on database :"name" from public;
SQL
}

create homeport "$HOMEPORT_DATABASE_PASSWORD"
create keycloak "$KEYCLOAK_DATABASE_PASSWORD"
