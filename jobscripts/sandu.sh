#!/usr/bin/env bash
# The study of stiff multibody systems: four tables of its paper, ours beside the paper's.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/sandu.sh [--full] [-o DIR] [--no-setup]

Installs missing packages, builds saltus, runs the stiff double pendulum and the 14-body vehicle of
Sandu, Negrut, Haug, Potra, Sandu (CSTR-01-06) and writes into DIR (results/sandu):
  angles.h5, cartesian.h5         the pendulum in its angles, and in coordinates that are chosen anew
  implicit-1.h5 .. implicit-4.h5  the vehicle over the bump by rosnys4, for 1 to 4 s
  explicit-0.05.h5                the same by ode113, for 0.05 s
  tables.txt                      errors of the pendulum (Tables 1, 2), CPU time of the vehicle, explicit
                                  and implicit (Tables 3, 4), steps and evaluations, chassis height
Takes about a minute on two idle cores. Can be run again at any time; results are replaced.

  --full       the explicit method for 1 to 4 s as well (explicit-1.h5 ..): about half an hour
  -o DIR       another folder
  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

folder=results/sandu
spans=(0.05)
setup=true
while [ $# -gt 0 ]; do
  case $1 in
    --full) spans=(0.05 1 2 3 4) ;;
    -o)
      if [ $# -lt 2 ]; then
        printf 'sandu.sh: -o needs a folder; see --help\n' >&2
        exit 2
      fi
      folder=$(realpath -m -- "$2")
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'sandu.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
mkdir -p "$folder"

run sweeps/double-pendulum.yaml -q -o "$folder/angles.h5"
run sweeps/double-pendulum.yaml -q -o "$folder/cartesian.h5" \
  --set model=models/double-pendulum-cartesian.yaml
for span in 1 2 3 4; do
  run sweeps/vehicle.yaml -q -o "$folder/implicit-$span.h5" --set t_end=$span
done
for span in "${spans[@]}"; do # no errors are taken from these: a reference that costs little
  run sweeps/vehicle.yaml -q -o "$folder/explicit-$span.h5" --set t_end="$span" \
    --set 'solvers=[ode113]' --set timing.repeats=1 --set reference_tolerance=1e-3 \
    --set store.trajectories=none
done

printf '\n== tables\n'
analysis/sandu.py "$folder" | tee "$folder/tables.txt"
printf '\nDone. Everything is in %s\n' "$(realpath -- "$folder")"
