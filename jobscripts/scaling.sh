#!/usr/bin/env bash
# Strong and weak scaling on this machine: ranks x contacts, hoppers, or cycles.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/scaling.sh [--no-setup] STUDY[:CASE,..] DIR [CELLS [REPEATS]]

Installs missing packages, builds saltus and measures how a study's time falls with ranks and threads:
  hoppers     cells all over the box of the atlas (20000, three minutes of one core)
  contacts    a plate on 2, 32, 512 and 1024 springs, a series each; contacts:2,512 takes these alone (2000)
  stability   cycles of a powered hopper and their multipliers (2000)
on 1, 2, 4, .. ranks: the same cells for all (strong), as many for each (weak); and on 1, 2, 4, .. threads of one rank
(threads). CELLS are those of the whole in strong and threads, of a rank in weak. REPEATS (3) runs of each. DIR gets
  scaling.png   time and efficiency with the range of repeats, phases, the prediction of `saltus plan` dashed
  scaling.csv   its figures
  *.status, *.predicted, machine.json   what they are made from

  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     most MPI ranks; without it as many as there are cores

jobscripts/scaling.sbatch is the same for a cluster.
TEXT
}

setup=true
while [ $# -gt 0 ]; do
  case $1 in
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    -*) printf 'scaling.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
here=$PWD
# shellcheck source=jobscripts/scaling_runs.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/scaling_runs.sh"
read_study "$@"
folder=$(cd -- "$here" && realpath -- "$folder")

: "${SALTUS_RANKS:=$(env -u OMP_NUM_THREADS nproc)}"
# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
home=$PWD most=$ranks per_node=$ranks cpus=1 launcher=(mpirun)
# shellcheck disable=SC2034 # used by measure
[ "$ranks" -le "$cores" ] || launcher=(mpirun --oversubscribe)

measure_all
describe_machine 1 "$cores"
analysis/scaling.py "$folder"
