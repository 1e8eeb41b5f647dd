# Functions of scaling.sh and scaling.sbatch: the studies, their runs, their pictures. To be sourced, with $home, the checkout;
# $saltus; $launcher, what starts ranks; $most, ranks there may be, $per_node of them on a node, $cpus of each.
# shellcheck shell=bash disable=SC2154 # they are assigned by those who source this

studies='hoppers contacts stability'

study_fail() {
  printf 'scaling: %s\n' "$1" >&2
  exit 2
}

# read_study STUDY[:CASE,..] DIR [CELLS [REPEATS]]: into study, cases, folder, cells, repeats.
read_study() {
  [[ $# =~ ^[234]$ ]] || study_fail "usage: STUDY DIR [CELLS [REPEATS]]; studies: $studies"
  study=${1%%:*} folder=$2 repeats=${4:-3}
  case $study in
    hoppers) cases=monopod cells=20000 ;;
    contacts) cases=2,32,512,1024 cells=2000 ;;
    stability) cases=cycles cells=2000 ;;
    *) study_fail "$study: no such study; allowed: $studies" ;;
  esac
  case $1 in
    contacts:*) cases=${1#*:} ;;
    *:*) study_fail "$1: $study has no cases to choose from" ;;
  esac
  cells=${3:-$cells}
  [[ "$cells $repeats" =~ ^[1-9][0-9]*\ [1-9][0-9]*$ ]] || study_fail "CELLS $cells, REPEATS $repeats: whole numbers are expected"
  [[ $cases =~ ^[a-z]+$|^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || study_fail "cases $cases: numbers of contacts are expected, as in contacts:2,512"
  cases=${cases//,/ }
  mkdir -p "$folder"
  if [ -n "$(find "$folder" -name '*.status' -print -quit)" ]; then
    study_fail "$folder: there are measurements already; remove them, or take another folder"
  fi
}

axes_of() { # CASE POINTS
  case $study in
    hoppers) printf '[{columns: [b, m1, k, f], points: %s, sobol: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]' "$2" ;;
    contacts) printf '[{name: n, list: [%s]}, {columns: [z, th], points: %s, sobol: [[2, 3], [-0.1, 0.1]]}]' "$1" "$2" ;;
    stability) printf '[{columns: [zeta_F, zeta_G], points: %s, sobol: [[0, 0.2], [-0.05, -0.01]]}]' "$2" ;;
  esac
}

measure() { # SERIES CASE RANKS THREADS CELLS REPEAT
  local name=$folder/$1-$2-$3x$4-$6 place=()
  if [ "${launcher[0]}" = srun ]; then # nodes are filled one after another
    place=("--nodes=$((($3 + per_node - 1) / per_node))" "--cpus-per-task=$4" --distribution=block)
  fi
  OMP_NUM_THREADS=$4 "${launcher[@]}" -n "$3" "${place[@]}" "$saltus" run "$home/sweeps/scaling/$study.yaml" \
    --quiet --force -o "$name.h5" --status "$name.status" --set "cells.axes=$(axes_of "$2" "$5")"
  [ "$1-$6" = one-1 ] || rm "$name.h5"
}

# Predicts the other runs from that of one rank and one thread, before they are measured.
predict() { # SERIES CASE RANKS THREADS SCALE
  "$saltus" plan "$folder/one-$2-1x1-1.h5" --json --ranks "$3" --threads "$4" --scale "$5" --ranks-per-node "$per_node" \
    >"$folder/$1-$2-$3x$4.predicted"
}

# The run of one rank and one thread belongs to all three series.
measure_one() { # CASE REPEAT
  local series
  measure one "$1" 1 1 "$cells" "$2"
  for series in strong weak threads; do
    cp "$folder/one-$1-1x1-$2.status" "$folder/$series-$1-1x1-$2.status"
    [ "$2" -gt 1 ] || predict $series "$1" 1 1 1
  done
  rm "$folder/one-$1-1x1-$2.status"
}

sizes_above_one() { # MOST: 2, 4, .. and MOST itself
  local n
  for ((n = 2; n < $1; n *= 2)); do echo $n; done
  [ "$1" -eq 1 ] || echo "$1"
}

measure_series() { # CASE REPEAT
  local n
  for n in $(sizes_above_one "$most"); do
    [ "$2" -gt 1 ] || predict strong "$1" "$n" 1 1
    [ "$2" -gt 1 ] || predict weak "$1" "$n" 1 "$n"
    measure strong "$1" "$n" 1 "$cells" "$2"
    measure weak "$1" "$n" 1 $((cells * n)) "$2"
  done
  for n in $(sizes_above_one $((per_node * cpus))); do
    [ "$2" -gt 1 ] || predict threads "$1" 1 "$n" 1
    measure threads "$1" 1 "$n" "$cells" "$2"
  done
}

# Sizes and cases by turns: what slows the machine for a while slows them all.
measure_all() {
  local repeat one
  for ((repeat = 1; repeat <= repeats; repeat++)); do
    for one in $cases; do
      measure_one "$one" $repeat
      measure_series "$one" $repeat
    done
  done
  rm "$folder"/one-*-1x1-1.h5
}

# describe_machine NODES CORES: for the picture's foot.
describe_machine() {
  local cpu version
  cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr -d '"')
  version=$("$saltus" --version | sed -n -e 's/^saltus /saltus /p' -e 's/^ *commit *\(.\{12\}\).*/commit \1/p' | paste -sd, | sed 's/,/, /')
  printf '{"study": "%s", "cpu": "%s", "nodes": %s, "cores": %s, "program": "%s"}\n' \
    "$study" "${cpu:-no name}" "$1" "$2" "$version" >"$folder/machine.json"
}
