#!/usr/bin/env bash
# tidy.sh BUILD_DIR [CLANG_TIDY [FILE...]]: clang-tidy, as .clang-tidy says, over the sources of kernels and src that the
# build compiles, or over these files of them.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
clang_tidy=${2:-clang-tidy}
need "$clang_tidy"
source=$(cd -- "$here/../.." && pwd)
work=$1/lint
/usr/bin/python3 -B "$here/narrow.py" "$1" "$work"
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$work/compile_commands.json" | grep -E '/(kernels|src)/')
if [ $# -gt 2 ]; then mapfile -t files < <(realpath -- "${@:3}"); fi
[ ${#files[@]} -gt 0 ] || { printf 'no sources in %s\n' "$work" && exit 1; }
printf '%s\n' "${files[@]}" | xargs -d '\n' -n 2 -P 2 "$clang_tidy" -p "$work" --quiet 2>&1 |
  sed -E "s|^$source/||; /^[0-9]+ warnings? (generated|treated as errors?)\\.?$/d"
