#!/usr/bin/env bash
# Prints the path of a Docker Compose that knows what the compose files use (2.24 or newer): this machine's, or that of
# Debian 13, unpacked into a folder and kept. It only reads files here, for which no container engine has to run.
#   scripts/packages/compose-engine.sh FOLDER
set -euo pipefail
folder=${1:?usage: compose-engine.sh FOLDER}

found=$(docker-compose version --short 2>/dev/null || true)
if [[ $found =~ ^v?2\.([0-9]+) ]] && ((BASH_REMATCH[1] >= 24)); then
  command -v docker-compose
  exit
fi
program=$folder/compose-trixie/usr/bin/docker-compose
if [[ ! -x $program ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lists/partial" "$work/cache" "$folder"
  archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 'Component: main' | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${archive:-http://deb.debian.org/debian} trixie main" >"$work/sources.list"
  : >"$work/status"
  apart=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$work/lists"
    -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
  apt-get "${apart[@]}" update -q >&2
  (cd "$work" && apt-get "${apart[@]}" download -q docker-compose >&2)
  rm -rf "$folder/compose-trixie.new"
  dpkg-deb --extract "$work"/docker-compose_*.deb "$folder/compose-trixie.new"
  rm -rf "$folder/compose-trixie"
  mv "$folder/compose-trixie.new" "$folder/compose-trixie"
fi
"$program" version >&2
echo "$program"
