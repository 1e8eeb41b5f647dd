#!/usr/bin/env bash
# Saltus beside SUNDIALS, PETSc, Boost.odeint, SciPy and MuJoCo at equal error, and what sweeps cost: one table.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/compare.sh [-o FILE.csv] [--no-setup] [-- OPTION...]

Installs missing packages (the other codes among them), builds the programs of tests/bench, runs
them by turns on one core and prints time at equal error, ratios, targets and the CPU time of a
sweep. Less than ten minutes, on a busy machine too: what did not fit is said at the end. The
exit status does not say whether targets are met.

  -o FILE.csv  keep every measurement; print it again with tests/bench/compare.py --read FILE.csv
  --no-setup   do not look for missing packages; a code that is not there is left out
  -- OPTION... for compare.py: --minutes M, --only NAME,..., --whole, --every, --core N
  --help       this text
TEXT
}

options=()
setup=true
while [ $# -gt 0 ]; do
  case $1 in
    -o)
      if [ $# -lt 2 ]; then
        printf 'compare.sh: -o needs a file; see --help\n' >&2
        exit 2
      fi
      options+=(-o "$(realpath -m -- "$2")")
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    --) shift; options+=("$@"); break ;;
    *) printf 'compare.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $setup; then bash jobscripts/setup.sh --if-possible --codes --mujoco; fi
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh

cmake --preset release
cmake --build --preset release --target bench
printf '\n'
exec /usr/bin/python3 -B tests/bench/compare.py build/release "${options[@]}"
