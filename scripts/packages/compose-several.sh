#!/usr/bin/env bash
# Runs what compose.several.yaml says where no container engine can: each service in a network namespace of its own on
# one bridge, with the environment, command, mounts and restrictions that Docker Compose reads out of the file. The
# services of this project run in the root of the image; for the images of others stand Debian's PostgreSQL, Valkey or
# Redis, and Caddy with contrib/compose/Caddyfile as it is. People post meanwhile, and both web processes are replaced.
#   scripts/packages/compose-several.sh ROOT IMAGE.json     the image unpacked, and its configuration (Env, Entrypoint)
# Wants root, jq, iproute2, curl, and Debian's postgresql, redis or valkey, and caddy.
set -euo pipefail
# Caddy makes certificates by itself for names that nobody else can have.
domain=chat.local
network=172.18.0

# --- Inside: namespaces of mounts, networks and processes, which end with this.

of() { jq -r --arg service "$1" ".services[\$service] | $2" "$work/compose.json"; }
services() { jq -r '.services | keys[]' "$work/compose.json"; }
in_network_of() { nsenter --net="/run/netns/$1" "${@:2}"; }
fail() {
  echo "compose: $*" >&2
  tail -n 15 "$work"/log/* >&2
  exit 1
}
patiently() { # WHAT COMMAND …
  local what=$1 i
  shift
  for ((i = 0; i < 900; i++)); do
    ! "$@" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  fail "$what"
}

make_network() {
  local service number=2
  mkdir -p /run/netns
  mount -t tmpfs tmpfs /run/netns
  ip link set lo up
  ip link add compose type bridge
  ip addr add "$network.1/16" dev compose
  ip link set compose up
  echo '127.0.0.1 localhost' >"$work/hosts"
  for service in $(services); do
    ip netns add "$service"
    ip link add "v$number" type veth peer name eth0 netns "$service"
    ip link set "v$number" master compose up
    in_network_of "$service" sh -c "ip link set lo up && ip addr add $network.$number/16 dev eth0 &&
      ip link set eth0 up && echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start"
    echo "$network.$number $service" >>"$work/hosts"
    [[ $service != caddy ]] || echo "$network.$number $domain" >>"$work/hosts"
    number=$((number + 1))
  done
  mount --bind "$work/hosts" /etc/hosts
}

# `in_image SERVICE COMMAND …`: a process of the image, in what the file says it is run in.
in_image() {
  local service=$1 variables flags=() mounts type source target
  shift
  readarray -t variables < <(
    jq -r '.Env[]' "$work/image.json"
    of "$service" '.environment | to_entries[] | "\(.key)=\(.value)"'
  )
  mounts='mount --bind "$root" "$root"'
  [[ $(of "$service" .read_only) != true ]] || mounts+=' && mount -o remount,bind,ro "$root"'
  mounts+=' && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --bind /etc/hosts "$root/etc/hosts"'
  while read -r type source target; do
    [[ $type != volume ]] || mounts+=" && mount --bind \"\$work/volumes/$source\" \"\$root$target\""
  done < <(of "$service" '.volumes // [] | .[] | "\(.type) \(.source) \(.target)"')
  for target in $(of "$service" '.tmpfs // [] | .[]'); do mounts+=" && mount -t tmpfs tmpfs \"\$root$target\""; done
  [[ $(of "$service" '.security_opt // [] | index("no-new-privileges:true") != null') != true ]] || flags=(--no-new-privs)
  # As a user of its own it has none of the capabilities that cap_drop takes.
  root=$root work=$work exec nsenter --net="/run/netns/$service" unshare --mount --pid --fork --kill-child \
    sh -c "$mounts && exec \"\$@\"" - setpriv "${flags[@]}" chroot --userspec=991:991 --groups= "$root" \
    env -i "${variables[@]}" "$@"
}
# As `docker compose exec`.
execute() { (in_image "$@"); }

declare -A pids
start_ours() { # SERVICE
  local command
  readarray -t command < <(jq -r '.Entrypoint[]' "$work/image.json"; of "$1" '.command[]')
  (in_image "$1" "${command[@]}" >>"$work/log/$1" 2>&1) &
  pids[$1]=$!
}
# unshare takes no signals while it waits: its child is told, as an engine would.
stop() { # SERVICE
  pkill --parent "${pids[$1]}" || true
  wait "${pids[$1]}" || true
}
is_healthy() { # SERVICE: by the image's own check
  local words
  readarray -t words < <(jq -r '.Healthcheck.Test[1:][]' "$work/image.json")
  execute "$1" "${words[@]}"
}

start_postgres() {
  local bin data=$work/volumes/postgres/data user database
  bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  user=$(of postgres .environment.POSTGRES_USER) database=$(of postgres .environment.POSTGRES_DB)
  of postgres .environment.POSTGRES_PASSWORD >"$work/password"
  chown postgres "$work/volumes/postgres" "$work/password"
  local run=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  "${run[@]}" "$bin/initdb" -D "$data" -U "$user" --pwfile="$work/password" -A scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  (cd / && in_network_of postgres "${run[@]}" "$bin/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories= \
    >>"$work/log/postgres" 2>&1) &
  patiently "postgres does not get healthy" in_network_of postgres env PATH="$bin:$PATH" PGHOST=127.0.0.1 \
    sh -c "$(of postgres '.healthcheck.test[1]')"
  PGPASSWORD=$(cat "$work/password") "$bin/createdb" -h postgres -U "$user" "$database"
}
start_valkey() {
  local command
  readarray -t command < <(of valkey '.command[]')
  command -v "${command[0]}" >/dev/null || command[0]=redis-server
  # The image listens everywhere.
  (cd "$work" && in_network_of valkey "${command[@]}" --protected-mode no --bind '*' >>"$work/log/valkey" 2>&1) &
}
start_caddy() {
  local file variables
  file=$(of caddy '.volumes[] | select(.target == "/etc/caddy/Caddyfile") | .source')
  readarray -t variables < <(of caddy '.environment | to_entries[] | "\(.key)=\(.value)"')
  chown -R nobody "$work/volumes/caddy"
  # Not as root: it would have this machine trust its certificates.
  (cd / && in_network_of caddy setpriv --reuid=nobody --clear-groups --no-new-privs env -i PATH="$PATH" \
    HOME="$work/volumes/caddy" XDG_DATA_HOME="$work/volumes/caddy" XDG_CONFIG_HOME="$work/volumes/caddy" "${variables[@]}" \
    caddy run --adapter caddyfile --config "$file" >>"$work/log/caddy" 2>&1) &
}

ask() { curl -sS --max-time 30 --cacert "$authority" "$@"; }
as_alice() { ask -f -H "Authorization: Bearer $token" "$@"; }
# Before 2.11.2 Caddy answers 502 for a request with a body when it finds the first process gone: nothing was sent then.
again=()
! printf '2.11.2\n%s\n' "$(caddy version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)" | sort -V | tail -n 1 | grep -qx 2.11.2 ||
  again=(--retry 9 --retry-delay 1 --retry-all-errors)
post() { as_alice "${again[@]}" -H "Idempotency-Key: $1" -d "status=$1" "https://$domain/api/v1/statuses"; }
is_home() { as_alice "https://$domain/api/v1/timelines/home?limit=40" | jq -e --arg id "$1" 'any(.[]; .id == $id)'; }

inside() {
  # What unshare waits for ends with it; and all of it with this, whose namespace it is.
  trap 'kill -KILL $(jobs -p) 2>/dev/null || true' EXIT
  local service id posted i
  make_network
  start_postgres
  start_valkey
  for service in web-1 web-2 streaming worker; do start_ours "$service"; done
  for service in web-1 web-2 streaming; do patiently "$service does not get healthy" is_healthy "$service"; done
  start_caddy
  authority=$work/volumes/caddy/caddy/pki/authorities/local/root.crt
  patiently "Caddy has no certificate" test -s "$authority"
  patiently "Caddy does not pass on" ask -f "https://$domain/health"
  echo "compose: serves after $SECONDS s"

  execute web-1 stonechat accounts create alice --email "alice@$domain" --confirmed --role Owner | grep -q '^New password: ' ||
    fail 'no account is made'
  token=$(execute web-1 stonechat tokens create alice)
  # Through Caddy, the streaming process, and Valkey, in which the web process told of it.
  ask -N --max-time 600 -H "Authorization: Bearer $token" "https://$domain/api/v1/streaming/user" >"$work/stream" &
  patiently 'no stream is opened' grep -q . "$work/stream"
  id=$(post 'Hello!' | jq -r .id)
  patiently 'the stream has no post' grep -q "\"id\":\"$id\"" "$work/stream"
  patiently 'the worker does not fan out' is_home "$id"
  install -m 0644 "$authority" "$work/volumes/data/authority.pem"
  execute web-1 env NODE_EXTRA_CA_CERTS=/data/authority.pem stonechat doctor >"$work/doctor" ||
    { cat "$work/doctor"; fail 'its doctor finds something wrong'; }
  grep -E '^ok +(database|pooler|redis|worker|domain|tls|proxy|variables) ' "$work/doctor"

  # `up -d --no-deps --wait`, one after the other: none is refused, and all that were taken are there.
  (for ((i = 0; ; i++)); do
    post "number $i" 2>>"$work/log/curl" | jq -r .id >>"$work/posted" || echo lost >>"$work/posted"
    as_alice "https://$domain/api/v1/timelines/home" >/dev/null 2>>"$work/log/curl" || echo lost >>"$work/posted"
    [[ ! -e $work/done ]] || break
  done) &
  posted=$!
  for service in web-1 web-2 streaming; do
    stop "$service"
    start_ours "$service"
    patiently "$service does not come back" is_healthy "$service"
  done
  touch "$work/done"
  wait "$posted"
  ! grep -q lost "$work/posted" || fail "$(grep -c lost "$work/posted") requests were lost while processes were replaced"
  for id in $(tail -n 20 "$work/posted"); do patiently 'a post is not there' is_home "$id"; done
  echo "compose: $(wc -l <"$work/posted") posts while web-1, web-2 and streaming were replaced, none lost"
  for service in worker streaming web-2 web-1; do stop "$service"; done
}

if [[ ${1:-} == inside ]]; then
  inside
  exit
fi

# --- Outside.

root=$(realpath "$1") image=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. scripts/shell/skip.sh
. scripts/shell/watched.sh scripts/packages/compose-several.sh "$root" "$image"
export PATH=$PATH:/usr/sbin
for program in jq ip caddy curl; do
  command -v "$program" >/dev/null || skip compose "$program is missing"
done
engine=$(scripts/packages/compose-engine.sh "${BARE_MACHINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stonechat-bare-machines}")
work=$watched/compose
mkdir -m 711 "$work"
cp "$image" "$work/image.json"

# What has to be set is asked for, and by name.
for file in compose.yaml compose.several.yaml; do
  ! env -i PATH="$PATH" "$engine" -f "$file" config -q 2>"$work/said" || { echo "compose: $file wants nothing" >&2; exit 1; }
  grep -q 'required variable' "$work/said" || { cat "$work/said" >&2; exit 1; }
done
env -i PATH="$PATH" LOCAL_DOMAIN=$domain "$engine" -f compose.yaml config -q
env -i PATH="$PATH" LOCAL_DOMAIN=$domain POSTGRES_PASSWORD=0123456789abcdef SECRET_KEY_BASE=0123456789abcdef0123456789abcdef \
  "$engine" -f compose.several.yaml config --format json >"$work/compose.json"
echo "compose: both files are valid"
mkdir "$work/log"
for volume in $(jq -r '.volumes | keys[]' "$work/compose.json"); do mkdir -p "$work/volumes/$volume"; done
chmod 711 "$work/volumes"
# As an engine makes it: with the owner that the image has there.
touch "$root/etc/hosts"
install -d -o 991 -g 991 -m 0700 "$work/volumes/data"
export root work
timeout 900 unshare --mount --net --pid --fork --kill-child --mount-proc bash "scripts/packages/compose-several.sh" inside
