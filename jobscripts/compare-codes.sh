#!/usr/bin/env bash
# The monopod ensemble, saltus beside SUNDIALS, PETSc, Boost.odeint and SciPy: throughput at equal error.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/compare-codes.sh [--quick] [-o FILE.csv] [--no-setup] [-- OPTION...]

Installs missing packages (the other codes among them), builds the programs of tests/bench/ensemble,
runs them by turns on one core and prints trajectories per second, time at equal error and ratios.
The last table says which targets are met and which are MISSED; the exit status does not. Takes up
to a quarter of an hour; rounds are repeated as far as that allows.

  --quick      fewer rows for the slow codes, fewer tolerances: three minutes
  -o FILE.csv  keep every measurement; print it again with tests/bench/ensemble/compare.py --read FILE.csv
  --no-setup   do not look for missing packages; a code that is not there is left out
  -- OPTION... for compare.py: --every, --rows N, --only CODE,..., --core N
  --help       this text
TEXT
}

options=()
setup=true
while [ $# -gt 0 ]; do
  case $1 in
    --quick) options+=(--quick) ;;
    -o)
      if [ $# -lt 2 ]; then
        printf 'compare-codes.sh: -o needs a file; see --help\n' >&2
        exit 2
      fi
      options+=(-o "$(realpath -m -- "$2")")
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    --) shift; options+=("$@"); break ;;
    *) printf 'compare-codes.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $setup; then bash jobscripts/setup.sh --codes; fi
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh

cmake --preset release
cmake --build --preset release --target bench_hop
printf '\n'
exec /usr/bin/python3 -B tests/bench/ensemble/compare.py build/release "${options[@]}"
