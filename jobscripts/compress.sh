#!/usr/bin/env bash
# compress.sh CUBE.h5 ..: finished cubes made smaller by HDF5's own h5repack; `saltus diff` checks each.
set -euo pipefail
home=$(dirname -- "${BASH_SOURCE[0]}")/..
saltus=${SALTUS:-$home/build/release/saltus}
[ -x "$saltus" ] || saltus=$home/../../bin/saltus
for cube in "$@"; do
  trap 'rm -f -- "$cube.part"' EXIT
  # Below 4 kB the index of the chunks takes more than filters save; --low=1 keeps the checksums of labels.
  h5repack --low=1 -m 4096 -f SHUF -f GZIP=4 "$cube" "$cube.part"
  "$saltus" diff "$cube" "$cube.part"
  chmod --reference="$cube" -- "$cube.part"
  if [ "$(stat -c %s -- "$cube.part")" -lt "$(stat -c %s -- "$cube")" ]; then mv -- "$cube.part" "$cube"; else rm -- "$cube.part"; fi
done
