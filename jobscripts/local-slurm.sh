#!/usr/bin/env bash
# A real SLURM on this machine: slurmctld, some slurmd and a munged of their own, in a private folder.
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

usage() {
  cat <<'TEXT'
usage: jobscripts/local-slurm.sh start [--accounting] [NODES] | status | stop

Runs a SLURM for trying job scripts without a cluster. Needs neither systemd nor cgroups nor root; a SLURM or
munge that is there already is left alone. Missing packages are installed (setup.sh --slurm).

  eval "$(jobscripts/local-slurm.sh start)"   # exports SLURM_CONF and SALTUS_LOCAL_SLURM, the folder
  sbatch ...; squeue; ...
  jobscripts/local-slurm.sh stop              # cancels the jobs, ends the daemons, removes the folder

NODES is 1 to 4 (2). They are pretended: their cores and memory are those of this machine, each has
SALTUS_LOCAL_CPUS CPUs (default: 2). There are two partitions, main and short (an hour at most).

--accounting: with a slurmdbd and a MariaDB of their own in the folder, so that sacct lists jobs (installed by
setup.sh --accounting); some seconds more to start.
TEXT
}

fail() {
  printf 'local-slurm.sh: %s\n' "$1" >&2
  exit 1
}

# A pid is ours only while it began when it was noted: field 22 of /proc/PID/stat.
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
note() { printf '%s %s %s\n' "$1" "$2" "$(born "$2")" >>"$folder/pids"; }
is_ours() { [ -n "$2" ] && [ "$(born "$1")" = "$2" ]; }

wait_for() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

free_ports() { # how many; prints the first of so many free ports in a row
  python3 - "$1" <<'PYTHON'
import contextlib, random, socket, sys

wanted = int(sys.argv[1])
for _ in range(200):
    first = random.randrange(20000, 32000 - wanted)  # below the ports that connections get
    with contextlib.ExitStack() as held:
        try:
            for port in range(first, first + wanted):
                held.enter_context(socket.socket()).bind(("", port))
        except OSError:
            continue
    print(first)
    sys.exit(0)
sys.exit(1)
PYTHON
}

start_munged() {
  local m=$folder/munge
  mkdir "$m"
  (umask 077 && head -c 1024 /dev/urandom >"$m/key")
  munged --force --key-file="$m/key" --socket="$m/socket" --pid-file="$m/pid" --seed-file="$m/seed" \
    --log-file="$folder/log/munged.log" 2>"$folder/log/munged.err" </dev/null >&2 ||
    fail "munged: $(tail -n 3 "$folder/log/munged.err")"
  wait_for 120 test -s "$m/pid" || fail 'munged does not start'
  note munged "$(<"$m/pid")"
}

write_conf() { # PORT: of slurmctld; the nodes take those after it
  local host i
  host=$(hostname -s)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
$gather
PropagateResourceLimits=NONE
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdSpoolDir=$folder/spool.%n
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmdLogFile=$folder/log/slurmd.%n.log
SlurmdParameters=config_overrides
TmpFS=$folder/tmp.%n
TaskProlog=$folder/task_prolog
SwitchType=switch/none
ReturnToService=2
KillWait=5
MinJobAge=600
InactiveLimit=0
JobRequeue=1
CONF
  for ((i = 1; i <= nodes; i++)); do
    mkdir "$folder/spool.n$i"
    mkdir -m 1777 "$folder/tmp.n$i"
    printf 'NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=%d RealMemory=1024\n' \
      "$i" "$host" $(($1 + i)) "$cpus" >>"$folder/slurm.conf"
  done
  printf 'PartitionName=main Nodes=n[1-%d] Default=YES MaxTime=INFINITE DefaultTime=10\n' \
    "$nodes" >>"$folder/slurm.conf"
  printf 'PartitionName=short Nodes=n[1-%d] MaxTime=60 DefaultTime=5\n' "$nodes" >>"$folder/slurm.conf"
  # slurmd looks for the kind of cgroups there are, and dies where there are none; v1 is never touched.
  mkdir "$folder/cgroup"
  printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s/cgroup\nCgroupAutomount=no\n' "$folder" \
    >"$folder/cgroup.conf"
}

