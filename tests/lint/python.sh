#!/usr/bin/env bash
# python.sh SOURCE_DIR [PYFLAKES]: what pyflakes finds in our Python.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
need "${2:-pyflakes3}"
mapfile -t files < <(our_files "$1" '.*\.py')
[ ${#files[@]} -gt 0 ] || { printf 'no Python under %s\n' "$1" && exit 1; }
cd -- "$1"
exec "${2:-pyflakes3}" "${files[@]}"
