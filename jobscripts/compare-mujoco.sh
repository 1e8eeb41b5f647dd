#!/usr/bin/env bash
# Plate and hopper, saltus beside MuJoCo: cost, error, marginal cost of a contact.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/compare-mujoco.sh [--quick] [-o FILE.csv] [--no-setup]

Installs missing packages (MuJoCo among them), builds the two programs of tests/bench/mujoco, runs
them by turns on one core and prints tables side by side: times, errors and marginal cost on a plate
that lands on 2 to 512 springs, and the hopper. The last table of the plate says which targets are
met and which are MISSED; the exit status does not. Takes about four minutes on an idle machine.

  --quick      2, 16 and 128 contacts only: one minute
  -o FILE.csv  keep every measurement; print it again with tests/bench/mujoco/compare.py --read FILE.csv
  --no-setup   do not look for missing packages
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
        printf 'compare-mujoco.sh: -o needs a file; see --help\n' >&2
        exit 2
      fi
      options+=(-o "$(realpath -m -- "$2")")
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'compare-mujoco.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $setup; then bash jobscripts/setup.sh --mujoco; fi

cmake --preset release
cmake --build --preset release --target bench_plate bench_mujoco
printf '\n'
exec /usr/bin/python3 -B tests/bench/mujoco/compare.py build/release "${options[@]}"