# Files of Open MPI in shared memory are named by host, user, job and local rank: those of two nodes
# on one machine would be the same, unless each node has a folder of its own.
write_prolog() {
  cat >"$folder/task_prolog" <<PROLOG
#!/bin/sh
own=$folder/tmp.\$SLURMD_NODENAME
echo export TMPDIR=\$own
# Not in the batch script: mpirun would carry the folder of its node to all others.
case \${SLURM_STEP_ID:-} in '' | 4294967291) exit 0 ;; esac
echo export OMPI_MCA_orte_tmpdir_base=\$own
echo export OMPI_MCA_btl_vader_backing_directory=\$own
echo export OMPI_MCA_osc_sm_backing_directory=\$own
PROLOG
  chmod 755 "$folder/task_prolog"
}

start_daemon() { # NAME COMMAND...
  local name=$1 log=$folder/log/$1.out
  shift
  "$@" >"$log" 2>&1 </dev/null || fail "$name: $(tail -n 3 "$log")"
  wait_for 120 test -s "$folder/$name.pid" || fail "$name does not start"
  note "$name" "$(<"$folder/$name.pid")"
}

# A database on a port of this machine with a password of its own, and the daemon in front of it.
start_accounting() { # PORT: of the daemon; the database has the next one
  local db=$folder/db password
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
  mkdir -m 700 "$db"
  mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$db/data" --auth-root-authentication-method=normal \
    --skip-test-db >"$folder/log/install-db.out" 2>&1 || fail "mariadb-install-db: $(tail -n 3 "$folder/log/install-db.out")"
  (umask 077 && cat >"$db/init.sql") <<SQL
CREATE USER slurm@'127.0.0.1' IDENTIFIED BY '$password';
GRANT ALL ON slurm.* TO slurm@'127.0.0.1';
SQL
  mariadbd --no-defaults --user="$(id -un)" --datadir="$db/data" --socket="$db/socket" --pid-file="$db/pid" \
    --bind-address=127.0.0.1 --skip-name-resolve --port=$(($1 + 1)) --init-file="$db/init.sql" --innodb-buffer-pool-size=64M \
    --innodb-log-file-size=16M --innodb-flush-log-at-trx-commit=0 --innodb-lock-wait-timeout=900 \
    >"$folder/log/mariadbd.log" 2>&1 </dev/null &
  wait_for 120 test -s "$db/pid" || fail "mariadbd: $(tail -n 3 "$folder/log/mariadbd.log")"
  note mariadbd "$(<"$db/pid")"
  (umask 077 && cat >"$folder/slurmdbd.conf") <<CONF
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
DbdHost=localhost
DbdPort=$1
SlurmUser=$(id -un)
PidFile=$folder/slurmdbd.pid
LogFile=$folder/log/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$(($1 + 1))
StorageUser=slurm
StoragePass=$password
StorageLoc=slurm
CONF
  start_daemon slurmdbd slurmdbd
  wait_for 120 sacctmgr -n show cluster || fail "slurmdbd: $(tail -n 3 "$folder/log/slurmdbd.log")"
  sacctmgr -i add cluster local >>"$folder/log/sacctmgr.out" 2>&1
  sacctmgr -i add account study Description=study Organization=local >>"$folder/log/sacctmgr.out" 2>&1
  sacctmgr -i add user "$(id -un)" Account=study >>"$folder/log/sacctmgr.out" 2>&1 ||
    fail "sacctmgr: $(tail -n 3 "$folder/log/sacctmgr.out")"
}

all_idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" -eq "$nodes" ]; }

