#!/usr/bin/env bash
# statics.sh BUILD_DIR: is every variable of our objects that all threads share and that may change in statics.table,
# and is each line of that table still such a variable? Threads of the library's callers meet in them.
set -euo pipefail
table=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)/statics.table
[ $# -lt 2 ] || table=$2
cd -- "$1"
mapfile -t objects < <(find kernels src -name '*.c.o' -not -path '*/examples/*' | sort)
if [ ${#objects[@]} -eq 0 ]; then
  printf 'no object under %s: build first\n' "$1"
  exit 1
fi
# FILE NAME of what lies in sections that can be written to, those of one thread left out
found=$(objdump -t "${objects[@]}" | awk '
  / file format / { file = $1; sub(/:$/, "", file); sub(/CMakeFiles\/([^\/]*\.dir\/)?/, "", file); sub(/\.o$/, "", file) }
  NF >= 5 && $(NF - 2) ~ /^\.(data|bss)(\.|$)/ && $(NF - 2) !~ /rel\.ro/ && $NF !~ /^\./ {
    sub(/\.[0-9]+$/, "", $NF); print file, $NF }
  NF >= 4 && $(NF - 2) == "*COM*" { print file, $NF }' | sort -u)
listed=$(sed -E 's/#.*//; s/ *:.*//; /^ *$/d' "$table" | sort -u)
status=0
while read -r file name; do
  [ -n "$file" ] || continue
  printf '%s: %s is a variable that all threads share: make it const or _Thread_local, or say in statics.table why not\n' "$file" "$name"
  status=1
done < <(comm -23 <(printf '%s\n' "$found") <(printf '%s\n' "$listed"))
while read -r file name; do
  [ -n "$file" ] || continue
  printf 'statics.table: %s has no variable %s\n' "$file" "$name"
  status=1
done < <(comm -13 <(printf '%s\n' "$found") <(printf '%s\n' "$listed"))
exit $status
