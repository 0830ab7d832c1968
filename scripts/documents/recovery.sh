#!/usr/bin/env bash
# Carries out what docs/operators/postgresql.md says of moving from the embedded database to an outside one, of base
# backups and point-in-time recovery, and of moving back, with a PostgreSQL of its own: an account that was made before
# the moment is there again, one that was made after it is not. Wants Debian's postgresql (as root: it does not run as
# that), an installed project (`npm ci`), and nothing of the machine's own clusters.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/documents/block.sh
. scripts/shell/skip.sh

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[[ -n $bin ]] || skip recovery 'PostgreSQL (Debian: postgresql) is not installed'
((EUID == 0)) || skip recovery 'it wants root'

. scripts/shell/watched.sh scripts/documents/recovery.sh "$@"
work=$watched/work
mkdir "$work"
data=$work/data backups=$work/backups
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$work" PGHOST="$work" PGPORT=25399 "$@"; }
start() { as_postgres "$bin/pg_ctl" -D "$data" -w -l "$work/log" -o "-c listen_addresses='' -k $work -p 25399" start >/dev/null; }
stop() { as_postgres "$bin/pg_ctl" -D "$data" -m fast stop >/dev/null 2>&1 || true; }

# The first block of the document that has this in it, with the folder of this run.
example() {
  block_with docs/operators/postgresql.md "$1" | sed "s#/backups#$backups#g"
}
url="postgres://stonechat:SECRET@localhost:25399/stonechat?host=$work"
outside=
stonechat() {
  DATA_DIR="$work/stonechat" LOCAL_DOMAIN=recovery.example DATABASE_URL="${outside:+$url}" bin/stonechat "$@"
}
accounts() { stonechat accounts list | cut -f1 | sort | tr '\n' ' '; }
# `sudo -u postgres COMMAND …` of the examples.
sudo() { as_postgres PATH="$bin:$PATH" PGUSER=postgres "${@:3}"; }
account() { stonechat accounts create "$1" --email "$1@example.com" --confirmed >/dev/null; }

mkdir -p "$backups/wal" "$work/stonechat"
# The embedded one does not run as root either, and makes its own folders.
chown postgres:postgres "$work" "$backups" "$backups/wal"
chmod 711 "$work"
account before
as_postgres "$bin/initdb" -D "$data" -A trust -U postgres >/dev/null
example archive_command | as_postgres tee -a "$data/postgresql.conf" >/dev/null
start

# Out.
move=$(example "create role" | sed "s#postgres://stonechat:SECRET@localhost:5432/stonechat#'$url'#")
eval "$(sed '/^# back/,$d' <<<"$move")" >/dev/null
outside=yes
[[ $(accounts) == "before " ]] || { echo "recovery: after the move out there are: $(accounts)" >&2; exit 1; }

# Every night.
backup=$(example pg_basebackup)
as_postgres PATH="$bin:$PATH" PGUSER=postgres bash -euc "$backup"
base=$(ls -d "$backups"/base-*)
account wanted
moment=$(as_postgres "$bin/psql" -U postgres -Atc "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || ' UTC'")
account mistake
as_postgres "$bin/psql" -U postgres -Atqc 'select pg_switch_wal()' >/dev/null
stop

# The way back.
rm -rf "$data"
as_postgres mkdir -m 0700 "$data"
as_postgres tar -xzf "$base/base.tar.gz" -C "$data"
as_postgres tar -xzf "$base/pg_wal.tar.gz" -C "$data/pg_wal"
example recovery_target_time | sed "s/^recovery_target_time = .*/recovery_target_time = '$moment'/" |
  as_postgres tee -a "$data/postgresql.conf" >/dev/null
as_postgres touch "$data/recovery.signal"
start
until [[ $(as_postgres "$bin/psql" -U postgres -Atc 'select pg_is_in_recovery()') == f ]]; do sleep 0.2; done
sed -i '/^restore_command\|^recovery_target/d' "$data/postgresql.conf"

found=$(accounts)
if [[ $found != "before wanted " ]]; then
  echo "recovery: after going back to $moment there are: $found" >&2
  exit 1
fi
echo "recovery: back at $moment with PostgreSQL $("$bin/postgres" --version | grep -oE '[0-9]+\.[0-9]+' | head -n 1): what was before is there, what came later is not"

# And back, into a folder without a database.
rm -rf "$work/stonechat/postgres"
outside=
eval "$(sed -n '/^# back/,$p' <<<"$move")" >/dev/null
[[ $(accounts) == "before wanted " ]] || { echo "recovery: after the move back there are: $(accounts)" >&2; exit 1; }
echo "recovery: moved from the embedded database to that one, and back"
