# For the scripts of this folder; sourced by them.
# shellcheck shell=bash

# need PROGRAM [MORE]: the test fails, and prints what to do, where a program is missing
need() {
  command -v "$1" >/dev/null && return 0
  printf '%s: no such program; jobscripts/setup.sh --lint installs it\n' "${1%-NOTFOUND}"
  exit 1
}

# our_files DIR REGEX: those files below DIR that are ours and match, one a line
our_files() {
  (
    cd -- "$1" || exit
    find . \( -path ./build -o -path ./results -o -path ./.git -o -name __pycache__ \) -prune -o \
      -type f -regextype posix-extended -regex "$2" -printf '%P\n' | sort
  )
}
