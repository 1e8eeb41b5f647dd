#!/usr/bin/env bash
# The study of contact scaling: its sweeps, its order test, its pictures.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/contacts.sh [--full | --model FILE.yaml [--counts N,..]] [-o DIR] [--no-setup]

Installs missing packages, builds saltus, lands a plate on 2 to 1000 springs with every strategy and
writes into DIR (results/contacts):
  contacts.h5, precision*.h5, order.csv   what was measured
  flight_*.h5                                a hopper by each strategy
  cost_*.png, marginal.png, error.png, events.png   cost, error, anomalies against the number of contacts
  precision_*.png, comparison.csv         error against cost: which strategy is cheapest, and when
  order_test.png, residuals.png           order of projection; the hopper's distance from its reference
  tables.txt                              marginal costs, comparison and orders in numbers
Takes about two minutes on two idle cores. Can be run again at any time; results are replaced.

  --full       cost and error from sweeps/contacts-full.yaml, 1024 springs and 120 starts: a few more
  --model FILE.yaml   a text with a count n of members in place of the plate: sweep.yaml, contacts.h5, cost, marginal, error, events
  --counts N,..       its counts (2,4,8,16,32,64), as far as the range of n has them
  -o DIR       another folder
  --no-setup   do not look for missing packages
  --help       this text

environment:
  SALTUS_RANKS     MPI ranks; without it one for two cores
  SALTUS_THREADS   OpenMP threads of each rank; without it cores / ranks
TEXT
}

sweep=sweeps/contacts.yaml
model='' counts=2,4,8,16,32,64
folder=results/contacts
setup=true
while [ $# -gt 0 ]; do
  case $1 in
    --full) sweep=sweeps/contacts-full.yaml ;;
    -o)
      if [ $# -lt 2 ]; then
        printf 'contacts.sh: -o needs a folder; see --help\n' >&2
        exit 2
      fi
      folder=$(realpath -m -- "$2")
      shift
      ;;
    --model | --counts)
      if [ $# -lt 2 ]; then
        printf 'contacts.sh: %s needs a value; see --help\n' "$1" >&2
        exit 2
      fi
      if [ "$1" = --model ]; then model=$(realpath -- "$2"); else counts=$2; fi
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'contacts.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

# shellcheck source=jobscripts/study.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/study.sh"
mkdir -p "$folder"

if [ -n "$model" ]; then
  "$saltus" list models "$model" --json | jobscripts/counted.py "$model" "$counts" 24 >"$folder/sweep.yaml"
  run "$folder/sweep.yaml" -o "$folder/contacts.h5"
  analysis/contacts.py "$folder/contacts.h5" -o "$folder" --figures cost marginal error events | tee "$folder/tables.txt"
  exit
fi

run "$sweep" -o "$folder/contacts.h5"
run sweeps/contacts-precision.yaml -o "$folder/precision.h5"
for zone in 1e-2 2e-3 1e-4; do # the zone cannot be an axis
  run sweeps/contacts-precision.yaml -o "$folder/precision_zone$zone.h5" \
    --set 'strategies=[ess, ess2]' --set projection.zone=$zone --set projection.step=$zone
done

printf '\n== order test\n'
"$saltus" calibrate-eps --model affine3 --t-end 0.5 --state all --zone-in-gap --rtol 1e-12 \
  --curve --points 41 --eps-min 1e-5 --eps-max 0.14 --csv "$folder/order.csv" --force >/dev/null

flight() { # FILE OPTION...
  "$saltus" trajectory --model hopper1d --t-end 2 --dt 0.002 --force -o "$folder/flight_$1.h5" "${@:2}"
}
printf '\n== hopper\n'
flight reference --solver dop853 --strategy event --rtol 1e-13
flight switch --strategy switch
flight event --strategy event
flight ess --strategy ess --zone-in-gap --zone 0.13 # eps' of the paper, section 5.1
flight ess2 --strategy ess2

printf '\n== pictures\n'
{
  analysis/contacts.py "$folder/contacts.h5" -o "$folder" --figures cost marginal error events
  analysis/contacts.py "$folder"/precision.h5 "$folder"/precision_zone*.h5 -o "$folder" --figures precision
  analysis/order_test.py "$folder/order.csv" -o "$folder"
  analysis/residuals.py "$folder"/flight_{reference,switch,event,ess,ess2}.h5 --states z v -o "$folder"
} | tee "$folder/tables.txt"

printf '\nDone. Everything is in %s\n' "$(realpath -- "$folder")"
