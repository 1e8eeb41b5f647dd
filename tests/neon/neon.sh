#!/usr/bin/env bash
# Compiles the kernels for ARM, runs them with one lane and with the two of NEON, and compares the bits with those of this machine.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/neon/neon.sh [FOLDER]

Needs qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross (Debian). Builds the kernels, which need no library, in FOLDER (build/neon)
for this machine and for aarch64, and runs all methods and strategies on two models: on this machine with one lane, under
qemu-aarch64 with one and with two. Exit status 0: all have the same bits.
TEXT
}

case ${1:-} in --help | -h)
  usage
  exit 0
  ;;
esac
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
folder=$(realpath -m -- "${1:-../../build/neon}")
arm=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc)

build() { # NAME OPTION..
  cmake -G Ninja -S . -B "$folder/$1" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 "${@:2}"
  ninja -C "$folder/$1" bits
}
build here -DSAL_WIDEST=1
build arm "${arm[@]}"
"$folder/here/bits" 1 >"$folder/here.txt"
for lanes in 1 2; do
  qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/arm/bits" "$lanes" >"$folder/arm$lanes.txt"
  cmp "$folder/here.txt" "$folder/arm$lanes.txt"
done
printf 'neon.sh: %s runs have the same bits\n' "$(wc -l <"$folder/here.txt")"
