#!/usr/bin/env bash
# tidy.sh BUILD_DIR [CLANG_TIDY]: clang-tidy, as .clang-tidy says, over the sources the build compiles.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
work=$1/lint
/usr/bin/python3 "$here/narrow.py" "$1" "$work"
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$work/compile_commands.json" |
  xargs -d '\n' -n 4 -P "$(nproc)" "${2:-clang-tidy}" -p "$work" --quiet
