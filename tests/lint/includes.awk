# Checks every #include of the files given (paths from the top of the tree) against the table.

BEGIN {
  read_table()
  check_groups()
}

FNR == 1 {
  known[FILENAME] = 1
  depth = 0
  if (!(layer_of(FILENAME) in row) && !(layer_of(FILENAME) in reported)) {
    reported[layer_of(FILENAME)] = 1
    complain(FILENAME ":1: folder has no row in tests/lint/layers.table")
  }
}
/^[ \t]*#[ \t]*if/ { condition[++depth] = $0 }
/^[ \t]*#[ \t]*el/ { condition[depth] = "" }
/^[ \t]*#[ \t]*endif/ { depth-- }
/^[ \t]*#[ \t]*include/ {
  n++
  from[n] = FILENAME
  where[n] = FILENAME ":" FNR ": "
  text = $0
  sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
  quote[n] = substr(text, 1, 1)
  sub(/^["<]/, "", text)
  sub(/[">].*/, "", text)
  name[n] = text
  guarded[n] = 0
  for (i = 1; i <= depth; i++)
    if (condition[i] ~ /(ifdef|defined)[ \t(]*SAL_LANES/) guarded[n] = 1
}

# The file that `"header"` in `file` names: beside it, where it may be made from a template, or in the
# folder of any one layer.
function resolve(file, header,    path, folder, found, k) {
  path = file
  sub(/[^\/]*$/, "", path)
  path = plain(path header)
  if (path in known || (path ".in") in known) return path
  # anywhere in a layer: a layer may have rooms (src/io/cube/)
  for (k in known) {
    if (k !~ /^(kernels|src\/[^\/]+(\/[^\/]+)?)\/[^\/]+$/) continue
    path = k
    sub(/\.in$/, "", path)
    if (substr(path, length(path) - length(header)) == "/" header) found = found (found == "" ? "" : " ") path
  }
  return found
}

function plain(path) {
  while (sub(/[^\/.]+\/\.\.\//, "", path)) continue
  gsub(/\/\.\//, "/", path)
  return path
}

function library_of(header) {
  if (header ~ /^mpi(o|-ext)?\.h$/) return "MPI"
  if (header ~ /^(hdf5|hdf5_hl|H5[A-Za-z0-9_]*)\.h$/) return "HDF5"
  if (header ~ /^petsc/) return "PETSC"
  if (header ~ /^(sundials|cvode|arkode|nvector|sunmatrix|sunlinsol|sunnonlinsol)\//) return "SUNDIALS"
  if (header ~ /^omp(-tools)?\.h$/) return "OPENMP"
  if (header ~ /^(lapacke?|lapacke_.*|cblas|f77blas|openblas_config)\.h$/) return "LAPACK"
  if (header ~ /^yaml\.h/) return "YAML"
  if (header ~ /^libxml\//) return "XML2"
  if (header ~ /^gsl\//) return "GSL"
  if (header ~ /^xxh(ash|3)\.h$/) return "XXHASH"
  if (header ~ /^(zlib|zconf)\.h$/) return "ZLIB"
  if (header ~ /(intrin|arm_neon)\.h$/) return "INTRINSICS"
  if (header ~ /^(pthread|threads|semaphore)\.h$/) return "THREADS"
  if (header == "dlfcn.h") return "LOADER"
  if (header == "saltus/saltus.h") return "SALTUS" # our own, installed
  if (header ~ /^(assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp)\.h$/ ||
      header ~ /^(malloc|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib)\.h$/ ||
      header ~ /^(stdnoreturn|string|tgmath|time|uchar|wchar|wctype)\.h$/ ||
      header ~ /^(alloca|argp|dirent|fcntl|fnmatch|getopt|glob|libgen|poll|sched|spawn)\.h$/ ||
      header ~ /^(strings|sysexits|termios|unistd|sys\/[a-z]+|sys\/platform\/x86|gnu\/libc-version)\.h$/) return "C"
  return "unknown"
}

# Headers of C that a kernel may need: types and arithmetic, no output, no allocation.
function arithmetic(header) {
  return header ~ /^(assert|float|limits|math|stdalign|stdatomic|stdbool|stddef|stdint|string)\.h$/
}

function check_ours(i,    target, own, other) {
  target = resolve(from[i], name[i])
  if (target == "") {
    complain(where[i] "\"" name[i] "\" is not a header of the project")
    return
  }
  if (target ~ / /) {
    complain(where[i] "\"" name[i] "\" may mean any of " target)
    return
  }
  file[i] = target
  own = layer_of(from[i])
  other = layer_of(target)
  if (own != other && !((own, other) in sees))
    complain(where[i] "layer " own " may not include " target)
}

function check_foreign(i,    own, library) {
  own = layer_of(from[i])
  library = library_of(name[i])
  if (library == "INTRINSICS") {
    if (from[i] != "kernels/lane.h") complain(where[i] "intrinsics belong into kernels/lane.h")
  } else if (library == "unknown") {
    complain(where[i] "<" name[i] "> is of no library in tests/lint/includes.awk")
  } else if (library == "C") {
    if (own == "kernels" && !arithmetic(name[i]))
      complain(where[i] "kernels may not include <" name[i] ">")
  } else if (!((own, library) in uses)) {
    complain(where[i] "layer " own " may not use " library " (<" name[i] ">)")
  }
}

END {
  for (i = 1; i <= n; i++) {
    if (quote[i] == "\"") check_ours(i)
    else if (quote[i] == "<") check_foreign(i)
    else complain(where[i] "an include must name its file")
  }
  # Headers that need SAL_LANES: lane.h, and those that include such a one outside #ifdef SAL_LANES.
  lane["kernels/lane.h"] = 1
  do {
    grown = 0
    for (i = 1; i <= n; i++)
      if ((file[i] in lane) && !guarded[i] && from[i] ~ /^kernels\/.*\.h$/ && !(from[i] in lane))
        grown = lane[from[i]] = 1
  } while (grown)
  for (i = 1; i <= n; i++)
    if ((file[i] in lane) && layer_of(from[i]) != "kernels")
      complain(where[i] file[i] " has a width; outside of kernels only what has none may be seen")
  if (!n) complain("no #include found: wrong folder?")
  exit wrong
}