start() { # [--accounting] [NODES]
  local programs=(slurmctld slurmd sinfo munged python3) port i
  gather=$'JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none'
  accounting=false
  if [ "${1:-}" = --accounting ]; then
    accounting=true
    programs+=(slurmdbd mariadbd)
    shift
  fi
  nodes=${1:-2}
  cpus=${SALTUS_LOCAL_CPUS:-2}
  [[ $nodes =~ ^[1-4]$ ]] || fail "$nodes nodes; 1 to 4 are allowed"
  [[ $cpus =~ ^[1-9][0-9]*$ ]] || fail "SALTUS_LOCAL_CPUS is $cpus; a whole number from 1 is expected"
  if ! hash "${programs[@]}" 2>/dev/null; then
    bash "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh" --slurm "$($accounting && echo --accounting || echo --slurm)" >&2
  fi
  port=$(free_ports $((nodes + 3))) || fail 'no free ports'
  folder=$(mktemp -d "${TMPDIR:-/tmp}/saltus-slurm.XXXXXX")
  chmod 755 "$folder"
  mkdir "$folder/state" "$folder/log"
  : >"$folder/pids"
  trap 'end_daemons; printf "local-slurm.sh: it did not start; see %s/log\n" "$folder" >&2' EXIT
  export SLURM_CONF=$folder/slurm.conf
  start_munged
  if $accounting; then
    gather=$(printf '%s\n' JobAcctGatherType=jobacct_gather/linux JobAcctGatherFrequency=task=1 \
      AccountingStorageType=accounting_storage/slurmdbd AccountingStorageHost=localhost "AccountingStoragePass=$folder/munge/socket" \
      "AccountingStoragePort=$((port + nodes + 1))")
  fi
  write_conf "$port"
  write_prolog
  if $accounting; then start_accounting $((port + nodes + 1)); fi
  start_daemon slurmctld slurmctld -c -f "$SLURM_CONF"
  for ((i = 1; i <= nodes; i++)); do
    start_daemon "slurmd.n$i" slurmd -f "$SLURM_CONF" -N "n$i"
  done
  wait_for 120 all_idle || fail "nodes are not idle: $(sinfo -h -N -o '%N %T %E' | tr '\n' ';')"
  trap - EXIT
  printf 'export SLURM_CONF=%q SALTUS_LOCAL_SLURM=%q\n' "$SLURM_CONF" "$folder"
}

no_job() { [ -z "$(timeout 60 squeue -h 2>/dev/null)" ]; }

cancel_jobs() { # else their steps would stay
  timeout 60 scontrol ping >/dev/null 2>&1 || return 0
  timeout 60 squeue -h -o %A 2>/dev/null | sort -u | xargs -r timeout 60 scancel -f 2>/dev/null || true
  wait_for 60 no_job || true
}

end_group() { # PATTERN of names
  local name pid when
  while read -r name pid when; do
    # shellcheck disable=SC2254 # a pattern it is
    case $name in $1) ! is_ours "$pid" "$when" || kill -TERM "$pid" ;; esac
  done <"$folder/pids"
  while read -r name pid when; do
    # shellcheck disable=SC2254
    case $name in $1) ;; *) continue ;; esac
    gone() { ! is_ours "$pid" "$when"; }
    wait_for 60 gone || kill -KILL "$pid"
  done <"$folder/pids"
}

end_daemons() {
  end_group 'slurm?[!b]*' # slurmctld and slurmd.*, which speak to slurmdbd
  end_group slurmdbd
  end_group mariadbd
  end_group munged # the others speak through it
}

of_ours() {
  folder=${SALTUS_LOCAL_SLURM:-}
  [ -n "$folder" ] || fail 'SALTUS_LOCAL_SLURM is not set; set it to the folder that "start" prints'
  [ -f "$folder/pids" ] || fail "$folder: contains no SLURM of this script"
  export SLURM_CONF=$folder/slurm.conf
}

status() {
  local name pid when bad=0
  while read -r name pid when; do
    if is_ours "$pid" "$when"; then
      printf '%-12s %7d up\n' "$name" "$pid"
    else
      printf '%-12s %7d DOWN\n' "$name" "$pid"
      bad=1
    fi
  done <"$folder/pids"
  timeout 60 sinfo -N
  timeout 60 squeue
  return $bad
}

case ${1:-} in
  start) start "${@:2}" ;;
  status) of_ours && status ;;
  stop)
    of_ours
    cancel_jobs
    end_daemons
    rm -rf "$folder"
    ;;
  --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
