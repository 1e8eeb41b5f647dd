#!/usr/bin/env bash
# Builds saltus and its Debian packages.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/packages/make_deb.sh [OUT]

Builds the preset `release` without tests in build/packages and writes saltus, libsaltus4 and libsaltus-dev into OUT (build/packages),
as *.deb: apt-get install OUT/*.deb installs them with all that they depend on. Packages are of the Debian that they are built on.
`jobscripts/setup.sh --build` installs what it takes.
TEXT
}

case ${1-} in
  --help | -h) usage; exit 0 ;;
  -*) printf 'make_deb.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
esac
home=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
build=$home/build/packages
mkdir -p "${1:-$build}"
out=$(cd -- "${1:-$build}" && pwd)
cd -- "$home"
# With the prefix /usr libraries have a folder for each architecture.
cmake --preset release -B "$build" -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF
cmake --build "$build"
cd -- "$build"
cpack -G DEB -B "$build/pack"
find pack -maxdepth 1 -name '*.deb' -exec mv -t "$out" {} +
rm -rf pack
