#!/usr/bin/env bash
# Builds saltus and runs every test: optimised first, then under the sanitizers.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/test.sh [--quick] [--no-setup]

Installs missing packages, builds the preset `release` and runs all its tests, lint and jobs on a
SLURM of their own included; then the preset `asan` (address and undefined-behaviour sanitizers,
leaks). Stops at the first build that fails; the last lines are ctest's verdict. Exit status 0:
everything passed.

  --quick      the preset `release` only
  --no-setup   do not look for missing packages
  --help       this text
TEXT
}

presets=(release asan)
setup=true
for argument in "$@"; do
  case $argument in
    --quick) presets=(release) ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'test.sh: unknown option %s; see --help\n' "$argument" >&2; exit 2 ;;
  esac
done

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
if $setup; then bash jobscripts/setup.sh --lint --slurm; fi
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh

for preset in "${presets[@]}"; do
  printf '\n== %s: build\n' "$preset"
  cmake --preset "$preset"
  cmake --build --preset "$preset"
  printf '\n== %s: tests\n' "$preset"
  ctest --preset "$preset" -j2
done
