#!/bin/sh
# Takes out of node_modules what no server reads: `prune.sh node_modules`. C headers, types, maps, documents, and the
# packages that are there for commands which this program never runs. Licences stay.
set -eu
cd "$1"

rm -rf node-linux-*/include node-linux-*/share node-bin-*/include node-bin-*/share node-darwin-*/include
# graphile-worker's reader of configuration files names TypeScript; nothing loads it.
rm -rf typescript @typescript @types
rm -rf .bin
# Sources beside what is made of them, what is made for browsers, and programs for other systems.
rm -rf zod/src jsonld/dist markdown-it/dist/browser
# Npm 9 does not know which C library a package is for, nor that WebAssembly is none of this machine: it brings all.
rm -rf @img/*-linuxmusl-* @img/*-wasm32 @emnapi
# The tables of languages that lib/text/detect-language.ts does not load.
find eld/src/ngrams -type f -not -name extrasmall.js -exec rm {} +
# Languages that the embedded PostgreSQL is not programmed in, what compiles for it, and C with SQL in it.
for native in @embedded-postgres/*/native; do
  rm -rf "$native"/lib/pkgconfig "$native"/lib/postgresql/pgxs "$native"/lib/libecpg* "$native"/lib/libpgtypes* \
    "$native"/lib/postgresql/*plperl* "$native"/lib/postgresql/*plpython* "$native"/lib/postgresql/*pltcl*
done
find . -type d -path '*/prebuilds/*' -not -name 'linux-*' -prune -exec rm -r {} +
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.flow' \
  -o -name '*.a' -o -iname 'readme*' -o -iname 'changelog*' -o -iname 'history.md' \) -exec rm {} +
find . -type d \( -name test -o -name tests -o -name __tests__ -o -name docs -o -name examples -o -name benchmarks \) \
  -not -path '*/@embedded-postgres/*' -prune -exec rm -r {} +
# Debug symbols, where a tool for that is there.
if command -v strip >/dev/null; then
  for file in node-linux-*/bin/node @embedded-postgres/*/native/bin/* @embedded-postgres/*/native/lib/*.so*; do
    [ ! -f "$file" ] || [ -L "$file" ] || strip --strip-unneeded "$file" 2>/dev/null || true
  done
fi
