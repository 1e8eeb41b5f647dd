#!/usr/bin/env bash
# selftest.sh [--short] [CC [CLANG_FORMAT [CPPCHECK [SHELLCHECK [PYFLAKES [CLANG_TIDY]]]]]]: does each lint test find what
# it is there for? Every rule is broken once in a small tree of the shape of ours (--short: one rule of each lint); the
# same tree unbroken must pass.
set -euo pipefail
short=false
if [ "${1:-}" = --short ]; then
  short=true
  shift
fi
cc=${1:-cc}
clang_format=${2:-clang-format}
cppcheck=${3:-cppcheck}
shellcheck=${4:-shellcheck}
pyflakes=${5:-pyflakes3}
clang_tidy=${6:-clang-tidy}
declare -A seen=() # lints of which a violation has been planted
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT
tree=$root/tree
build=$tree/build
status=0
planted=0

put() { # FILE TEXT
  mkdir -p "$(dirname -- "$tree/$1")"
  printf '%b' "$2" >"$tree/$1"
}
a_test() { # LABELS [PROPERTY]: JSON of a test with these labels, and with another property
  local more=${2:+", {\"name\": \"$2\", \"value\": 77}"}
  printf '{"name": "planted", "properties": [{"name": "LABELS", "value": %s}, {"name": "TIMEOUT", "value": 9}%s]}' \
    "$1" "$more"
}
# shellcheck disable=SC2016 # backquotes of Markdown
readmes() {
  put src/io/README.md 'Left behind: `kinds*`, `{cube,made}.c`, `made.h.in` [word](word.h), `behind`, `src/base/err.c`.\n'
  put src/README.md '`*.c`, `err.h`, `sweep.h`, `run.h`\n'
  put kernels/README.md '`*.h`, `models/`\n'
  put jobscripts/README.md '`run.sh`\n'
  put analysis/README.md '`draw.py`\n'
}
clean_tree() {
  rm -rf -- "$tree"
  put .clang-format 'BasedOnStyle: LLVM\n'
  put .clang-tidy "$(cat -- "$here/../../.clang-tidy")"
  put kernels/lane.h '#include <math.h>\n#if SAL_LANES > 1\n#include <immintrin.h>\n#endif\n'
  put kernels/model.h 'int sal_model(int a);\n#ifdef SAL_LANES\n#include "lane.h"\n#endif\n'
  put kernels/models/flight.c '#include "model.h"\nint sal_model(int a) { return a; }\n'
  put src/base/err.h 'int sal_err(void);\n'
  put src/base/err.c '#include "err.h"\n#include <stdio.h>\nint sal_err(void) { return puts(""); }\n'
  put src/sweep/sweep.h '#include "model.h"\nint sal_sweep(void);\n'
  put src/sweep/sweep.c '#include "sweep.h"\n#include "err.h"\nint sal_sweep(void) { return sal_err(); }\n'
  put kernels/wide.h '#include "lane.h"\n'
  put src/ensemble/run.h 'int sal_run(void);\n'
  put src/ensemble/run.c '#include "model.h"\nint sal_run(void);\nint sal_run(void) { return sal_model(1); }\n'
  put src/sched/share.c 'int MPI_Barrier(void);\nint sal_share(void);\nint sal_share(void) { return MPI_Barrier(); }\n'
  put src/io/cube.c 'int H5close(void);\nint sal_cube(void);\nint sal_cube(void) { return H5close(); }\n'
  put src/app/main.c 'int sal_run(void);\nint sal_app(void);\nint sal_app(void) { return sal_run(); }\n'
  put src/io/made.h.in 'int sal_made;\n'
  put src/io/made.c '#if 0\n#include "made.h"\n#endif\nint sal_made;\n'
  put src/CMakeLists.txt '# no flags\n'
  put statics.table '# FILE VARIABLE\nsrc/io/made.c sal_made : why not\n'
  put libm.table 'floor : .* : exact\nexp : src/io/made.c : a bar\n'
  # shellcheck disable=SC2016 # texts of scripts
  put jobscripts/run.sh '#!/bin/sh\necho "$1"\n'
  put analysis/draw.py 'import os\nprint(os.name)\n'
  put src/io/kinds.h 'enum { SAL_KIND_A };\ntypedef struct sal_open sal_open;\n'
  put src/io/kinds_too.h 'typedef struct sal_open sal_open;\n'
  readmes
  put src/io/word.h '/* none */\nextern int behind;\n'
  # shellcheck disable=SC2016
  put ctest '#!/bin/sh\ncat "$0.json"\n'
  chmod +x "$tree/ctest"
  tests "$(a_test '["unit"]')"
}
add() { # FILE TEXT: at the end
  mkdir -p "$(dirname -- "$tree/$1")"
  printf '%b' "$2" >>"$tree/$1"
}
compile() {
  local file object comma=''
  (
    cd -- "$tree"
    printf '[\n' >compile_commands.json
    while read -r file; do
      object=build/$(dirname -- "$file")/CMakeFiles/$(basename -- "$file").o
      mkdir -p "$(dirname -- "$object")"
      "$cc" -g -fno-builtin -DSAL_LANES=1 -Ikernels -Isrc/base -Isrc/sweep -w -c "$file" -o "$object"
      ar rc "build/$(dirname -- "$file")/libsal_x.a" "$object"
      printf '%s{"directory": "%s", "file": "%s", "command": "cc -Ikernels -o %s -c %s"}\n' \
        "$comma" "$build" "$tree/$file" "${object#build/}" "$tree/$file" >>compile_commands.json
      comma=,
    done < <(find kernels src -name '*.c')
    printf ']\n' >>compile_commands.json
    mv compile_commands.json build/
  )
}

