#!/usr/bin/env bash
# libm.sh BUILD_DIR CC [TABLE]: do our objects refer to those functions of libm, LAPACK and the Fortran library alone that have
# the same bits on every CPU (libm.table)? libm picks variants of exp or sin by the CPU, OpenBLAS its kernels; kernels/scalar_math.h
# and src/lapack have what results are made of. The program and libsaltus.so take no LAPACK of others, and show none.
set -euo pipefail
table=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)/libm.table
[ $# -lt 3 ] || table=$3
libm=$("$2" -print-file-name=libm.so.6)
cd -- "$1"
mapfile -t objects < <(find kernels src -name '*.c.o' -not -path '*/examples/*' | sort)
if [ ${#objects[@]} -eq 0 ]; then
  printf 'no object under %s: build first\n' "$1"
  exit 1
fi
status=0
lapack=reference/lapack.o
# The objects' own sources define what LAPACK calls pow; all else that a file calls by such a name is not ours.
if [ -e $lapack ]; then objects+=("$lapack"); fi
if ! { nm -D --defined-only "$libm" | awk '{ sub(/@.*/, "", $3); print "libm", $3 }'
  sed 's/^/table /' "$table"
  if [ -e $lapack ]; then nm --defined-only -g $lapack | awk '{ print "ours", $3 }'; fi
  nm -AP -u "${objects[@]}" | awk '{ print "uses", $1, $2 }'; } | awk '
  $1 == "libm" { libm[$2] }
  $1 == "ours" { ours[$2]; private = 1 }
  $1 == "table" && $2 !~ /^#/ && NF > 1 {
    sub(/^table /, "")
    split($0, part, / *: */)
    n = split(part[1], symbol, " ")
    for (i = 1; i <= n; i++) { may[symbol[i]] = may[symbol[i]] " " part[2] }
  }
  $1 == "uses" {
    file = $2; sub(/:$/, "", file); sub(/CMakeFiles\/([^\/]*\.dir\/)?/, "", file); sub(/\.c\.o$/, ".c", file)
    if (!($3 in libm) && $3 !~ /^(LAPACKE_|cblas_|openblas_|_gfortran_|[sdcz][a-z][a-z0-9]*_$)/) next
    if ($3 in ours || ($3 ~ /^LAPACKE_/ && !private)) next
    n = split(may[$3], pattern, " ")
    for (i = 1; i <= n; i++) if (file ~ "^(" pattern[i] ")$") next
    print file ": " $3 " has other last bits on another CPU: take that of kernels/scalar_math.h or src/lapack, or say in libm.table why not"
    wrong = 1
  }
  END { exit wrong }'; then status=1; fi
if [ -e $lapack ]; then
  for made in saltus libsaltus.so libsaltus-run.so; do
    [ -e $made ] || continue
    if nm -D "$made" | grep -E ' (LAPACKE_|cblas_|openblas_|_gfortran_|d(ge|tr|or|la)[a-z0-9]*_$)'; then
      printf '%s: takes LAPACK of others, or shows its own\n' "$made"
      status=1
    fi
  done
fi
exit $status
