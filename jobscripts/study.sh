# Setup of scripts that run a whole study; to be sourced, with $setup true or false. Afterwards this
# is the top of the checkout, $saltus and the C library are built, and $python is one that has what analysis/ needs, or empty.
# shellcheck shell=bash

whole() { # NAME VALUE
  if ! [[ $2 =~ ^[1-9][0-9]*$ ]]; then
    printf '%s: %s is %s; a whole number from 1 is expected\n' "${0##*/}" "$1" "$2" >&2
    exit 2
  fi
}

cores=$(env -u OMP_NUM_THREADS nproc)
ranks=${SALTUS_RANKS:-$(((cores + 1) / 2))}
whole SALTUS_RANKS "$ranks"
threads=${SALTUS_THREADS:-$((cores > ranks ? (cores + ranks - 1) / ranks : 1))}
whole SALTUS_THREADS "$threads"

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit
if ${setup:-true}; then bash jobscripts/setup.sh --if-possible; fi
# shellcheck source=jobscripts/env.sh
. jobscripts/env.sh
export OMP_NUM_THREADS=$threads

# Debian's, or that of a module or an environment.
python=
for candidate in /usr/bin/python3 python3; do
  if "$candidate" -c '
import importlib.util, sys
sys.exit(any(not importlib.util.find_spec(name) for name in ("h5netcdf", "matplotlib", "xarray")))' 2>/dev/null; then
    # shellcheck disable=SC2034 # for the scripts that source this
    python=$candidate
    break
  fi
done

# Requirements of the configuration itself, during which CMake lists all else that lacks; an old CMake cannot read it.
lacks=()
least=$(sed -n 's/^cmake_minimum_required(VERSION \([0-9.]*\)).*/\1/p' CMakeLists.txt)
found=$(cmake --version 2>/dev/null | sed -n 's/^cmake version //p' || true)
if [ "$(printf '%s\n' "$least" "${found:-0}" | sort -V | head -n 1)" != "$least" ]; then
  lacks+=("CMake $least or later (found: ${found:-none})")
fi
command -v ninja >/dev/null || lacks+=(Ninja)
command -v mpirun >/dev/null || lacks+=("mpirun of an MPI 3.1")
if [ ${#lacks[@]} -gt 0 ]; then
  [ -n "$python" ] || lacks+=("a python3 with xarray, h5netcdf and matplotlib (optional: tables and pictures)")
  printf '%s: lacking here, and to be had by module load, or from PyPI but for MPI:\n' "${0##*/}" >&2
  printf '  %s\n' "${lacks[@]}" >&2
  exit 2
fi
[ -n "$python" ] || printf '%s: no python3 here has xarray, h5netcdf and matplotlib: tables and pictures will be left out\n' "${0##*/}" >&2

cmake --preset release
cmake --build --preset release --target saltus saltus_library # rules.py uses the library
saltus=build/release/saltus

run() { # SWEEP.yaml -o CUBE.h5 OPTION..., on all cores
  printf '\n== %s: MPI ranks %s, OpenMP threads of each %s\n' "$1" "$ranks" "$threads"
  mpirun -n "$ranks" "$saltus" run "$@" --force
}
