# For the scripts beside it, which source it: prints the first block between fences in document $1 that has $2 in it.
block_with() {
  awk -v wanted="$2" '/^```/ { if (inside && found) { printf "%s", text; exit } inside = !inside; text = ""; found = 0; next }
    inside { text = text $0 "\n"; if (index($0, wanted)) found = 1 }' "$1"
}