run() { # LINT
  case $1 in
    includes) bash "$here/layers.sh" "$tree" ;;
    layers) compile && bash "$here/layers.sh" "$tree" "$build" ;;
    symbols) compile && bash "$here/symbols.sh" "$build" ;;
    statics) compile && bash "$here/statics.sh" "$build" "$tree/statics.table" ;;
    libm) compile && bash "$here/libm.sh" "$build" "$cc" "$tree/libm.table" ;;
    format) bash "$here/format.sh" "$tree" "$clang_format" ;;
    size) bash "$here/size.sh" "$tree" ;;
    cppcheck) compile && bash "$here/cppcheck.sh" "$build" "$cppcheck" ;;
    names) named_tree && compile && python3 -B "$here/names.py" "$tree" "$build" ;;
    circles) compile && python3 -B "$here/circles.py" "$tree" "$build" ;;
    labels) python3 -B "$here/labels.py" "$tree" "$tree/ctest" ;;
    shell) bash "$here/shell.sh" "$tree" "$shellcheck" ;;
    tidy) compile && bash "$here/tidy.sh" "$build" "$clang_tidy" "$tree/src/io/cube.c" ;;
    python) bash "$here/python.sh" "$tree" "$pyflakes" ;;
    words) python3 -B "$here/words.py" "$tree" --all ;;
    readmes) python3 -B "$here/readmes.py" "$tree" ;;
  esac
}
named_tree() { # with the nouns of its files
  find "$tree" -name '*.[ch]' -exec sed -i 's/\bsal_model\b/sal_flight/g; s/\bsal_app\b/sal_main/g' {} +
}
tests() { # JSON: what ctest tells of the tests
  printf '{"tests": [%s]}' "$1" >"$tree/ctest.json"
}
unbuilt() {
  clean_tree
  compile
  rm -- "$build"/src/ensemble/CMakeFiles/run.c.o
  bash "$here/layers.sh" "$tree" "$build"
}
passes() { # LINT
  local out
  clean_tree
  if ! out=$(run "$1" 2>&1); then
    printf 'FAIL %s complains about a clean tree:\n%s\n' "$1" "$out"
    status=1
  fi
}
finds() { # LINT WHAT FILE TEXT: TEXT at the end of FILE makes LINT fail and say FILE and WHAT
  local out
  if $short && [ -n "${seen[$1]:-}" ]; then return; fi
  seen[$1]=yes
  clean_tree
  if [ "$3" = ctest ]; then tests "$4"; else add "$3" "$4"; fi
  planted=$((planted + 1))
  if out=$(run "$1" 2>&1); then
    printf 'FAIL %s does not see in %s: %s\n' "$1" "$3" "$4"
    status=1
  elif ! grep -qE -e "${3/#ctest/planted}.*$2" <<<"$out"; then
    printf 'FAIL %s should name %s and say "%s", but says:\n%s\n' "$1" "$3" "$2" "$out"
    status=1
  fi
}
calls() { # FILE SYMBOL: the layers test must object to this call
  finds layers "$2" "$1" "int $2(void);\nint sal_planted(void) { return $2(); }\n"
}

for lint in includes layers symbols statics libm format size cppcheck names circles labels shell python words readmes tidy; do passes $lint; done

