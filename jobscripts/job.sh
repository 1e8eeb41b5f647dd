# Functions of the job scripts for SLURM, which source this file. They set `home`, the checkout or PREFIX/share/saltus.
# shellcheck shell=bash
#
#   SALTUS            the program (build/release/saltus of the checkout, or that installed beside it)
#   SALTUS_LAUNCHER   what starts the ranks (srun --wait=45); mpirun where srun and MPI do not go together
#   SALTUS_RESTARTS   how often a job puts itself back into the queue at most (100)
#   SALTUS_SETUP      a line of shell that each job runs first, such as: module load gcc openmpi hdf5
#
# SALTUS_MERGE_OPTIONS (array.sbatch): options of sbatch for the job that merges, beside those of the array.


job_fail() {
  printf '%s: %s\n' "$SLURM_JOB_NAME" "$1" >&2
  exit 2
}

if [ -n "${SALTUS_SETUP:-}" ]; then
  set +eu # modules need not be written for them
  type module >/dev/null 2>&1 || . /etc/profile # a job without the environment of submission has no modules
  eval "$SALTUS_SETUP" || job_fail "SALTUS_SETUP has failed: $SALTUS_SETUP"
  set -eu
fi
# shellcheck source=jobscripts/env.sh
. "${home:?}/jobscripts/env.sh"
saltus=${SALTUS:-$home/build/release/saltus}
[ -x "$saltus" ] || saltus=$home/../../bin/saltus # installed: home is PREFIX/share/saltus
# A rank that dies takes the others with it 45 s later. At once would be too soon: ranks that a signal has
# stopped leave one after another, each with 85, and one that is killed then has another status. After a minute the
# others would take its host for lost, and the job would go back into the queue to have it killed again.
# shellcheck disable=SC2034 # used by those who source this
read -ra launcher <<<"${SALTUS_LAUNCHER:-srun --kill-on-bad-exit=0 --wait=45}"
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}
export SLURM_EXPORT_ENV=ALL # after sbatch --export=NONE srun would give the ranks none of these variables
export SRUN_CPUS_PER_TASK=$OMP_NUM_THREADS # srun does not inherit it since SLURM 22.05
# As SLURM does it otherwise (a ring for data, a tree for barriers), a busy rank may get the first message of another one
# while it is still in MPI_Init, where Open MPI 4 crashes.
export SLURM_PMIX_FENCE=${SLURM_PMIX_FENCE:-tree}
[ -x "$saltus" ] || job_fail "$saltus: no such program; build it, or set SALTUS_HOME or SALTUS"

# CPUs that a job has and no thread uses are in its bill all the same.
report_idle() {
  local given=0 part tasks=${SLURM_NTASKS:-${SLURM_JOB_NUM_NODES:-1}} used per_core=1
  for part in $(tr , " " <<<"${SLURM_JOB_CPUS_PER_NODE:-}"); do # 64(x15),32: CPUs of a node, in brackets how many nodes
    [[ $part =~ ^([0-9]+)(\(x([0-9]+)\))?$ ]] || return 0
    given=$((given + BASH_REMATCH[1] * ${BASH_REMATCH[3]:-1}))
  done
  # SLURM counts hardware threads; without them a task has whole cores.
  [ "${SLURM_HINT:-}" != nomultithread ] ||
    per_core=$(scontrol show node "$SLURMD_NODENAME" | sed -n 's/.* ThreadsPerCore=\([0-9]*\).*/\1/p' || true)
  used=$((tasks * OMP_NUM_THREADS * ${per_core:-1}))
  [ $used -ge $given ] || printf '%s: uses %s of the %s CPUs that it has (%s ranks x %s threads); %s\n' "$SLURM_JOB_NAME" $used $given \
    "$tasks" "$OMP_NUM_THREADS" '--ntasks-per-node=N, one for each core of a node, uses them all'
}
report_idle

# run_job COMMAND...: its exit status is in `status`. SIGUSR1 is handed on to it, and so is SIGTERM, but as a SIGUSR1:
# mpirun ends with 1 of a SIGTERM and kills its ranks a second later, while of a SIGUSR1 these stop with 85, in 2 s.
run_job() {
  local pid='' signals=0 before
  terminated=no
  trap 'signals=$((signals + 1)); [ -z "$pid" ] || kill -USR1 "$pid" 2>/dev/null || true' USR1
  trap 'terminated=yes; signals=$((signals + 1)); [ -z "$pid" ] || kill -USR1 "$pid" 2>/dev/null || true' TERM
  "$@" &
  pid=$!
  [ $signals -eq 0 ] || kill -USR1 $pid # it came before there was a pid
  while :; do
    before=$signals
    status=0
    wait $pid || status=$?
    [ $signals -ne "$before" ] || break # a signal ends `wait` too, with a status of its own
  done
  # shellcheck disable=SC2064
  trap "${at_rest:--}" USR1 # what a signal does afterwards, where the job has set that
  trap - TERM
  # A signal that comes while a rank is still being loaded kills it: nothing was begun.
  case $signals:$status in [1-9]*:138 | [1-9]*:143) status=85 ;; esac
  # mpirun ends with this when a host does not answer any more (env.sh).
  case ${launcher[0]##*/}:$status in mpirun:205 | mpiexec:205) status=85 ;; esac
}

# Ends the job with `status`. One that SLURM terminates, since it was cancelled, say, is not put back. A run that a signal or a lost host has stopped (85) goes back into the queue: the
# same job, which finds the journals and goes on. Any other failure is reported in the log's last line; srun and MPI
# have printed its details before.
end_job() {
  local id=$SLURM_JOB_ID
  # Requeue only this task of an array: the plain number may be that of the whole array.
  [ -z "${SLURM_ARRAY_JOB_ID:-}" ] || id=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
  case $status in
    0) exit 0 ;;
    85) ;;
    2 | 3) # its own message stands above: the sweep file, an output that exists already
      printf 'job %s: ended with %s; what is finished is kept; submit again when that is mended\n' "$id" "$status"
      exit "$status"
      ;;
    *)
      printf 'job %s: ended with %s; what is finished is kept; submit again\n' "$id" "$status"
      exit "$status"
      ;;
  esac
  if [ "$terminated" = yes ]; then
    printf 'job %s: terminated; what is finished is kept; submit again\n' "$id"
    exit 85
  fi
  local restarts=${SLURM_RESTART_COUNT:-0} # it is not there at first
  if [ "$restarts" -ge "${SALTUS_RESTARTS:-100}" ]; then
    printf 'job %s: stopped, after %s restarts; what is finished is kept; submit again\n' "$id" "$restarts"
    exit 85
  fi
  printf 'job %s: stopped, goes back into the queue\n' "$id"
  scontrol requeue "$id" || printf 'job %s: it cannot; what is finished is kept; submit again\n' "$id"
  exit 85
}
