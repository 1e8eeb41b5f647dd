#!/usr/bin/env bash
# Everything with everything: all models, methods and strategies there are, and how each run ends.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/zoo.sh [--models A,B] [--widths] [-o DIR] [--no-setup] [-- OPTION...]

Installs missing packages, builds saltus, runs sweeps/zoo.yaml for every model that it has, with all
methods and strategies that go together, and writes into DIR (results/zoo):
  MODEL.h5       the cube of a model, on its presets, to the end of its default span
  outcomes.txt   how the runs ended: a table model x strategy x method, and every run that failed
Ends with 1 where a run failed. Takes about a quarter of a minute on two idle cores. Can be run again at
any time; results are replaced.

  --models A,B   these models only
  --widths       run all of it at 1, 4 and 8 lanes, and compare the cubes bit by bit; a width that
                 the CPU lacks runs at the widest that it has
  -o DIR         another folder
  --no-setup     do not look for missing packages
  --help         this text
  -- OPTION...   for `saltus run`: -- --set 'rtol=[1e-9]'

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

models=
widths=(0)
folder=results/zoo
setup=true
more=()
while [ $# -gt 0 ]; do
  case $1 in
    -o | --models)
      if [ $# -lt 2 ]; then
        printf 'zoo.sh: %s needs a value; see --help\n' "$1" >&2
        exit 2
      fi
      if [ "$1" = -o ]; then folder=$(realpath -m -- "$2"); else models=$2; fi
      shift
      ;;
    --widths) widths=(0 1 4 8) ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    --) more=("${@:2}"); break ;;
    *) printf 'zoo.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
mkdir -p "$folder"

# A line of `saltus list models` that does not begin with a blank is that of a model.
[ -n "$models" ] || models=$("$saltus" list models | awk '/^[^ ]/ { print $1 }' | paste -sd,)
failed=0
for model in ${models//,/ }; do
  for width in "${widths[@]}"; do
    if [ "$width" = 0 ]; then cube=$folder/$model.h5; else cube=$folder/widths/$model-$width.h5; fi
    mkdir -p "${cube%/*}"
    run sweeps/zoo.yaml --set "model=$model" --set "width=$width" -q "${more[@]}" -o "$cube"
    [ "$width" = 0 ] || "$saltus" diff "$folder/$model.h5" "$cube" || failed=1
  done
done

analysis/zoo.py "$folder" | tee "$folder/outcomes.txt" || failed=1
printf '\nDone. Everything is in %s\n' "$(realpath -- "$folder")"
exit $failed
