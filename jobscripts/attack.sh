#!/usr/bin/env bash
# The attack of tests/faults in full, and a table of how it ended.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/attack.sh [--runs N] [--seconds N] [--cubes N] [--journals N] [--kills N] [--disks N] [--seed N]
                            [--out FOLDER] [--only fuzz]

Builds saltus (preset release), libFuzzer's targets (preset fuzz), the thread sanitizer's build (preset tsan) and that of
the other sanitizers (preset asan), then damages, fills, limits, kills, starves and fuzzes. The output is kept in FOLDER
(build/attack). Exit status 0: nothing was wrong with exit 0, no crash, no hang. Full disks need root.

  --runs N      executions of each target (1000000)
  --seconds N   at most so long a target (0: no limit); those of cubes and sweeps come to some hundred a second
  --cubes N     damaged cubes (1000)
  --journals N  damaged journals (300)
  --kills N     kills in the middle of a run (150), and a third as many while a cube is published
  --disks N     full disks (30)
  --only fuzz   libFuzzer's targets alone
TEXT
}

runs=1000000 seconds=0 cubes=1000 journals=300 kills=150 disks=30 seed=1 out=build/attack only=
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --runs | --seconds | --cubes | --journals | --kills | --disks | --seed | --out | --only)
      [ $# -ge 2 ] || { printf 'attack.sh: %s needs a value; see --help\n' "$1" >&2; exit 2; }
      declare "${1#--}=$2"
      shift
      ;;
    *) printf 'attack.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

[ -z "$only" ] || [ "$only" = fuzz ] || { printf 'attack.sh: --only %s; allowed: fuzz\n' "$only" >&2; exit 2; }

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh
targets=(sweep set model equation solver recorded cube append journal words)
mkdir -p "$out"
out=$(cd -- "$out" && pwd)
build() { # PRESET TARGET..
  cmake --preset "$1" >"$out/configure-$1.log"
  cmake --build --preset "$1" --target "${@:2}"
}
status=0

row() { # ATTACK TRIALS CRASHES HANGS
  printf '%s | %s | - | - | 0 | %s | %s\n' "$@" | tee -a "$out/table"
  [ "$3" = 0 ] && [ "$4" = 0 ] || status=1
}
watched() { # COMMAND..: on two threads, with what the sanitizers are to heed
  OMP_NUM_THREADS=2 ARCHER_OPTIONS=verbose=0 ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0 \
    TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66" OMPI_MCA_ess_singleton_isolated=1 "$@"
}
sanitized() { # ATTACK PRESET: a small sweep in that build; at width 1, since clang's thread sanitizer does not see lanes
  local bad=0
  watched "build/$2/saltus" run sweeps/dallas2017.yaml -q -f -o "$out/$2.h5" --set t_end=3 --set mesh=0.1 --set divergence={} \
    --set width=1 >"$out/$2.log" 2>&1 || bad=1
  row "$1" 1 $bad 0
}

: >"$out/table"
python=/usr/bin/python3

files_and_threads() {
  local bad
  build release saltus saltus_starved
  build tsan saltus test_api test_sched_heartbeat
  build asan saltus
  $python -B tests/faults/attack.py --seed "$seed" --cubes "$cubes" --journals "$journals" --kills $((kills / 3)) --limits "$disks" \
    --disks "$disks" build/release/saltus analysis/report.py mpiexec -- -n | tee -a "$out/table" || status=1
  bad=0
  $python -B tests/app/kill.py --rounds "$kills" --seed "$seed" build/release/saltus mpiexec -- -n >"$out/kill.log" 2>&1 || bad=1
  row 'killed in the middle (kill.log)' "$kills" $bad 0
  bad=0
  $python -B tests/faults/test_starve.py build/release/saltus_starved 0 >"$out/starve.log" 2>&1 || bad=1
  row "allocations that fail (starve.log)" "$(sed -n 's/ allocations.*//p' "$out/starve.log")" $bad 0
  sanitized 'thread sanitizer (tsan.log)' tsan
  bad=0
  watched build/tsan/test_api api_threads >"$out/tsan-library.log" 2>&1 || bad=1
  watched build/tsan/test_api api_runs >>"$out/tsan-library.log" 2>&1 || bad=1
  row 'thread sanitizer, C library (tsan-library.log)' 2 $bad 0
  bad=0
  watched mpiexec -n 2 build/tsan/test_sched_heartbeat sched_heartbeat >"$out/tsan-heartbeat.log" 2>&1 || bad=1
  row 'thread sanitizer, heartbeat (tsan-heartbeat.log)' 1 $bad 0
  sanitized 'sanitizers over the kernels (asan.log)' asan
}

[ "$only" = fuzz ] || files_and_threads
build release saltus
build fuzz "${targets[@]/#/fuzz_}"
$python -B tests/faults/fuzz/corpus.py build/release/saltus sweeps "$out/corpus"
for target in "${targets[@]}"; do
  mkdir -p "$out/found/$target"
  ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0 "build/fuzz/fuzz_$target" -runs="$runs" -max_total_time="$seconds" \
    -seed="$seed" -timeout=300 -rss_limit_mb=4000 -artifact_prefix="$out/found/$target/" -print_final_stats=1 \
    "$out/corpus/${target/append/cube}" >"$out/fuzz-$target.log" 2>&1 || status=1
  row "libFuzzer, $target" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/fuzz-$target.log")" \
    "$(find "$out/found/$target" -name 'crash-*' -o -name 'oom-*' | wc -l)" "$(find "$out/found/$target" -name 'timeout-*' | wc -l)"
done
printf '\n'
cat "$out/table"
exit $status
