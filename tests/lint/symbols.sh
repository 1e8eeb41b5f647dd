#!/usr/bin/env bash
# symbols.sh BUILD_DIR: does every name that our libraries give to the linker start with sal_, or in src/api
# with saltus_, and is there only one of it?
set -euo pipefail
cd -- "$1"
mapfile -t libraries < <(find kernels src -name '*.a' | sort)
if [ ${#libraries[@]} -eq 0 ]; then
  printf 'no library under %s: build first\n' "$1"
  exit 1
fi
# MEMBER SYMBOL, sorted by symbol
defined=$(nm -AP -g --defined-only "${libraries[@]}" |
  awk '$3 ~ /^[A-Zu]$/ { sub(/:$/, "", $1); print $1, $2 }' | sort -k2)
status=0
complain() { # WHY: for each "MEMBER SYMBOL" on stdin
  local member symbol place
  while read -r member symbol; do
    place=$(nm -lg --defined-only "${member%%\[*}" | awk -v s="$symbol" '$3 == s && !n++ { print $4 }')
    printf '%s: %s %s\n' "${place:-$member}" "$symbol" "$1"
    status=1
  done
}
complain 'is visible to the linker and does not start with sal_' < <(awk '$2 !~ /^sal_/ && !($1 ~ /^src\/api\// && $2 ~ /^saltus_/)' <<<"$defined")
# The linker takes the first of two such from libraries, without a word.
complain 'is defined more than once' < <(awk '
  $2 == last { if (first != "") print first; print; first = ""; next }
  { last = $2; first = $0 }' <<<"$defined")
exit $status
