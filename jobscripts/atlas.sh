#!/usr/bin/env bash
# From a box of parameters to an answer for each hopper in it, and what that answer is worth.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/atlas.sh [-o DIR] [--points N] [--no-setup]

Installs missing packages, builds saltus, runs sweeps/atlas-small.yaml on all cores (1296 hoppers,
248 configs each) and writes into DIR (results/atlas):
  atlas.h5                           the cube, with the map of the best configs
  rules.txt                          the map as if-then rules
  sensitivity.txt, sensitivity-*.png which axes decide the work, the winner and its tolerance
  points.h5, answers.json            fresh points, six runs of each config at each, and the map's
                                     recommendations there
  regret.txt, regret.json, regret.png  the quality of its answers: calibration, and work
  report.html                        the answer for any hopper in the box, as one web page
Takes about two minutes on two idle cores. Can be run again at any time; results are replaced.

  -o DIR       another folder
  --points N   points at which advice is tried; 100 without it
  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

folder=results/atlas
points=100
setup=true
while [ $# -gt 0 ]; do
  case $1 in
    -o | --points)
      if [ $# -lt 2 ]; then
        printf 'atlas.sh: %s needs a value; see --help\n' "$1" >&2
        exit 2
      fi
      if [ "$1" = -o ]; then folder=$(realpath -m -- "$2"); else points=$2; fi
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'atlas.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
mkdir -p "$folder"
cube=$folder/atlas.h5

run sweeps/atlas-small.yaml -o "$cube"

printf '\n== rules, and which axes decide\n'
analysis/rules.py "$cube" | tee "$folder/rules.txt"
analysis/sensitivity.py "$cube" -o "$folder" | tee "$folder/sensitivity.txt"

printf '\n== what the answers are worth at %s fresh points\n' "$points"
mpirun -n "$ranks" "$saltus" regret "$cube" --points "$points" --seed 1 --solvers ode45,dop853,ode113,ode15s,radau5,rosnys4 \
  --strategies switch,event -o "$folder/points.h5" --force >"$folder/answers.json"
analysis/regret.py "$cube" "$folder/points.h5" "$folder/answers.json" -o "$folder"

printf '\n== report\n'
analysis/report.py "$cube" -o "$folder/report.html" --at b=1951,m1=1.88,k=22.8,f=0.051 --rules "$folder/rules.txt" \
  --regret "$folder/regret.json"

printf '\nDone. Everything is in %s\n' "$(realpath -- "$folder")"
