#!/usr/bin/env bash
# shell.sh SOURCE_DIR [SHELLCHECK]: what shellcheck finds in our shell scripts, jobs for SLURM included.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/lint/tools.sh
. "$here/tools.sh"
need "${2:-shellcheck}"
mapfile -t files < <(our_files "$1" '.*\.(sh|sbatch)|\./\.ci/run')
[ ${#files[@]} -gt 0 ] || { printf 'no shell script under %s\n' "$1" && exit 1; }
cd -- "$1"
exec "${2:-shellcheck}" --external-sources --format=gcc -- "${files[@]}"
