#!/usr/bin/env bash
# Installs the program of the last released version in a folder, from this checkout's history: for the drill of an
# upgrade (test/roles/upgrade.test.ts). Prints why not and ends with 77 where the history does not reach as far.
#   scripts/packages/former-program.sh FOLDER
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:?usage: former-program.sh FOLDER}

version=$(sed -n 's/^## \([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p' CHANGELOG.md | head -n 1)
# Its tag; or, in a copy without tags, the commit that wrote its heading.
commit=$(git rev-parse -q --verify "v$version^{commit}" || true)
# In a shallow checkout every line seems to be of its oldest commit.
if [[ -z $commit && $(git rev-parse --is-shallow-repository) == false ]]; then
  commit=$(git log --format=%H -S"## $version," -- CHANGELOG.md | tail -n 1)
fi
if [[ -z $commit ]] || ! git cat-file -e "$commit:bin/stonechat" 2>/dev/null; then
  echo "former-program: the history of this checkout does not have $version" >&2
  exit 77
fi
mkdir -p "$folder"
git archive "$commit" | tar -x -C "$folder"
# Without what builds its web app: nobody looks at it.
(cd "$folder" && npm ci --omit=dev --no-audit --no-fund >/dev/null)
"$folder/bin/stonechat" version
