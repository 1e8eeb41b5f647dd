# Functions of scaling.sh and scaling.sbatch: the studies, their runs, their pictures. To be sourced, with $home, the checkout;
# $saltus; $launcher, what starts ranks; $most, ranks there may be, $per_node of them on a node, $cpus of each.
# shellcheck shell=bash disable=SC2154 # they are assigned by those who source this

studies='hoppers contacts stability, or a file SWEEP.yaml[:NAME=N,..]'

study_fail() {
  printf 'scaling: %s\n' "$1" >&2
  exit 2
}

# read_study [--base RANKS] STUDY[:CASE,..] DIR [CELLS [REPEATS]]: into base, study, sweep, count (what the numbers of cases are of; empty:
# nothing of the user's sweep), cases, folder, cells (empty: those of the file), repeats.
read_study() {
  base=1 count='' own=no
  case ${1:-} in
    --base) base=${2:-} && shift 2 ;;
    --base=*) base=${1#--base=} && shift ;;
  esac
  [[ $# =~ ^[234]$ ]] || study_fail "usage: [--base RANKS] STUDY DIR [CELLS [REPEATS]]; studies: $studies"
  study=${1%%:*} folder=$2 repeats=${4:-3} cells=2000
  sweep=$home/sweeps/scaling/$study.yaml
  case $1 in
    hoppers) cases=monopod cells=20000 ;;
    contacts) cases=2,32,512,1024 ;;
    contacts:*) cases=${1#*:} ;;
    stability) cases=cycles ;;
    *.yaml | *.yml | *.yaml:?*=* | *.yml:?*=*)
      sweep=$1 cases=sweep cells='' own=yes
      if [[ $1 =~ ^(.*):([A-Za-z_0-9]+)=(.*)$ ]]; then sweep=${BASH_REMATCH[1]} count=${BASH_REMATCH[2]} cases=${BASH_REMATCH[3]}; fi
      [ -r "$sweep" ] || study_fail "$sweep: no such file"
      [ -z "${3:-}" ] || [ "$3" = - ] || study_fail "CELLS $3: a sweep of one's own has its cells in the file; write - for them"
      study=$(basename "$sweep" | tr -c 'A-Za-z0-9._\n' _)
      ;;
    hoppers:* | stability:*) study_fail "$1: $study has no cases to choose from" ;;
    *) study_fail "$study: no such study; allowed: $studies" ;;
  esac
  [ -z "$cells" ] || [ "${3:--}" = - ] || cells=$3
  [[ "${cells:-1} $repeats $base" =~ ^[1-9][0-9]*\ [1-9][0-9]*\ [1-9][0-9]*$ ]] ||
    study_fail "CELLS $cells, REPEATS $repeats, RANKS $base: whole numbers are expected"
  [[ $cases =~ ^[a-z]+$|^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || study_fail "cases $cases: numbers of contacts are expected, as in contacts:2,512"
  cases=${cases//,/ }
}

# The text of the sweep's axes.
axes_text() {
  awk '
    /^ *(#.*)?$/ { next }
    inside { match($0, /^ */); if (RLENGTH < indent || (RLENGTH == indent && substr($0, RLENGTH + 1, 1) != "-")) exit; print; next }
    /^ *axes: *(#.*)?$/ { match($0, /^ */); indent = RLENGTH; inside = 1 }
    /^ *axes: *\[/ { sub(/^ *axes: */, ""); print; exit }' "$sweep"
}

# Finds the axis whose number of points, into varied, can be doubled; whole quantities may not have so many.
find_varied() {
  for varied in $(axes_text | grep -o 'points: *[0-9]*' | grep -o '[0-9]*$' | sort -rnu); do
    options_of "${cases%% *}" $((2 * cells))
    [ "$(cells_of "${options[@]}" 2>/dev/null || true)" != $((2 * cells)) ] || return 0
  done
  return 1
}

# options_of CASE CELLS: into options, how the sweep is given so many cells.
options_of() {
  local axes
  options=()
  case $study in
    hoppers) axes="[{columns: [b, m1, k, f], points: $2, sobol: [[550, 38000], [0.8, 20], [1, 480], [0.01, 0.3]]}]" ;;
    contacts) axes="[{name: n, list: [$1]}, {columns: [z, th], points: $2, sobol: [[2, 3], [-0.1, 0.1]]}]" ;;
    stability) axes="[{columns: [zeta_F, zeta_G], points: $2, sobol: [[0, 0.2], [-0.05, -0.01]]}]" ;;
    *)
      [ "$2" -ne "$cells" ] || [ -n "$count" ] || return 0
      axes=$'\n'$(axes_text | sed -E -e "s/(name: *$count, *list: *)\[[^]]*\]/\1[$1]/" \
        -e "s/points: *${varied:-none}\\b/points: $((${varied:-0} * $2 / (cells > 0 ? cells : 1)))/")
      ;;
  esac
  options=(--set "cells.axes=$axes")
}

cells_of() { # OPTION..: cells of the sweep with these options
  "$saltus" plan "$sweep" --json --sample 0 "$@" | python3 -c 'import json, sys; print(json.load(sys.stdin)["cells"])'
}

# bill CASE RANKS,..: what `saltus plan` expects, a line of CASE RANKS SECONDS for each.
bill() {
  options_of "$1" "$cells"
  "$saltus" plan "$sweep" --json --ranks "$2" --threads 1 --ranks-per-node "$per_node" --sample 1 "${options[@]}" |
    python3 -c 'import json, sys; [print(sys.argv[1], r["ranks"], r["seconds"]) for r in json.load(sys.stdin)["runs"]]' "$1"
}

sizes_from() { # FIRST MOST: FIRST, twice that, ..
  local n
  for ((n = $1; n <= $2; n *= 2)); do echo $n; done
  [ $((n / 2)) -eq "$2" ] || [ $(($2 % $1)) -ne 0 ] || echo "$2"
}

# Runs in the order in which they are measured, a line of SERIES CASE RANKS THREADS CELLS REPEAT each. The first of each case belongs
# to all three series. Sizes and cases by turns: what slows the machine for a while slows them all.
list_runs() {
  local repeat one n
  for ((repeat = 1; repeat <= repeats; repeat++)); do
    for one in $cases; do
      for n in $(sizes_from "$base" "$most"); do
        echo "strong $one $n 1 $cells $repeat"
        [ "$n" -eq "$base" ] || ! $weak || echo "weak $one $n 1 $((cells * (n / base))) $repeat"
      done
      for n in $(sizes_from 1 $((base < per_node ? per_node * cpus / base : cpus))); do
        [ "$n" -eq 1 ] || echo "threads $one $base $n $cells $repeat"
      done
    done
  done
}

# Looks at what the folder has, and prints what the study takes; LIMIT in seconds (0: none): each run must end within it.
begin_study() { # LIMIT
  local one now was='' numbers=$folder/bill
  mkdir -p "$folder"
  weak=true
  [ "$most" -ge "$base" ] || study_fail "--base $base: there are $most ranks"
  if [ -z "$cells" ]; then
    [ -z "$count" ] || axes_text | grep -qE "name: *$count, *list: *\[" ||
      study_fail "$sweep: has no axis {name: $count, list: [..]} in one line, whose values the cases are"
    cells=0
    options_of "${cases%% *}" 0
    cells=$(cells_of "${options[@]}")
    if ! find_varied; then
      weak=false
      printf 'no weak series: %s has no axis whose points can be doubled alone, which takes points of a number that no other axis has\n' "$sweep"
    fi
  fi
  now="$study${count:+ by $count}, cells $cells, from $base ranks on, $per_node ranks a node, $(program)$([ "$own" = no ] || cksum <"$sweep")"
  [ ! -s "$folder/study" ] || was=$(<"$folder/study")
  if [ -n "$was" ] && [ "$was" != "$now" ]; then
    study_fail "$folder: has measurements of another study ($was; this one: $now); take another folder"
  fi
  printf '%s\n' "$now" >"$folder/study"
  for one in $cases; do
    grep -q "^$one " "$numbers" 2>/dev/null ||
      bill "$one" "$(list_runs | awk '{ print $3 * $4 }' | sort -nu | paste -sd,)" >>"$numbers"
  done
  list_runs | while read -r series case ranks threads n repeat; do
    if [ -s "$folder/$series-$case-${ranks}x$threads-$repeat.status" ]; then echo measured; else echo "$series $case $((ranks * threads))"; fi
  done | awk -v base="$base" -v limit="$1" '
    NR == FNR { seconds[$1 " " $2] = $3; next }
    $1 == "measured" { ++there; next }
    { s = seconds[$2 " " ($1 == "weak" ? base : $3)]; sum += s; ++left; if (s > longest) longest = s }
    END {
      printf "%d runs, %d of them measured; saltus plan expects %.2g h for the others, %.2g min for the longest\n", there + left, there, sum / 3600, longest / 60
      if (limit && longest > limit) { print "each run must end within the time limit: raise --time, or lower CELLS"; exit 1 }
      if (limit && sum > limit) printf "the time limit is %.2g h: the job goes on after it, in the queue once more\n", limit / 3600
    }' "$numbers" - || exit 2
}

# measure SERIES CASE RANKS THREADS CELLS REPEAT: nothing where it has been measured; else its exit status is in `status`. A run that
# is stopped begins anew, since its time is that of all its cells.
measure() {
  local name=$folder/$1-$2-$3x$4-$6 place=()
  status=0
  [ ! -s "$name.status" ] || return 0
  rm -rf "$name".h5* "$name.part"
  if [ "${launcher[0]}" = srun ]; then # nodes are filled one after another
    place=("--nodes=$((($3 + per_node - 1) / per_node))" "--cpus-per-task=$4" --distribution=block)
  fi
  options_of "$2" "$5"
  export OMP_NUM_THREADS=$4
  run_job "${launcher[@]}" -n "$3" "${place[@]}" "$saltus" run "$sweep" \
    --quiet --force -o "$name.h5" --status "$name.part" "${options[@]}"
  [ "$status" -eq 0 ] || return 0
  measured=$((measured + 1))
  # The cube of the smallest run is what others are predicted from.
  if [ "$1-$3x$4-$6" = "strong-${base}x1-1" ]; then mv "$name.h5" "$folder/$2.h5"; else rm "$name.h5"; fi
  mv "$name.part" "$name.status"
}

# Predicts a run from the smallest one, before it is measured.
predict() { # SERIES CASE RANKS THREADS CELLS
  local name=$folder/$1-$2-$3x$4.predicted
  [ ! -s "$name" ] || return 0
  "$saltus" plan "$folder/$2.h5" --json --ranks "$3" --threads "$4" --scale "$(($5 / cells))" --ranks-per-node "$per_node" >"$name.part"
  mv "$name.part" "$name"
}

# The smallest run belongs to all series.
share_first() { # CASE REPEAT
  local series first=$folder/strong-$1-${base}x1-$2.status
  for series in weak threads; do
    if [ $series = threads ] || $weak; then
      cp -n "$first" "$folder/$series-$1-${base}x1-$2.status"
      predict $series "$1" "$base" 1 "$cells"
    fi
  done
}

# All runs that are not there yet, until one fails or is stopped: `status`, and how many have been `measured`.
measure_all() {
  local series case ranks threads n repeat
  status=0 measured=0 stopped=no
  while read -r -u 3 series case ranks threads n repeat; do
    [ "$ranks$threads" = "${base}1" ] || predict "$series" "$case" "$ranks" "$threads" "$n"
    measure "$series" "$case" "$ranks" "$threads" "$n" "$repeat"
    [ "$status" -ne 0 ] || [ "$stopped" = no ] || status=85
    [ "$status" -eq 0 ] || break
    if [ "$ranks$threads" = "${base}1" ]; then
      predict "$series" "$case" "$ranks" "$threads" "$n"
      share_first "$case" "$repeat"
    fi
  done 3< <(list_runs)
}

program() {
  "$saltus" --version | sed -n -e 's/^saltus /saltus /p' -e 's/^ *commit *\(.\{12\}\).*/commit \1/p' | paste -sd, | sed 's/,/, /'
}

# draw NODES CORES: a table and the picture of what is there.
draw() {
  local cpu
  cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1 | tr -d '"')
  printf '{"study": "%s", "count": "%s", "cpu": "%s", "nodes": %s, "cores": %s, "program": "%s"}\n' \
    "$study" "${count:-contacts}" "${cpu:-no name}" "$1" "$2" "$(program)" >"$folder/machine.json"
  [ -z "$(find "$folder" -name '*.status' -print -quit)" ] || "$home/analysis/scaling.py" "$folder"
}
