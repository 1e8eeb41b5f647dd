#!/usr/bin/env bash
# From a checkout to the site: pages whose commands are run while it is built.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: jobscripts/site.sh [--only PAGE,..] [--slurm] [--no-setup] [-o FOLDER]

Installs missing packages, builds saltus, and builds the site into results/site: the tutorial, a worked page
for each model, Dallas et al. table by table, clusters, theory, commands, C and Python, all pictures. All output
in the pages comes from commands run during the build. Opens from a disk: results/site/index.html. Some minutes on two cores.

  --only PAGE,..  these pages alone
  --slurm         what is for a cluster is run, too, on a SLURM of two pretended nodes (local-slurm.sh)
  --no-setup      do not look for missing packages
  -o FOLDER       another folder, new, empty, or an earlier site
  --help          this text
TEXT
}

folder=results/site
setup=true
slurm=false
options=()
while [ $# -gt 0 ]; do
  case $1 in
    -o | --only)
      if [ $# -lt 2 ]; then
        printf 'site.sh: %s needs a value; see --help\n' "$1" >&2
        exit 2
      fi
      if [ "$1" = -o ]; then folder=$(realpath -m -- "$2"); else options+=(--only "$2"); fi
      shift
      ;;
    --slurm) slurm=true ;;
    --no-setup) setup=false ;;
    --help | -h) usage; exit 0 ;;
    *) printf 'site.sh: unknown option %s; see --help\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

here=$(dirname -- "${BASH_SOURCE[0]}")
if $setup; then
  packages=(--site)
  ! $slurm || packages+=(--slurm)
  bash "$here/setup.sh" --if-possible "${packages[@]}"
fi
setup=false
# shellcheck source=jobscripts/study.sh
. "$here/study.sh"
if [ -z "$python" ]; then
  printf 'site.sh: no python3 here has xarray, h5netcdf and matplotlib, by which pages are made\n' >&2
  exit 1
fi
if $slurm; then
  trap 'jobscripts/local-slurm.sh stop' EXIT
  eval "$(jobscripts/local-slurm.sh start)"
  options+=(--slurm)
fi
"$python" analysis/site/build.py --program "$saltus" "${options[@]}" -o "$folder"
