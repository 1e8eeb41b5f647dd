#!/usr/bin/env bash
# format.sh SOURCE_DIR [CLANG_FORMAT]: is every C file as clang-format would write it?
set -euo pipefail
# shellcheck source=tests/lint/tools.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/tools.sh"
need "${2:-clang-format}"
cd -- "$1"
mapfile -t files < <(find kernels src tests -name '*.[ch]' | sort)
if [ ${#files[@]} -eq 0 ]; then
  printf 'no C file under %s\n' "$1"
  exit 1
fi
exec "${2:-clang-format}" --style=file --dry-run -Werror "${files[@]}"
