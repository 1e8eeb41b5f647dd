#!/usr/bin/env bash
# cppcheck.sh BUILD_DIR [CPPCHECK]: what cppcheck finds in the sources the build compiles.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
need "${2:-cppcheck}"
work=$1/lint
/usr/bin/python3 "$here/narrow.py" "$1" "$work"
mkdir -p "$work/cppcheck" # results of files that have not changed
# missingInclude*: system headers are not read, on purpose.
exec "${2:-cppcheck}" --project="$work/compile_commands.json" --cppcheck-build-dir="$work/cppcheck" \
  --enable=warning,performance,portability --inline-suppr --suppress=missingInclude \
  --suppress=missingIncludeSystem --error-exitcode=1 --quiet \
  --template='{file}:{line}: {severity}: {message} [{id}]'
