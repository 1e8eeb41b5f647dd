#!/usr/bin/env bash
# From a fresh checkout to the tables and pictures of the monopod study.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/quickstart.sh [--no-setup]

Installs missing packages, builds saltus, runs sweeps/dallas2017.yaml on all cores and writes into
results/:
  dallas2017.h5            the cube: every config on every cell
  dallas2017_tables.txt    the point tables
  points.png               points of each method by tolerance, criterion and strategy
  trajectory.png           one flight after another, and the error of one config
  ode45_event.h5, reference.h5   the two trajectories in that picture
Can be run again at any time; results are replaced.

  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

setup=true
for argument in "$@"; do
  case $argument in
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'quickstart.sh: unknown option %s; see --help\n' "$argument" >&2; exit 2 ;;
  esac
done

# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
mkdir -p results

run sweeps/dallas2017.yaml -o results/dallas2017.h5

if [ -z "$python" ]; then
  printf '\nNo python3 here has xarray, h5netcdf and matplotlib: tables and pictures are left out. The cube is there:\n'
  "$saltus" info results/dallas2017.h5
  exit 1
fi
printf '\n== tables\n'
"$python" analysis/dallas_tables.py results/dallas2017.h5 | tee results/dallas2017_tables.txt

# The realistic monopod of the study: one coarse configuration, and what it should have found.
trajectory() { # METHOD TOLERANCE FILE
  rm -f "$3"
  "$saltus" trajectory --model monopod --solver "$1" --strategy event --rtol "$2" --atol "$2" \
    --param b=1951,m1=1.88,k=22.8,f=0.051 --initial y1=0.5,v1=0,y2=1.5,v2=0 \
    --t-end 50 --dt 0.01 -o "$3"
}
printf '\n== trajectories and pictures\n'
trajectory ode45 1e-3 results/ode45_event.h5
trajectory dop853 1e-13 results/reference.h5
"$python" analysis/dallas.py results/dallas2017.h5 -o results \
  --trajectory results/ode45_event.h5 --reference results/reference.h5

cat <<TEXT

Done. In $PWD:
  results/dallas2017.h5           the cube      ($saltus info results/dallas2017.h5)
  results/dallas2017_tables.txt   its tables    (beside the published ones: analysis/dallas_tables.py --paper-fit ...)
  results/points.png              its picture
  results/trajectory.png          one config against the reference
All commands: $saltus --help
TEXT
