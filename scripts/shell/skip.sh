# For scripts that source it: `skip NAME REASON` ends one that cannot be run on this machine. In CI, which has what they
# want, that is a failure.
skip() {
  echo "$1: skipped, $2" >&2
  [[ -z ${CI:-} ]] || exit 1
  exit 0
}