finds includes 'kernels may not include src/base/err.h' kernels/models/flight.c '#include "err.h"\n'
finds includes 'base may not include kernels/model.h' src/base/err.c '#include "model.h"\n'
finds includes 'sweep may not include src/ensemble/run.h' src/sweep/sweep.c '#include "../ensemble/run.h"\n'
finds includes 'kernels may not include <stdio.h>' kernels/models/flight.c '#include <stdio.h>\n'
finds includes 'kernels may not include <stdlib.h>' kernels/model.h ' # include <stdlib.h>\n'
finds includes 'may not use MPI' src/ensemble/run.c '#include <mpi.h>\n'
finds includes 'may not use HDF5' src/app/main.c '#include <H5public.h>\n'
finds includes 'may not use SUNDIALS' src/app/main.c '#include <cvode/cvode.h>\n'
finds includes 'may not use OPENMP' src/sched/share.c '#include <omp.h>\n'
finds includes 'may not use LAPACK' src/io/cube.c '#include <lapacke.h>\n'
finds includes 'may not use YAML' src/ensemble/run.c '#include <yaml.h>\n'
finds includes 'may not use GSL' src/ensemble/run.c '#include <gsl/gsl_qrng.h>\n'
finds includes 'may not use XXHASH' src/ensemble/run.c '#include <xxhash.h>\n'
finds includes 'may not use THREADS' src/ensemble/run.c '#include <pthread.h>\n'
finds includes 'sweep may not include src/io/made.h' src/sweep/sweep.c '#include "made.h"\n'
finds includes 'of no library' src/app/main.c '#include <curl/curl.h>\n'
finds includes 'not a header of the project' src/app/main.c '#include "nowhere.h"\n'
finds includes 'must name its file' src/app/main.c '#include HEADER\n'
finds includes 'no row' src/new/new.c 'int sal_new;\n'
finds includes 'intrinsics' kernels/models/flight.c '#include <immintrin.h>\n'
finds includes 'intrinsics' src/ensemble/run.c 'void *sal_x = _mm256_setzero_pd;\n'
finds includes 'intrinsics' kernels/model.h '__m512d sal_y;\n'
finds includes 'has a width' src/ensemble/run.c '#include "lane.h"\n'
finds includes 'has a width' src/sweep/sweep.h '#include "wide.h"\n'
finds includes 'only kernels have a width' src/sweep/sweep.c '#define SAL_LANES 8\n'
finds includes 'only kernels have a width' src/CMakeLists.txt 'add_compile_definitions(SAL_LANES=8)\n'
finds includes 'options belong' src/ensemble/tile_run.c 'const char *sal_word = "--error";\n'
finds includes 'threads belong' src/io/cube.c '#pragma omp parallel\n'

for symbol in malloc calloc free printf snprintf exp sin pow MPI_Send H5Fopen PetscInitialize \
  GOMP_parallel omp_get_thread_num; do
  calls kernels/models/flight.c $symbol
done
calls kernels/models/flight.c sal_err
calls src/base/err.c sal_sweep
calls src/ensemble/run.c MPI_Send
calls src/sweep/sweep.c MPI_Send
calls src/ensemble/run.c ompi_mpi_comm_world
calls src/app/main.c H5Fopen
calls src/sched/share.c H5Fopen
calls src/sched/share.c GOMP_parallel
calls src/app/main.c yaml_parser_parse
calls src/io/cube.c LAPACKE_dgeev
calls src/io/cube.c dgeev_
calls src/app/main.c PetscInitialize
calls src/app/main.c CVode
calls src/app/main.c N_VNew_Serial
calls src/ensemble/run.c pthread_create
calls src/ensemble/run.c gsl_qrng_alloc

finds symbols 'helper is visible' src/ensemble/run.c 'int helper(void) { return 1; }\n'
finds symbols 'count is visible' src/io/cube.c 'int count;\n'
finds symbols 'sal_cube is defined more than once' src/app/main.c 'int sal_cube(void) { return 1; }\n'
finds statics 'count is a variable that all threads share' src/ensemble/run.c 'static int count;\nint sal_n(void) { return ++count; }\n'
finds statics 'calls is a variable that all threads share' src/io/cube.c 'int sal_n(void) { static int calls; return ++calls; }\n'
finds statics 'word is a variable that all threads share' src/io/cube.c 'static const char *word = "a";\nvoid sal_n(const char *t) { word = t; }\nconst char *sal_m(void) { return word; }\n'
finds libm 'sin has other last bits' src/ensemble/run.c 'double sin(double);\ndouble sal_n(double x) { return sin(x); }\n'
finds libm 'exp has other last bits' src/io/cube.c 'double exp(double);\ndouble sal_n(double x) { return exp(x); }\n'
finds libm 'dgemm_ has other last bits' src/io/cube.c 'void dgemm_(void);\nvoid sal_n(void) { dgemm_(); }\n'
finds statics 'src/io/cube.c has no variable gone' statics.table 'src/io/cube.c gone : x\n'
finds format 'clang-format-violations' src/ensemble/run.c 'int   sal_ugly  ( void ) ;\n'
finds size '451 lines' src/ensemble/run.c "$(printf '\\n%.0s' {1..448})"
finds size '.' src/ensemble/run.c '/* TO''DO: finish */\n'
finds size '.' jobscripts/go.sh '# FIX''ME\n'
finds size '.' analysis/plot.py 'open("/ho''me/somebody/cube.h5")\n'
finds size '.' sweeps/flight.yaml 'path: /wo''rk/cube\n'
finds cppcheck 'zerodiv' src/ensemble/run.c 'int sal_bad(void) { int z = 0; return 1 / z; }\n'
finds names 'exports sal_other, which does not begin with sal_cube' src/io/cube.c 'int sal_other(void) { return 1; }\n'
finds names 'exports sal_cubist, which' src/io/cube.c 'int sal_cubist;\n'
finds names 'exports sal_strategy_cube, which' src/io/cube.c 'int sal_strategy_cube;\n'
finds names 'sal_err has several meanings: .*err.h \(function\)' src/base/arr.h 'int sal_err(void);\n'
finds names 'sal_thing is a type and a function' src/base/arr.h 'typedef struct {int a;} sal_thing;\nint sal_thing(void);\n'
finds names 'SAL_KIND_A has several meanings' src/base/arr.h 'enum { SAL_KIND_A };\n'
finds names 'constants SAL_KIND_.. have several meanings' src/base/arr.h 'enum { SAL_KIND_C = 1 };\n'
finds circles 'a circle of includes: src/base/err -> ' src/base/err.h '#include "sweep.h"\n'
finds circles 'sal_run: a circle of calls: kernels/models/flight -> src/ensemble/run -> ' kernels/models/flight.c \
  'int sal_run(void);\nint sal_back(void);\nint sal_back(void) { return sal_run(); }\n'
