#!/bin/sh
# Fills a folder with a root file system of the packages named, and those that they depend on, without what only
# installing wants: `minimal-root.sh FOLDER PACKAGE…`, as root on Debian. They are unpacked, and none of their scripts is
# run; what each of them is stands in var/lib/dpkg/status.d, where scanners for known holes look in images without dpkg.
set -eu
root=$1
shift

mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/etc" "$root/var/lib/dpkg/status.d" \
  "$root/var/cache" "$root/var/log" "$root/root" "$root/proc" "$root/sys" "$root/dev" "$root/run"
install -d -m 1777 "$root/tmp" "$root/var/tmp"
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done

packages=$(mktemp -d)
# As if nothing were installed yet.
: >"$packages/status"
apt-get update -q
apt-get install -q -y --no-install-recommends --download-only -o "Dir::State::status=$packages/status" \
  -o "Dir::Cache::archives=$packages" -o APT::Sandbox::User=root "$@"
for package in "$packages"/*.deb; do
  dpkg-deb --extract "$package" "$root"
  dpkg-deb --field "$package" >"$root/var/lib/dpkg/status.d/$(dpkg-deb --field "$package" Package)"
done
rm -r "$packages"

# Documents but for licences, translations, tables of character sets, and what makes locales.
find "$root/usr/share/doc" -type f -not -name copyright -exec rm {} +
rm -rf "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/info" "$root/usr/share/lintian" \
  "$root/usr/share/i18n" "$root"/usr/lib/*/gconv "$root/usr/bin/localedef" "$root/usr/bin/iconv"
if [ -x "$root/bin/busybox" ]; then
  for name in $("$root/bin/busybox" --list); do
    [ -e "$root/usr/bin/$name" ] || [ -e "$root/usr/sbin/$name" ] || ln -s busybox "$root/usr/bin/$name"
  done
fi
cp -L /etc/os-release /etc/debian_version "$root/etc/"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
echo 'root:x:0:' >"$root/etc/group"
# Libraries in folders of their own (ffmpeg's have some) are found by this.
[ ! -x "$root/sbin/ldconfig" ] || "$root/sbin/ldconfig" -r "$root"
