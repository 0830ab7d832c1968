#!/usr/bin/env bash
# Carries out what docs/operators/replicas.md says, with two PostgreSQLs of its own: a replica is made, used, and becomes
# the database when that dies, with all that was answered; the former one becomes its replica. Wants Debian's postgresql
# (as root: it does not run as that), an installed project (`npm ci`), and nothing of the machine's own clusters.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/documents/block.sh
. scripts/shell/skip.sh

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[[ -n $bin ]] || skip replicas 'PostgreSQL (Debian: postgresql) is not installed'
((EUID == 0)) || skip replicas 'it wants root'

. scripts/shell/watched.sh scripts/documents/replicas.sh "$@"
work=$watched/work
mkdir "$work"
ports=(25397 25398)
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$work" PATH="$bin:$PATH" "$@"; }
start() { as_postgres pg_ctl -D "$work/$1" -w -l "$work/log" -o "-c listen_addresses=127.0.0.1 -k $work -p ${ports[$1]}" start >/dev/null; }
stop() { as_postgres pg_ctl -D "$work/$1" -m "$2" stop >/dev/null 2>&1 || true; }
sql() { as_postgres psql -h "$work" -p "${ports[$1]}" -U postgres -Atqc "$2" "${3:-postgres}"; }

# The first block of the document that has this in it, for server $2 that follows server $3.
example() {
  block_with docs/operators/replicas.md "$1" |
    sed "s#/var/lib/postgresql/15/main#$work/$2#; s#host=10.0.0.1#host=127.0.0.1 port=${ports[$3]}#; s#sudo -u postgres psql#psql -h $work -p ${ports[$3]} -U postgres#; s#10\.0\.0\.[12]/32#127.0.0.1/32#"
}
carry_out() { example "$@" | as_postgres bash -euo pipefail >/dev/null; }
settings() { example "$1" "$2" "$2" | as_postgres tee -a "$work/$2/$3" >/dev/null; }
wait_until() { # SERVER STATEMENT ANSWER
  local end=$((SECONDS + 60))
  until [[ $(sql "$1" "$2") == "$3" ]]; do
    ((SECONDS < end)) || { echo "replicas: $2 is not $3" >&2; exit 1; }
    sleep 0.2
  done
}
stonechat() {
  local database=$1 replica=$2
  shift 2
  DATA_DIR="$work/stonechat" LOCAL_DOMAIN=replicas.example SECRET_KEY_BASE=0123456789abcdef0123456789abcdef \
    DATABASE_URL="postgres://stonechat:secret@127.0.0.1:${ports[$database]}/stonechat" \
    REPLICA_DATABASE_URL="postgres://stonechat:secret@127.0.0.1:${ports[$replica]}/stonechat" bin/stonechat "$@"
}
replica_is_used() {
  # Mail, domain and the like are none of its matters.
  stonechat "$1" "$2" doctor >"$work/doctor" 2>&1 || true
  grep -E 'replicas .*as new as the database' "$work/doctor" >/dev/null || { cat "$work/doctor" >&2; exit 1; }
}

mkdir -p "$work/stonechat"
chown -R postgres:postgres "$work"
chmod 711 "$work"
as_postgres initdb -D "$work/0" -A trust -U postgres >/dev/null
settings max_slot_wal_keep_size 0 postgresql.conf
settings 'host  replication' 0 pg_hba.conf
start 0
sql 0 "create role stonechat login password 'secret'"
sql 0 'create database stonechat owner stonechat'
sql 0 'create extension pg_trgm' stonechat
carry_out 'create role replicator' 0 0
carry_out pg_basebackup 1 0
settings hot_standby_feedback 1 postgresql.conf
start 1
stonechat 0 1 accounts create before --email before@example.com --confirmed >/dev/null
wait_until 0 "select state from pg_stat_replication" streaming
replica_is_used 0 1

# The database dies in the middle of accounts that are made, each of them answered when the replica has it too.
carry_out "'ANY 1 (*)'" 1 0
wait_until 0 'select sync_state from pg_stat_replication' quorum
for number in 1 2 3; do
  stonechat 0 1 accounts create "kept$number" --email "kept$number@example.com" --confirmed >/dev/null
done
stop 0 immediate
sql 1 'select pg_promote()' >/dev/null
sql 1 'alter system reset synchronous_standby_names'
sql 1 'select pg_reload_conf()' >/dev/null
found=$(stonechat 1 1 accounts list | cut -f1 | sort | tr '\n' ' ')
if [[ $found != "before kept1 kept2 kept3 " ]]; then
  echo "replicas: after the promotion there are: $found" >&2
  exit 1
fi

# The former database becomes its replica.
rm -rf "${work:?}/0"
sql 1 "select pg_create_physical_replication_slot('replica1')" >/dev/null
carry_out pg_basebackup 0 1
settings hot_standby_feedback 0 postgresql.conf
start 0
wait_until 1 'select state from pg_stat_replication' streaming
sql 1 checkpoint
sql 0 checkpoint
replica_is_used 1 0
echo "replicas: made, used, promoted with all that was answered, and made anew, with PostgreSQL $(postgres --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+' | head -n 1 || true)"