finds labels 'labels \[\]' ctest "$(a_test '[]')"
finds labels "labels \['mpi', 'unit'\]" ctest "$(a_test '["unit", "mpi"]')"
finds labels "labels \['nightly'\]" ctest "$(a_test '["nightly"]')"
finds labels 'SKIP_RETURN_CODE' ctest "$(a_test '["unit"]' SKIP_RETURN_CODE)"
# shellcheck disable=SC2016
finds shell 'SC2086' jobscripts/run.sh 'echo $2\n'
# shellcheck disable=SC2016
finds shell 'SC2086' jobscripts/go.sbatch '#!/bin/sh\necho $2\n'
finds tidy 'NullDereference' src/io/cube.c 'int sal_bad(void) { int *p = 0; return *p; }\n'
finds words "'behind'; write: after" src/io/cube.c '/* The byte behind it. */\n'
finds words "'is no number'; write: is not" src/io/cube.c 'const char *sal_text = "x is no "\n  "number";\n'
finds words "'learnt'; write: known" src/io/README.md 'Costs are learnt.\n'
finds words "'Nobody'" analysis/draw.py '"""Nobody draws."""\n'
finds words "'lucky'" jobscripts/run.sh '# a lucky one\n'
finds words "'What'; write: the name" src/io/cube.c '/* What a cube keeps. */\n'
finds words "'Those'; write: the name" src/io/README.md 'A cube has cells. Those are numbered.\n'
finds words "what is drawn" analysis/draw.py 'add("file", help="what is drawn")\n'
finds words "Of 3 states" analysis/draw.py 'note("Of 3 states two are drawn")\n'
finds words "'is no'; write: is not" src/io/cube.c '/* There is no room. */\n'
finds words "'is no'; write: is not" src/io/cube.c '/* A cube is no journal. */\n'
finds words "'told'; write: prints" src/io/cube.c '/* The rank is told. */\n'
finds words "'knows'; write: the field" src/io/README.md 'The cube knows its cells.\n'
# shellcheck disable=SC2016
finds readmes 'gone.c: no such file' src/io/README.md '\n`gone.c` does it.\n'
finds readmes 'err.c: no such file' src/io/README.md '\n[errors](err.c)\n'
finds readmes 'src/io/README.md does not name it' src/io/more.c 'int sal_more;\n'
finds readmes 'analysis/README.md does not name it' analysis/more.py 'print()\n'
finds python 'imported but unused' analysis/draw.py 'import sys\n'

named_wing() { # LAYER WING: a row of the core that names a wing
  sed "s/^$1 *:/& $2/" "$here/layers.table" >"$root/layers.table"
  clean_tree
  SAL_LAYERS_TABLE=$root/layers.table bash "$here/layers.sh" "$tree" 2>&1 || true
}
for pair in 'sweep equations' 'driver study' 'base sweep' 'io app'; do
  read -r layer wing <<<"$pair"
  planted=$((planted + 1))
  if ! grep -qE "row $layer may not name (the [a-z]* )?$wing" <<<"$(named_wing "$layer" "$wing")"; then
    printf 'FAIL layers does not see that the row of %s names %s\n' "$layer" "$wing"
    status=1
  fi
done
if unbuilt >/dev/null 2>&1; then
  printf 'FAIL layers is content with a build that lacks an object\n'
  status=1
fi
[ $status -ne 0 ] || printf 'all %s planted violations were found\n' $planted
exit $status
