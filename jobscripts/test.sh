#!/usr/bin/env bash
# Builds saltus and runs its tests: optimised first, then under the sanitizers; nightly built by clang as well.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/test.sh [--quick] [--nightly] [--without NAME].. [--no-setup]

Installs missing packages, builds the preset `ci` (as `release`, but a warning is an error) and the
benchmarks' programs, and runs all tests, lint and jobs on a SLURM of their own included; then the preset
`asan` (address and undefined-behaviour sanitizers, leaks), which runs a part of the tests and is built while
those before run. Stops at the first build that fails.
Exit status 0: everything passed. A test that cannot run on this machine fails, and prints what it needs.

  --quick         the preset `ci` only
  --nightly       the long tests as well, all tests of each preset, libFuzzer's targets, a build with MPICH
                  (tests/mpich.sh), kernels for ARM (tests/neon/neon.sh), and the preset `clang`; the bits of all must be those of `ci`
  --without NAME  leave out a test (app.hosts), a label (unit mpi app analysis lint slurm), or a part:
                  asan, clang, bench, fuzz, mpich, neon (the last three nightly); its packages are not installed; may be given again
  --no-setup      do not look for missing packages
  --help          this text
TEXT
}

fail() {
  printf 'test.sh: %s\n' "$1" >&2
  exit 2
}

setup=true
nightly=false
without=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) without+=(asan clang) ;;
    --nightly) nightly=true ;;
    --without)
      [ $# -ge 2 ] || fail '--without needs a name; see --help'
      without+=("$2")
      shift
      ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown option $1; see --help" ;;
  esac
  shift
done

is_left_out() { # NAME..: is one of them?
  local name
  for name in "$@"; do
    [[ " ${without[*]} " != *" $name "* ]] || return 0
  done
  return 1
}

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $setup; then
  packages=()
  is_left_out lint || packages+=(--lint)
  is_left_out analysis analysis.browser || packages+=(--browser)
  is_left_out analysis analysis.site || packages+=(--site)
  is_left_out app app.hosts || packages+=(--hosts)
  is_left_out slurm app.slurm || packages+=(--slurm)
  ! $nightly || is_left_out slurm app.slurm_three || packages+=(--slurm)
  ! $nightly || is_left_out neon || packages+=(--neon)
  ! $nightly || is_left_out clang || packages+=(--clang)
  is_left_out bench || packages+=(--codes --mujoco)
  ! $nightly || is_left_out slurm app.accounting || packages+=(--accounting)
  ! $nightly || is_left_out app app.solve_ivp || packages+=(--scipy)
  ! $nightly || is_left_out app app.readers_octave || packages+=(--octave)
  ! $nightly || is_left_out app packages.deb || packages+=(--systems)
  bash jobscripts/setup.sh --if-possible "${packages[@]}"
fi
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh

tests_of() { # PRESET [CTEST'S OPTIONS]: their names
  ctest --test-dir "build/$1" -C all -N "${@:2}" | sed -n 's/^ *Test *#[0-9]*: //p'
}
# Names of tests that are left out as ctest's pattern. A name that means nothing would leave out nothing.
pattern_without() { # PRESET
  local name names=() known
  known=$(tests_of "$1")
  for name in "${without[@]}"; do
    case $name in
      unit | mpi | app | analysis | lint | slurm) mapfile -t -O ${#names[@]} names < <(tests_of "$1" -L "^$name\$") ;;
      asan | clang | bench | fuzz | mpich | neon) ;;
      *)
        if grep -qxF -e "$name" <<<"$known"; then
          names+=("$name")
        elif [ "$1" = ci ]; then
          fail "--without $name: no such test; ctest --preset ci -N lists them"
        fi
        ;;
    esac
  done
  printf '%s\n' "${names[@]//./\\.}" | paste -sd '|'
}

build() { # PRESET
  local more=()
  if $nightly; then more=(-DSAL_WIDEST=8); fi # widths that this machine may lack
  cmake --preset "$1" "${more[@]}"
  cmake --build --preset "$1"
  if [ "$1" = ci ] && ! is_left_out bench; then cmake --build --preset ci --target bench_all; fi
}

# Tests wait part of their time: the build of the next preset runs beside them, at low priority.
logs=$(mktemp -d)
builder=
trap '[ -z "$builder" ] || kill -- "-$builder" 2>/dev/null || true; rm -rf "$logs"' EXIT
begin_build() { # PRESET: in a process group of its own
  set -m
  (
    [ "$1" = ci ] || renice -n 10 -p "$BASHPID" >/dev/null
    build "$1"
  ) >"$logs/$1" 2>&1 &
  builder=$!
  set +m
}
end_build() { # PRESET: prints what the build said; false where it failed
  local built=0
  tail -n +1 -f --pid="$builder" "$logs/$1"
  wait "$builder" || built=1
  builder=
  return $built
}

presets=(ci)
is_left_out asan || presets+=(asan)
! $nightly || is_left_out clang || presets+=(clang)
verdicts=()
status=0
begin_build ci
for i in "${!presets[@]}"; do
  preset=${presets[i]}
  began=$SECONDS
  printf '\n== %s: build\n' "$preset"
  end_build "$preset"
  if [ $((i + 1)) -lt ${#presets[@]} ]; then begin_build "${presets[i + 1]}"; fi
  built=$SECONDS
  options=(--preset "$preset")
  if $nightly; then options=(--test-dir "build/$preset" -C all --output-on-failure --no-tests=error); fi
  left_out=$(pattern_without "$preset")
  if [ -n "$left_out" ]; then options+=(-E "^($left_out)\$"); fi
  printf '\n== %s: tests\n' "$preset"
  verdict=passed
  # One more than there are cores: tests of jobs, kills and hosts wait most of their time.
  ctest "${options[@]}" -j $(($(env -u OMP_NUM_THREADS nproc) + 1)) || verdict=FAILED
  [ $verdict = passed ] || status=1
  verdicts+=("$preset: $verdict; build waited for $((built - began)) s, tests $((SECONDS - built)) s")
done

# A million executions of each target, or twenty minutes.
if $nightly && ! is_left_out fuzz; then
  printf '\n== fuzz\n'
  verdict=passed
  jobscripts/attack.sh --only fuzz --seconds 1200 || verdict=FAILED
  [ $verdict = passed ] || status=1
  verdicts+=("fuzz: $verdict")
fi

# MPICH beside Open MPI.
if $nightly && ! is_left_out mpich; then
  printf '\n== mpich\n'
  verdict=passed
  bash tests/mpich.sh build/ci/saltus || verdict=FAILED
  [ $verdict = passed ] || status=1
  verdicts+=("mpich: $verdict")
fi

# Two lanes of NEON beside one of this machine.
if $nightly && ! is_left_out neon; then
  printf '\n== neon\n'
  verdict=passed
  bash tests/neon/neon.sh || verdict=FAILED
  [ $verdict = passed ] || status=1
  verdicts+=("neon: $verdict")
fi

printf '\n== %s s in all\n' $SECONDS
printf '%s\n' "${verdicts[@]}"
[ ${#without[@]} -eq 0 ] || printf 'left out: %s\n' "${without[*]}"
exit $status
