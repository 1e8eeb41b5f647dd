#!/usr/bin/env bash
# tidy.sh [--deep] [--changed] [--part I/N] BUILD_DIR [CLANG_TIDY [FILE...]]: clang-tidy, by .clang-tidy, over the sources of
# kernels and src that the build compiles, over the I-th of N shares of them, or over these files.
# --changed: over the files that changed most in a quarter of a day (changed.py).
# The analyzer looks at 3000 states of each function, with --deep at as many as it likes: that takes ten times as long.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
part=1/1
changed=false
budget=(--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=3000)
if [ "${1:-}" = --deep ]; then
  budget=()
  shift
fi
if [ "${1:-}" = --changed ]; then
  changed=true
  shift
fi
if [ "${1:-}" = --part ]; then
  part=$2
  shift 2
fi
clang_tidy=${2:-clang-tidy}
need "$clang_tidy"
source=$(cd -- "$here/../.." && pwd)
work=$1/lint/tidy${part%/*}
/usr/bin/python3 -B "$here/narrow.py" "$1" "$work"
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$work/compile_commands.json" | grep -E "^$source/(kernels|src)/" |
  sort | awk -v i="${part%/*}" -v n="${part#*/}" 'NR % n == i % n')
if [ $# -gt 2 ]; then mapfile -t files < <(realpath -- "${@:3}"); fi

[ ${#files[@]} -gt 0 ] || { printf 'no sources in %s\n' "$work" && exit 1; }
if $changed; then
  printf '%s\n' "${files[@]}" | /usr/bin/python3 -B "$here/changed.py" "$source" >"$work/changed"
  mapfile -t files <"$work/changed"
  [ ${#files[@]} -gt 0 ] || { printf 'nothing has changed\n' && exit 0; }
fi
printf '%s\n' "${files[@]}" | xargs -d '\n' -n 4 "$clang_tidy" -p "$work" --quiet "${budget[@]}" 2>&1 |
  sed -E "s|^$source/||; /^[0-9]+ warnings? (generated|treated as errors?)\\.?$/d"
