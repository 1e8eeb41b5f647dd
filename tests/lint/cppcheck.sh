#!/usr/bin/env bash
# cppcheck.sh [--changed] BUILD_DIR [CPPCHECK]: what cppcheck finds in the sources the build compiles.
# --changed: in the files that changed most in a quarter of a day (changed.py).
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
changed=false
if [ "${1:-}" = --changed ]; then
  changed=true
  shift
fi
need "${2:-cppcheck}"
source=$(cd -- "$here/../.." && pwd)
work=$1/lint/cppcheck_$changed
/usr/bin/python3 -B "$here/narrow.py" "$1" "$work"
if $changed; then
  sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$work/compile_commands.json" | /usr/bin/python3 -B "$here/changed.py" "$source" >"$work/changed"
  [ -s "$work/changed" ] || { printf 'nothing has changed\n' && exit 0; }
  /usr/bin/python3 -B "$here/narrow.py" "$1" "$work" "$work/changed"
fi
mkdir -p "$work/cppcheck" # results of files that have not changed
# missingInclude*: system headers are not read, on purpose.  It does not know GNU's labels as values.
exec "${2:-cppcheck}" --project="$work/compile_commands.json" --cppcheck-build-dir="$work/cppcheck" \
  --enable=warning,performance,portability --inline-suppr --suppress=missingInclude \
  --suppress=missingIncludeSystem "--suppress=syntaxError:*/program_loop.def" "--suppress=internalAstError:*/program_ops.def" --error-exitcode=1 --quiet \
  --template='{file}:{line}: {severity}: {message} [{id}]'
