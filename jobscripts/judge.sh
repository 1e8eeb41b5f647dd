#!/usr/bin/env bash
# The answers of maps and of advise, judged on all built-in models and ten texts: one table (analysis/judge.py).
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/judge.sh DIR [OPTION...]

Builds the release preset where SALTUS names no program, then runs analysis/judge.py, whose
sweeps, cubes, answers and table go to DIR.

  OPTION  of analysis/judge.py: --seed N, --cells N, --points N, --only NAME,.., --small
  --help  this text
TEXT
}

case ${1:---help} in
  --help | -h) usage; exit 0 ;;
  -*) printf 'judge.sh: DIR comes first; see --help\n' >&2; exit 2 ;;
esac
folder=$(realpath -m -- "$1")
shift
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
if [ -z "${SALTUS:-}" ]; then
  cmake --preset release
  cmake --build --preset release --target saltus
  export SALTUS=$PWD/build/release/saltus
fi
exec /usr/bin/python3 -B analysis/judge.py -o "$folder" "$@"
