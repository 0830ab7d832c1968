#!/usr/bin/env bash
# Builds the Debian package of what is committed: `scripts/deb.sh [FOLDER]` writes stonechat_VERSION_ARCH.deb there, by
# default to dist/. With --check it also installs it into bare roots and has it serve, updates, removes and purges it.
# Wants dpkg-deb, npm and an installed project (`npm ci`); --check wants root, debootstrap and systemd-nspawn.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

. scripts/shell/watched.sh scripts/deb.sh "$@"

check=
if [[ ${1:-} == --check ]]; then
  check=yes
  shift
fi
out=$(mkdir -p "${1:-dist}" && cd "${1:-dist}" && pwd)
command -v dpkg-deb >/dev/null || { echo "deb: skipped, dpkg-deb is missing" >&2; exit 0; }

version=$(bin/node -p 'require("./package.json").version')
architecture=$(dpkg --print-architecture)
root=$watched/root

install -d "$root/DEBIAN" "$root/usr/lib" "$root/usr/bin" "$root/usr/share/doc/stonechat" "$root/etc/stonechat" \
  "$root/usr/lib/systemd/system" "$root/usr/share/man/man1" "$root/usr/share/bash-completion/completions" \
  "$root/usr/share/zsh/vendor-completions"
scripts/packages/stage.sh "$root/usr/lib/stonechat"
app=$root/usr/lib/stonechat
# Where Debian has such files, and where people look for them.
cp -R "$app/docs/." "$root/usr/share/doc/stonechat/"
mv "$app/README.md" "$app/CHANGELOG.md" "$root/usr/share/doc/stonechat/"
# The server shows them too.
mv "$app/LICENSE" "$root/usr/share/doc/stonechat/copyright"
ln -s ../../share/doc/stonechat/copyright "$app/LICENSE"
install -m 0755 contrib/debian/stonechat "$root/usr/bin/stonechat"
install -m 0640 contrib/debian/environment "$root/etc/stonechat/environment"
install -m 0644 contrib/systemd/*.{service,socket,timer} "$root/usr/lib/systemd/system/"
bin/node scripts/packages/describe.ts man | gzip -9n >"$root/usr/share/man/man1/stonechat.1.gz"
bin/node scripts/packages/describe.ts bash >"$root/usr/share/bash-completion/completions/stonechat"
bin/node scripts/packages/describe.ts zsh >"$root/usr/share/zsh/vendor-completions/_stonechat"

cat >"$root/DEBIAN/control" <<CONTROL
Package: stonechat
Version: $version
Architecture: $architecture
Maintainer: Stonechat <packages@stonechat.invalid>
Section: net
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: adduser, libc6 (>= 2.36), libstdc++6, util-linux
Recommends: ffmpeg, ca-certificates
Suggests: postgresql, valkey-server | redis-server, caddy | nginx
Description: server of the fediverse that speaks the Mastodon API and ActivityPub
 One program on one PostgreSQL, which it brings along: no other service is
 needed to run it. An outside PostgreSQL and a Redis or Valkey let it run as
 several processes.
CONTROL
echo /etc/stonechat/environment >"$root/DEBIAN/conffiles"
install -m 0755 contrib/debian/{postinst,prerm,postrm} "$root/DEBIAN/"
(cd "$root" && find usr etc -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
# As `npm ci` was run by whoever: the packages' own modes, without a strict umask.
chmod -R u=rwX,go=rX "$root/usr"

file=$out/stonechat_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zzstd --build "$root" "$file" >/dev/null
echo "deb: $file, $(du -m "$file" | cut -f1) MB, $(du -sm --exclude=DEBIAN "$root" | cut -f1) MB installed"
[[ -z $check ]] || scripts/packages/check-deb.sh "$file"
