#!/usr/bin/env bash
# Builds saltus with MPICH and its parallel HDF5, and compares a cube with that of a program by Open MPI.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/mpich.sh SALTUS [FOLDER]

Fetches Debian's packages of MPICH and of HDF5 for it into FOLDER (build/mpich), without installing them, so that
Open MPI stays the default; builds the program there, without PETSc and SUNDIALS, whose Debian packages
are for Open MPI; runs a sweep on 1 and 3 ranks, one of which is killed and gone on with, map included; and
compares the cubes with that of SALTUS, a program by Open MPI. Exit status 0: all are the same.
TEXT
}

if [ $# -eq 0 ] || [ "$1" = --help ]; then
  usage
  exit $(($# == 0))
fi
saltus=$(realpath -- "$1")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
folder=$(realpath -m -- "${2:-build/mpich}")
root=$folder/root
triplet=$(gcc -print-multiarch)
lib=$root/usr/lib/$triplet
packages=(mpich libmpich12 libmpich-dev libhdf5-mpich-103-1 libhdf5-mpich-hl-100 libhdf5-mpich-dev libslurm38)

fetch() {
  mkdir -p "$folder/packages"
  (cd "$folder/packages" && apt-get download "${packages[@]}")
  for package in "$folder"/packages/*.deb; do dpkg -x "$package" "$root"; done
  # The compiler's wrapper has the place where it was to be installed.
  sed -e "s|^prefix=.*|prefix=$root/usr|; s|^libdir=.*|libdir=$lib|; s|^includedir=.*|includedir=$root/usr/include/$triplet/mpich|" \
    "$root/usr/bin/mpicc.mpich" >"$folder/mpicc"
  chmod +x "$folder/mpicc"
}

build() {
  cmake -G Ninja -B "$folder/build" -DCMAKE_BUILD_TYPE=Release -DSAL_WIDEST=1 -DMPI_C_COMPILER="$folder/mpicc" \
    -DHDF5_NO_FIND_PACKAGE_CONFIG_FILE=ON -DHDF5_C_COMPILER_EXECUTABLE=none \
    -DHDF5_C_INCLUDE_DIR="$root/usr/include/hdf5/mpich" -DHDF5_hdf5_LIBRARY_RELEASE="$lib/libhdf5_mpich.so" \
    -DHDF5_hdf5_hl_LIBRARY_RELEASE="$lib/libhdf5_mpich_hl.so" -DSALTUS_PETSC=OFF -DSALTUS_SUNDIALS=OFF
  ninja -C "$folder/build" saltus
}

[ -x "$folder/mpicc" ] || fetch
export LD_LIBRARY_PATH=$lib:$lib/hdf5/mpich:$lib/slurm-wlm
build
mpich=$folder/build/saltus
ranks() { OMP_NUM_THREADS=1 timeout 300 "$root/usr/bin/mpiexec.hydra" -launcher fork -n "$@"; }

runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
sweep=("$PWD/sweeps/dallas2017.yaml" --set "orbit={find: [cycles]}" -q)
env -u LD_LIBRARY_PATH "$saltus" run "${sweep[@]}" -o "$runs/open.h5"
ranks 1 "$mpich" run "${sweep[@]}" -o "$runs/one.h5"
# One rank of three is killed once there are journals; the run goes on from them.
# shellcheck disable=SC2016 # the shell of each rank expands it
killer='[ "$PMI_RANK" != 1 ] || { until compgen -G "$JOURNAL/*" >/dev/null; do sleep 0.02; done; kill -KILL $$; } & exec "$0" "$@"'
if JOURNAL=$runs/three.h5.journal ranks 3 bash -c "$killer" "$mpich" run "${sweep[@]}" --sync 0.01 -o "$runs/three.h5"; then
  echo 'mpich.sh: the run whose rank was killed ended well' >&2
  exit 1
fi
[ ! -e "$runs/three.h5" ] && [ -d "$runs/three.h5.journal" ]
ranks 3 "$mpich" run "${sweep[@]}" -o "$runs/three.h5"
ranks 2 "$mpich" map "$runs/one.h5"
for cube in one three; do env -u LD_LIBRARY_PATH "$saltus" diff "$runs/open.h5" "$runs/$cube.h5"; done
echo 'MPICH and Open MPI: the same'
