#!/usr/bin/env bash
# From a box of parameters to an answer for each hopper in it, and what that answer is worth.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/atlas.sh [-o DIR] [--points N] [--no-setup]

Installs missing packages, builds saltus, runs sweeps/atlas-small.yaml on all cores (1296 hoppers,
264 contenders each) and writes into DIR (results/atlas):
  atlas.h5                           the cube, with the map of the best contenders
  rules.txt                          the map as if-then rules
  sensitivity.txt, sensitivity-*.png which axes decide the work, the winner and its tolerance
  points.h5, regret.txt, regret.json what it costs to follow the map, at points off its grid, and
                                     what even a far finer map could not say
  report/index.html                  all of it as one web page, with pictures
Takes about two minutes on two idle cores. Can be run again at any time; results are replaced.

  -o DIR       another folder
  --points N   points at which advice is tried; 200 without it
  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

folder=results/atlas
points=200
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
"$saltus" rules "$cube" | tee "$folder/rules.txt"
analysis/sensitivity.py "$cube" -o "$folder" | tee "$folder/sensitivity.txt"

printf '\n== regret at %s points off the grid\n' "$points"
mpirun -n "$ranks" "$saltus" regret "$cube" --points "$points" --seed 1 --replicates -o "$folder/points.h5" --force \
  | tee "$folder/regret.txt"
"$saltus" regret "$cube" --from "$folder/points.h5" --replicates --json >"$folder/regret.json"

printf '\n== report\n'
analysis/report.py "$cube" -o "$folder/report" --saltus "$saltus" --rules "$folder/rules.txt" --regret "$folder/regret.json"

printf '\nDone. Everything is in %s\n' "$(realpath -- "$folder")"
