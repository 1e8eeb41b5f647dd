#!/usr/bin/env bash
# Strong and weak scaling on this machine: ranks x contacts, hoppers, or cycles.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/scaling.sh [--no-setup] [--base RANKS] STUDY[:CASE,..] DIR [CELLS [REPEATS]]

Installs missing packages, builds saltus and measures how a study's time falls with ranks and threads:
  hoppers     cells all over the box of the atlas (20000, three minutes of one core)
  contacts    a plate on 2, 32, 512 and 1024 springs, a series each; contacts:2,512 takes these alone (2000)
  stability   cycles of a powered hopper and their multipliers (2000)
  SWEEP.yaml  any sweep, with the cells that it has; the weak series takes an axis whose points differ in number from the others';
              sweeps/impact-row.yaml:n=2,8,32 has a series for each of these values of the axis {name: n, list: [..]}
on 1, 2, 4, .. ranks: the same cells for all (strong), as many for each (weak); and on 1, 2, 4, .. threads of one rank
(threads). CELLS are those of the whole in strong and threads, of the smallest run in weak (-: of the study). REPEATS (3) runs
of each. It prints first what all runs take. Given again it goes on where it was stopped. DIR gets
  scaling.png   time and efficiency with the range of repeats, phases, the prediction of `saltus plan` dashed
  scaling.csv   its figures
  *.status, *.predicted, machine.json   what they are made from
  *.h5, study, bill   cubes of the smallest runs, and what a second start compares and prints

  --base RANKS  the smallest run of each series, where one core would take too long (1)
  --no-setup    do not look for missing packages
  --help        this text

environment:
  SALTUS_RANKS     most MPI ranks; without it as many as there are cores

jobscripts/scaling.sbatch is the same for a cluster.
TEXT
}

setup=true
while [ $# -gt 0 ]; do
  case $1 in
    --no-setup) setup=false ;;
    --base | --base=*) break ;;
    --help | -h) usage; exit 0 ;;
    -*) printf 'scaling.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
here=$PWD
home=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=jobscripts/scaling_runs.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/scaling_runs.sh"
read_study "$@"
folder=$(cd -- "$here" && realpath -- "$folder") sweep=$(cd -- "$here" && realpath -- "$sweep")

: "${SALTUS_RANKS:=$(env -u OMP_NUM_THREADS nproc)}"
# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
saltus=$home/$saltus most=$ranks per_node=$ranks cpus=1 launcher=(mpirun)
# shellcheck disable=SC2034 # used by measure
[ "$ranks" -le "$cores" ] || launcher=(mpirun --oversubscribe)
run_job() { status=0 && "$@" || status=$?; }

begin_study 0
measure_all
draw 1 "$cores"
exit "$status"
