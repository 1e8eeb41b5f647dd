#!/usr/bin/env bash
# size.sh SOURCE_DIR: no file of code is too long, none holds an unfinished thought or somebody's path.
set -euo pipefail
export LC_ALL=C # patterns are of ASCII, and a match takes a tenth of the time
longest=450
cd -- "$1"
status=0

# Data are not prose, and other folders at the top (build trees, results) are not ours.
mapfile -t folders < <(find . -mindepth 1 -maxdepth 1 -type d -regextype posix-extended \
  -regex '\./(\.ci|analysis|jobscripts|kernels|src|sweeps|tests)' -printf '%f\n')
mapfile -t files < <({
  find . -maxdepth 1 -type f ! -name .git -printf '%f\n'
  find "${folders[@]}" \( -path tests/data -o -name __pycache__ \) -prune -o -type f -print
} | sort)
mapfile -t code < <(printf '%s\n' "${files[@]}" | grep -E '\.(c|h|py|sh|awk|cmake)$|CMakeLists\.txt$' || true)
if [ ${#code[@]} -eq 0 ]; then
  printf 'no code under %s\n' "$1"
  exit 1
fi
if ! awk -v longest=$longest '
  FNR == longest + 1 { long[FILENAME] } { lines[FILENAME] = FNR }
  END { for (file in long) printf "%s:%s: %s lines; %s at most\n", file, longest, lines[file], longest
        exit length(long) > 0 }' "${code[@]}"; then
  status=1
fi

# Brackets keep the patterns from finding themselves.
if grep -nHIwE 'TO[D]O|FIX[M]E|XX[X]' -- "${files[@]}"; then
  printf '^ finish it, or write down elsewhere what is left\n'
  status=1
fi
if grep -nHIE '(^|[^A-Za-z0-9_.}-])/(hom[e]|roo[t]|wor[k]|User[s])/[A-Za-z0-9_.]' -- "${files[@]}"; then
  printf '^ a path of one machine\n'
  status=1
fi
exit $status
