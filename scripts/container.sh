#!/usr/bin/env bash
# Builds the container image of what is committed, has it serve from nothing to a first post with a read-only root file
# system, and says how long that takes and how large it is. Wants root and buildah; podman runs it where that works,
# otherwise buildah does, in a chroot. Then several of it, as compose.several.yaml says. Without a registry the image's base is made from Debian's packages (mmdebstrap).
#   BASE=docker.io/library/debian:13-slim scripts/container.sh    takes that one
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/shell/skip.sh

# Megabytes of the image, unpacked: PostgreSQL and Node alone are 160 of them.
most=250

[[ $(uname -s) == Linux ]] || skip container 'this is not Linux'
((EUID == 0)) || skip container 'it wants root'
for program in buildah git npm curl; do
  command -v "$program" >/dev/null || skip container "$program is missing"
done
[[ -n ${BASE:-} ]] || command -v mmdebstrap >/dev/null || skip container 'mmdebstrap is missing'

. scripts/shell/watched.sh scripts/container.sh "$@"
work=$watched
name=stonechat-check-$$
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=chroot
# A store of its own: nothing of this is left.
store=(--root "$work/store" --runroot "$work/run")
server=

mirror() {
  apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Label: Debian' 'Component: main' 2>/dev/null | head -n 1 || true
}

# As the slim images of Debian are: no documents, manuals and translations. Kept for the next time.
make_base() {
  local exclude=() container folder tar=$cache/debian-trixie-slim.tar
  mkdir -p "$cache"
  if [[ ! -e $tar ]]; then
    for folder in doc man info locale lintian linda groff; do exclude+=(--dpkgopt="path-exclude=/usr/share/$folder/*"); done
    mmdebstrap --quiet --variant=minbase "${exclude[@]}" --dpkgopt='path-include=/usr/share/doc/*/copyright' \
      --aptopt='Acquire::Languages "none"' --format=tar trixie "$tar.new" $(mirror) >&2
    mv "$tar.new" "$tar"
  fi
  container=$(image from scratch)
  image add --quiet "$container" "$tar" >/dev/null
  image commit --quiet --rm "$container" localhost/debian-slim >/dev/null
  echo localhost/debian-slim
}

# What npm is told about its registry here, and the certificates that it believes.
npm_settings() {
  local setting value
  for setting in registry proxy https-proxy noproxy strict-ssl; do
    value=$(npm config get "$setting" --loglevel=silent)
    [[ -z $value || $value == null || $value == undefined ]] || echo "$setting=$value"
  done
  [[ ! -f $authorities ]] || echo cafile=/etc/registry.pem
}

# Its own temporary folder too: what it runs is known by that.
image() { TMPDIR=$work buildah "${store[@]}" "$@"; }

cache=${BARE_MACHINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stonechat-bare-machines}
authorities=$(npm config get cafile --loglevel=silent)
SECONDS=0
base=${BASE:-$(make_base)}
echo "base: ready after $SECONDS s"
SECONDS=0
mkdir "$work/source" "$work/data"
git archive HEAD | tar -xf - -C "$work/source"
volumes=()
[[ ! -f $authorities ]] || volumes=(--volume "$authorities:/etc/registry.pem:ro")
# In Docker's format, since the other one has no health check.
image bud --quiet --format docker --layers=false --network host "${volumes[@]}" --build-arg "BASE=$base" \
  --build-arg "NPMRC=$(npm_settings)" --tag localhost/stonechat "$work/source" >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log" >&2; exit 1; }
root=$(image mount "$(image from localhost/stonechat)")
took=$SECONDS
fetched=$(tar -C "$root" -c . | gzip -6 | wc -c | awk '{ print int($1 / 1e6) }')
size=$(du -s --bytes "$root" | awk '{ print int($1 / 1e6) }')
echo "image: built in $took s, $fetched MB to fetch, $size MB unpacked"

# --- It serves.

port=$(bin/node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })')
variables=(DATA_DIR=/data PORT="$port" BIND=127.0.0.1 LOCAL_DOMAIN=chat.example.org HOME=/data NODE_COMPILE_CACHE=/tmp/compiled)
chown 991:991 "$work/data"
chmod 0700 "$work/data"

