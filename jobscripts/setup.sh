#!/usr/bin/env bash
# Installs the Debian 12 packages that saltus needs and that are missing.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/setup.sh [--lint] [--browser] [--hosts] [--slurm] [--accounting] [--clang] [--mujoco] [--codes] [--scipy] [--octave] [--systems]
       [--neon] [--site] [--build] [--if-possible] [--list]

Installs what is needed to build, test and draw (Debian 12), and nothing that is there already.
Does not touch the network when nothing is missing. Uses sudo when not root.

Further packages for test.sh, which installs them:
  --lint     the tools of the lint tests: clang-format, clang-tidy, cppcheck, shellcheck, pyflakes, binutils
  --browser  Chromium, in which the test of the report opens it
  --hosts    iproute2, with which the test of several hosts makes networks
  --clang    clang, for a second build
  --slurm    SLURM, for a cluster on this machine (local-slurm.sh) and the test of the job scripts
Beside them:
  --accounting  slurmdbd and MariaDB, for local-slurm.sh start --accounting
Benchmarks:
  --mujoco   MuJoCo, for the comparison with it (compare.sh)
  --codes    the other codes, for the comparison with them (compare.sh): Boost, SciPy
Solvers of other programs, to be recorded for `saltus score`:
  --scipy    SciPy, for analysis/solve_ivp.py and its nightly test
  --octave   GNU Octave, for analysis/octave_ode.m and a nightly test
Nightly tests of packages, of a system without root, and of ARM:
  --systems  debootstrap, which makes bare systems to install and build in, and lintian
  --neon     a compiler for ARM and qemu, for tests/neon/neon.sh
Documents:
  --site     Sphinx, MyST, furo, MathJax and SciPy, for site.sh and its test

  --build    in place of all that: only what the program itself is built with
  --if-possible  where nothing can be installed (no root, no sudo, no Debian), say so and succeed: what is needed
             may have come from elsewhere, as from modules of a cluster, and CMake lists what lacks
  --list     print what is missing, one package a line, and install nothing
  --help     this text
TEXT
}

# Build dependencies of the program and its Debian packages (src/dependencies.cmake).
build_packages=(
  gcc libc6-dev cmake ninja-build pkg-config dpkg-dev file
  libopenmpi-dev libhdf5-openmpi-dev libpetsc-real-dev libsundials-dev
  libyaml-dev libxml2-dev libxxhash-dev zlib1g-dev liblapacke-dev liblapack-dev libblas-dev libopenblas-dev
)
packages=(
  "${build_packages[@]}"
  git openmpi-bin hdf5-tools libgsl-dev libcunit1-dev
  python3-numpy python3-h5py python3-xarray python3-h5netcdf python3-matplotlib python3-yaml
  python3-pip # packs and installs the Python package
  python3-netcdf4 netcdf-bin strace python3-jsonschema # witnesses of the tests
)
list_only=false
cannot=1 # exit status where nothing can be installed
for argument in "$@"; do
  case $argument in
    --lint) packages+=(clang-format clang-tidy cppcheck shellcheck pyflakes3 binutils) ;;
    --browser) packages+=(chromium fonts-dejavu-core) ;;
    --hosts) packages+=(iproute2 util-linux) ;;
    --clang) packages+=(clang libomp-dev) ;;
    --slurm) packages+=(slurmctld slurmd slurm-client munge) ;;
    --accounting) packages+=(slurmdbd mariadb-server-core libslurmdb-perl libslurm-perl) ;;
    --mujoco) packages+=(libmujoco-dev) ;;
    --codes) packages+=(libboost-dev g++ python3-scipy) ;;
    --scipy) packages+=(python3-scipy) ;;
    --octave) packages+=(octave octave-netcdf) ;;
    --systems) packages+=(debootstrap lintian) ;;
    --neon) packages+=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user) ;;
    --build) packages=("${build_packages[@]}") ;;
    --site) packages+=(python3-sphinx python3-myst-parser furo libjs-mathjax python3-scipy) ;;
    --list) list_only=true ;;
    --if-possible) cannot=0 ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'setup.sh: unknown option %s; see --help\n' "$argument" >&2; exit 2 ;;
  esac
done

nothing() { # WHY: nothing can be installed
  if [ $cannot -eq 0 ]; then
    printf 'setup.sh: %s, so nothing is installed; what is lacking is said next\n' "${1%;*}" >&2
  else
    printf 'setup.sh: %s: %s\n' "$1" "${*:2}" >&2
  fi
  exit $cannot
}
if ! command -v dpkg-query >/dev/null; then
  nothing 'this is not a Debian system; install the equivalents of' "${packages[@]}"
fi

missing=()
for package in "${packages[@]}"; do
  # A removed package may still be known: only the status "installed" counts.
  status=$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null || true)
  grep -qx installed <<<"$status" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if $list_only; then
  printf '%s\n' "${missing[@]}"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  # sudo may ask for a password only where somebody can type one.
  if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo)
  else
    nothing 'not root and no usable sudo; ask for these packages' "${missing[@]}"
  fi
fi

printf 'setup.sh: installing %s\n' "${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq -o DPkg::Lock::Timeout=600 --no-install-recommends "${missing[@]}" # another apt-get may be at work
