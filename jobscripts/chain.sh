#!/usr/bin/env bash
# A sweep and what it answers, as SLURM jobs of which one waits for the other.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/chain.sh SWEEP.yaml OUT.h5 DIR [OPTION of sbatch for the sweep]...

Submits sweep.sbatch, which makes OUT.h5 however many time limits it takes, and answers.sbatch, which begins when that has
ended well: DIR/rules.txt and DIR/report.html. From any folder; prints the numbers of both jobs. Where the sweep fails
the second job goes, too; submit again, and what is finished is not run twice.

  jobscripts/chain.sh sweeps/atlas.yaml results/atlas.h5 results/atlas --nodes=16 --ntasks-per-node=64
TEXT
}

case ${1:-} in --help | -h) usage; exit 0 ;; esac
[ $# -ge 3 ] || { usage >&2; exit 2; }
home=${SALTUS_HOME:-$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)}
sweep=$(sbatch --parsable "${@:4}" "$home/jobscripts/sweep.sbatch" "$1" "$2")
answers=$(sbatch --parsable --dependency="afterok:$sweep" --kill-on-invalid-dep=yes "$home/jobscripts/answers.sbatch" "$2" "$3")
printf 'job %s runs %s, job %s waits for it\n' "$sweep" "$1" "$answers"