# As a container without podman: the image's root, which cannot be written to, as its user, who gets no rights by any
# program.
in_root=(setpriv --no-new-privs chroot --userspec=991:991 --groups= "$root"
  env -i PATH=/opt/stonechat/bin:/usr/bin:/bin "${variables[@]}")
serve_in_root() {
  exec unshare --mount --pid --fork --kill-child sh -c 'root=$1 data=$2; shift 2
    mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" && mount -t proc proc "$root/proc" &&
    mount --rbind /dev "$root/dev" && mount --bind "$data" "$root/data" && mount -t tmpfs tmpfs "$root/tmp" &&
    exec "$@"' - "$root" "$work/data" "${in_root[@]}" stonechat serve
}
as_podman=("--network=host" --read-only --read-only-tmpfs --cap-drop=all "--security-opt=no-new-privileges" --ulimit host --user 991:991
  --volume "$work/data:/data")
for variable in "${variables[@]}"; do as_podman+=(--env "$variable"); done
if command -v podman >/dev/null && podman "${store[@]}" run --rm "${as_podman[@]}" localhost/stonechat version >/dev/null 2>"$work/podman.log"; then
  runner=podman
  inside() { podman "${store[@]}" exec "$name" "$@"; }
  is_healthy() { podman "${store[@]}" healthcheck run "$name"; }
else
  runner='a chroot'
  echo "podman does not run it here: $(tail -n 1 "$work/podman.log" 2>/dev/null || echo 'it is missing')"
  inside() { nsenter --target "$(pgrep -P "$server")" --mount --pid "${in_root[@]}" "$@"; }
  is_healthy() {
    local words
    readarray -t words < <(image inspect --type image localhost/stonechat | bin/node -p \
      'JSON.parse(require("fs").readFileSync(0)).Docker.config.Healthcheck.Test.slice(1).join("\n")')
    inside "${words[@]}"
  }
fi
SECONDS=0
if [[ $runner == podman ]]; then
  podman "${store[@]}" run --detach --name "$name" "${as_podman[@]}" localhost/stonechat >/dev/null
else
  serve_in_root >"$work/server.log" 2>&1 &
  server=$!
fi
address=http://127.0.0.1:$port
for ((i = 0; i < 600; i++)); do
  ! curl -sf "$address/health" >/dev/null || break
  sleep 0.2
done
curl -sf "$address/health" >/dev/null || { cat "$work/server.log" 2>/dev/null || podman "${store[@]}" logs "$name"; exit 1; }
echo "$runner: serves after $SECONDS s"
inside stonechat accounts create alice --email alice@chat.example.org --confirmed --role Owner | grep -q '^New password: '
token=$(inside stonechat tokens create alice)
post() { curl -sf -H 'Host: chat.example.org' -H "Authorization: Bearer $token" -d "status=$1" "$address/api/v1/statuses"; }
post 'Hello!' | grep -q '"id"'
echo "$runner: first post after $SECONDS s"
is_healthy || { echo "container: its health check fails" >&2; exit 1; }
# None of what is loaded later was left out.
inside sh -c 'cd /opt/stonechat && exec node --input-type=module -e "$1"' - "$(cat scripts/packages/load-parts.js)" ||
  { echo "container: the program is not whole" >&2; exit 1; }
inside sh -c '! touch /opt/stonechat/written 2>/dev/null' || { echo "container: it can be written to" >&2; exit 1; }
if ((size >= most)); then
  (cd "$root" && du -xm --apparent-size -d 6 . | sort -rn | head -n 40) >&2
  echo "container: $size MB, at most $most are wanted" >&2
  exit 1
fi
# And as several, as compose.several.yaml has it.
podman "${store[@]}" stop --time 30 "$name" >/dev/null 2>&1 || true
# unshare itself takes no signals while it waits: what it runs is told.
[[ -z $server ]] || { pkill --parent "$server" && wait "$server" || true; }
server=
image inspect --type image localhost/stonechat |
  bin/node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(0)).Docker.config)' >"$work/image.json"
scripts/packages/compose-several.sh "$root" "$work/image.json"
echo "container: works"
