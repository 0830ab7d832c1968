#!/usr/bin/env bash
# Puts what a server needs to run, and nothing else, into a folder: `scripts/packages/stage.sh FOLDER`. From what is
# committed; wants npm, and an installed project (`npm ci`) to build web app and program with.
set -euo pipefail
target=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

git archive HEAD bin src locales scripts/packages package.json package-lock.json .npmrc LICENSE README.md CHANGELOG.md docs |
  tar -xf - -C "$target"
npm run --silent build
mkdir -p "$target/client"
cp -R client/dist client/shared client/tokens.css "$target/client/"
mkdir -p "$target/dist/program"
cp -R dist/program/. "$target/dist/program/"
cd "$target"
npm ci --omit=dev --ignore-scripts --loglevel=error
sh scripts/packages/prune.sh node_modules
bin/node scripts/packages/link-libraries.ts
sh scripts/packages/only-built.sh .
rm -r scripts package-lock.json .npmrc
