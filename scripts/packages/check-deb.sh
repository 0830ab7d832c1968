#!/usr/bin/env bash
# Installs a Debian package into a bare root that boots systemd, and says how long each step took: first post, restart
# under load, watchdog, timers, update, removal, purge. `check-deb.sh FILE.deb`; called by `deb.sh --check`.
set -euo pipefail

# --- Inside, as the one job of the machine: what it says ends up in a file that is read outside.

step() { # NAME COMMAND …
  local begun=$EPOCHREALTIME name=$1
  shift
  "$@" || { echo "FAILED: $name"; journalctl -u stonechat --no-pager -n 40; systemctl poweroff --force; exit 1; }
  printf '%-58s %5.1f s\n' "$name" "$(awk "BEGIN { print $EPOCHREALTIME - $begun }")"
}
quietly() { "$@" >/tmp/quiet.log 2>&1 || { cat /tmp/quiet.log; return 1; }; }
as_app() { curl -sf -H "Host: chat.example.org" -H "Authorization: Bearer $token" "$@"; }
set_domain() { echo 'LOCAL_DOMAIN=chat.example.org' >>/etc/stonechat/environment; }
make_owner() {
  stonechat accounts create alice --email alice@chat.example.org --confirmed --role Owner | grep -q '^New password: '
  token=$(stonechat tokens create alice)
}
post() { as_app -d "status=$1" http://127.0.0.1:3000/api/v1/statuses | grep -q '"id"'; }
# Each asked once: none may be refused or cut.
restart_under_load() {
  local i
  systemctl restart stonechat &
  for i in $(seq 1 30); do post "number $i" || return 1; sleep 0.1; done
  wait $!
}
watchdog() {
  local pid restarts
  pid=$(systemctl show -P MainPID stonechat)
  kill -STOP "$pid"
  for _ in $(seq 1 300); do
    restarts=$(systemctl show -P NRestarts stonechat)
    [[ $restarts == 0 ]] || { until systemctl is-active -q stonechat; do sleep 0.2; done; post 'after the watchdog'; return; }
    sleep 0.2
  done
  return 1
}
shorten_watchdog() {
  mkdir -p /run/systemd/system/stonechat.service.d
  printf '[Service]\nWatchdogSec=8s\nTimeoutAbortSec=2s\n' >/run/systemd/system/stonechat.service.d/test.conf
  systemctl daemon-reload && systemctl restart stonechat
}
backup_by_timer() {
  systemctl start stonechat-backup.service
  stonechat restore --verify "$(ls /var/lib/stonechat/backups/*.tar)" | grep -q '^Whole: chat.example.org'
}
# It fails here, since no one reaches the domain: what counts is that it looks.
doctor_by_timer() {
  systemctl start stonechat-doctor.service 2>/dev/null || true
  journalctl -u stonechat-doctor --no-pager | grep -q 'PostgreSQL 18'
}
exposure() {
  local level
  level=$(systemd-analyze security stonechat.service | tail -n 1 | sed -E 's/.*: ([0-9.]+) .*/\1/')
  echo "systemd-analyze security: $level"
  awk "BEGIN { exit !($level < 2.5) }"
}
shell_parts() {
  zcat /usr/share/man/man1/stonechat.1.gz | grep -q '^.SS accounts create'
  bash -c 'source /usr/share/bash-completion/completions/stonechat; COMP_WORDS=(stonechat accounts cre) COMP_CWORD=2
    _stonechat; [[ ${COMPREPLY[*]} == create ]]'
}
parts_load() { (cd /usr/lib/stonechat && bin/node --input-type=module -e "$(cat /root/load-parts.js)"); }
timers_enabled() { systemctl is-active -q stonechat-backup.timer stonechat-doctor.timer; }
removed() {
  dpkg --remove stonechat >/dev/null && [[ -d /var/lib/stonechat/postgres && ! -e /usr/bin/stonechat ]] &&
    ! curl -s http://127.0.0.1:3000/health && [[ -z $(pgrep -u stonechat || true) ]]
}
# The same program as a checkout, by what docs/operators/operations.md says. Whoever edits sets the domain.
keep_program() { cp -a /usr/lib/stonechat /root/program; }
as_a_service() {
  mv /root/program /usr/lib/stonechat && cp -R /root/contrib /usr/lib/stonechat/ && cd /usr/lib/stonechat || return 1
  printf '#!/bin/sh\necho LOCAL_DOMAIN=chat.example.org >>"$1"\n' >/usr/local/bin/editor && chmod +x /usr/local/bin/editor
  sh -e /root/as-a-service.sh
}
purged() {
  dpkg --purge stonechat >/dev/null 2>&1
  [[ ! -e /var/lib/stonechat && ! -e /etc/stonechat && ! -e /usr/lib/stonechat ]] && ! getent passwd stonechat
}

inside() {
  set +e
  step 'installed (dpkg -i)' quietly dpkg -i /root/stonechat.deb
  set_domain
  step 'first start, until it is ready' systemctl start stonechat.socket stonechat.service
  step 'owner account and token' make_owner
  step 'first post' post 'Hello!'
  step 'restart, each of 30 posts meanwhile is taken' restart_under_load
  step 'watchdog is set to 8 s' shorten_watchdog
  step 'a process that hangs is killed, and the next one serves' watchdog
  step 'timers are active' timers_enabled
  step 'backup by its unit, and it is whole' backup_by_timer
  step 'doctor by its unit' doctor_by_timer
  step 'no part of the program was left out' parts_load
  step 'unit is hardened' exposure
  step 'manual page and completions' shell_parts
  step 'updated (dpkg -i), and serves' quietly sh -c 'dpkg -i /root/stonechat.deb && systemctl restart stonechat'
  step 'post after the update' post 'Still here'
  step 'removed, data stays' removed
  step 'installed again' quietly sh -c 'dpkg -i /root/stonechat.deb && systemctl start stonechat'
  step 'post on the old data' post 'Back'
  step 'its program is kept apart' keep_program
  step 'purged, nothing stays' purged
  step 'as a service from a checkout, until it is ready' quietly as_a_service
  hash -r
  step 'owner account and token there' make_owner
  step 'first post there' post 'Hello from a checkout!'
  echo 'All steps passed'
  systemctl poweroff --force
}

if [[ ${1:-} == inside ]]; then
  inside >/root/check.log 2>&1
  exit
fi

# --- Outside.

file=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
packages=$PWD/scripts/packages
impossible=
((EUID == 0)) || impossible="it wants root"
for program in debootstrap systemd-nspawn; do
  command -v "$program" >/dev/null || impossible=${impossible:-"$program is missing"}
done
if [[ -n $impossible ]]; then
  echo "deb: not checked, $impossible" >&2
  [[ -z ${CI:-} ]] || exit 1
  exit 0
fi

. scripts/shell/watched.sh scripts/packages/check-deb.sh "$file"
cache=${BARE_MACHINE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/stonechat-bare-machines}
mkdir -p "$cache"
work=$watched

mirror=$(apt-get indextargets --format '$(REPO_URI)' \
  'Created-By: Packages' 'Label: Debian' 'Component: main' 2>/dev/null | head -n 1 || true)
failed=0
for codename in ${DEB_RELEASES:-bookworm trixie}; do
  base=$cache/systemd-$codename
  if [[ ! -d $base ]]; then
    rm -rf "$base.new"
    # What it mounts ends with it.
    unshare --mount --pid --fork --kill-child --mount-proc debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,curl,adduser,libstdc++6,procps,gawk \
      "$codename" "$base.new" $mirror >"$work/base.log" 2>&1 || { tail -n 20 "$work/base.log" >&2; exit 1; }
    # It is thrown away: nothing has to be safe from a loss of power.
    echo force-unsafe-io >"$base.new/etc/dpkg/dpkg.cfg.d/unsafe"
    # Units run in a job of the machine, not at a terminal.
    ln -s /dev/null "$base.new/etc/systemd/system/console-getty.service"
    mv "$base.new" "$base"
  fi
  root=$work/$codename
  cp -a --reflink=auto "$base" "$root"
  cp "$file" "$root/root/stonechat.deb"
  cp "${BASH_SOURCE[0]}" "$root/root/check-deb.sh"
  cp "$packages/load-parts.js" "$root/root/"
  cp -R "$packages/../../contrib" "$root/root/"
  awk '/^```/ { if (found) { printf "%s", text; exit } inside = !inside; text = ""; next }
    inside { text = text $0 "\n"; if (/^useradd/) found = 1 }' "$packages/../../docs/operators/operations.md" >"$root/root/as-a-service.sh"
  cat >"$root/etc/systemd/system/check.service" <<'UNIT'
[Service]
Type=exec
ExecStart=/bin/bash /root/check-deb.sh inside
[Install]
WantedBy=multi-user.target
UNIT
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -s ../check.service "$root/etc/systemd/system/multi-user.target.wants/check.service"
  # Without a machine manager, which a builder may not have. The limit is for what hangs: a busy builder takes minutes.
  timeout 1800 systemd-nspawn --quiet --register=no --keep-unit --private-network --directory "$root" --boot \
    </dev/null >"$work/boot.log" 2>&1 || true
  sed "s/^/Debian $codename: /" "$root/root/check.log" || cat "$work/boot.log"
  grep -qx 'All steps passed' "$root/root/check.log" || failed=1
done
exit "$failed"
