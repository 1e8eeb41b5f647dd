#!/usr/bin/env bash
# layers.sh SOURCE_DIR [BUILD_DIR]: does the code keep to tests/lint/layers.table?
# Looks at the #includes of the sources and, with BUILD_DIR, at what the objects refer to.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
table=${SAL_LAYERS_TABLE:-$here/layers.table} # another one: selftest.sh
source=$(cd -- "$1" && pwd)
build=${2:+$(cd -- "$2" && pwd)}
status=0

cd -- "$source"
mapfile -t files < <(find kernels src -name '*.[ch]' -o -name '*.h.in' -o -name '*.def' | sort)
if [ ${#files[@]} -eq 0 ]; then
  printf 'no sources under %s\n' "$source"
  exit 1
fi
awk -v table="$table" -f "$here/table.awk" -f "$here/includes.awk" "${files[@]}" || status=1

forbid() { # WHY REGEX FILE...: lines that match are wrong
  local why=$1 regex=$2 hits
  shift 2
  [ $# -gt 0 ] || return 0
  if hits=$(grep -nHE -e "$regex" -- "$@"); then
    # shellcheck disable=SC2001
    sed "s|\$|   <- $why|" <<<"$hits"
    status=1
  fi
}
in_files() { # REGEX: those of the files whose path matches
  printf '%s\n' "${files[@]}" | grep -E "$1" || true
}
mapfile -t not_lane < <(in_files '.' | grep -vx 'kernels/lane.h')
mapfile -t not_threads < <(in_files '.' | grep -v -e '^src/ensemble/' -e '^src/base/parallel.c$')
mapfile -t not_kernels < <(in_files '^src/')
mapfile -t not_app < <(in_files '^(kernels|src)/' | grep -v '^src/app/')
mapfile -t recipes < <(find src -name CMakeLists.txt)
forbid 'intrinsics belong into kernels/lane.h' \
  '(^|[^A-Za-z0-9_])(_mm(256|512)?_[a-z]|__m(128|256|512)|__builtin_ia32_|v[a-z]+q_f64)' "${not_lane[@]}"
forbid 'threads belong into src/ensemble and src/base/parallel.c' '^[[:space:]]*#[[:space:]]*pragma[[:space:]]+omp' "${not_threads[@]}"
# The place of a value that an override brought is spelt as the user gave it: --set KEY.
forbid 'options belong into src/app' '^[^*]*"--([a-rt-z]|s([a-df-z]|e([a-su-z]|t[^ ])))' "${not_app[@]}"
forbid 'only kernels have a width' '^[[:space:]]*#.*SAL_LANES' "${not_kernels[@]}"
forbid 'only kernels have a width' 'SAL_LANES' "${recipes[@]}"

[ -n "$build" ] || exit $status
cd -- "$build"
# Products of the current build: objects of sources that are gone may still lie about.  __: of another folder's source, which is
# looked at there.
mapfile -t objects < <(sed -nE 's;.* -o ((kernels|src)/[^ ]+\.o) .*;\1;p' compile_commands.json | grep -v /__/ | sort -u)
for file in "${files[@]}"; do
  folder=${file#src/}
  folder=${file%"$folder"}${folder%%/*} # kernels, src/<layer>
  [ "${file%.c}" = "$file" ] || [[ " ${objects[*]}" = *" $folder/"* ]] ||
    { printf '%s: nothing of %s is built by %s\n' "$file" "$folder" "$build" && exit 1; }
done
for object in "${objects[@]}"; do
  [ -e "$object" ] || { printf '%s/%s is missing: build first\n' "$build" "$object" && exit 1; }
done
if ! complaints=$(nm -AP -g "${objects[@]}" |
  awk -v table="$table" -f "$here/table.awk" -f "$here/uses.awk"); then
  status=1
  while read -r object symbol why; do
    # With debug information nm -l prints which line refers to the symbol.
    place=$(nm -lu "$object" | awk -v s="$symbol" '$2 == s { print $3; exit }')
    place=${place:-$object}
    printf '%s: %s: %s\n' "${place#"$source"/}" "$symbol" "$why"
  done <<<"$complaints"
fi
exit $status
