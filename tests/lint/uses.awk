# Checks what object files refer to. Input: "OBJECT[member]: NAME TYPE ..." of nm -AP, the path of
# OBJECT taken from the top of the build tree. Prints "OBJECT NAME complaint".

BEGIN { read_table() }

{
  object = $1
  sub(/:$/, "", object)
  if ($3 == "U" || $3 == "w" || $3 == "v") {
    n++
    from[n] = object
    name[n] = $2
  } else if ($3 ~ /^[A-Z]$/) {
    home[$2] = layer_of(object)
    has[home[$2], $2] = 1
  }
}

function library_of(symbol) {
  if (symbol ~ /^P?MPIX?_|^ompi_/) return "MPI"
  if (symbol ~ /^H5/) return "HDF5"
  if (symbol ~ /^(Petsc|TS|SNES|KSP|Mat|Vec)[A-Z]/) return "PETSC"
  if (symbol ~ /^CVode$|^(CVode|ARKStep|ERKStep|ARKode|N_V|SUN)[A-Z]/) return "SUNDIALS"
  if (symbol ~ /^(GOMP_|omp_|__kmpc_)/) return "OPENMP"
  if (symbol ~ /^(LAPACKE_|cblas_|openblas_|[sdcz][a-z][a-z0-9]*_$)/) return "LAPACK"
  if (symbol ~ /^c?yaml_/) return "YAML"
  if (symbol ~ /^xml[A-Z]/) return "XML2"
  if (symbol ~ /^gsl_/) return "GSL"
  if (symbol ~ /^XXH/) return "XXHASH"
  if (symbol ~ /^(deflate|inflate|compress|uncompress)(Init|Reset|End|Bound|2)?_?$/) return "ZLIB"
  if (symbol ~ /^(pthread_|thrd_|mtx_|cnd_|sem_)/) return "THREADS"
  if (symbol ~ /^dl(open|close|v?sym|error)$/) return "LOADER"
  return "C"
}

# All a kernel may call: moving and comparing bytes, sqrt, assert, and gcc's queries of the CPU.
function pure(symbol) {
  return symbol ~ /^(mem(cpy|move|set|cmp)|str(len|cmp|ncmp)|sqrt|__assert_fail)$/ ||
         symbol ~ /^(_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__cpu_(model|features2|indicator_init))$/
}

END {
  for (i = 1; i <= n; i++) {
    own = layer_of(from[i])
    library = library_of(name[i])
    if ((own, name[i]) in has) continue
    if (name[i] == "sal_petsc_calls_find" && !((own, "PETSC") in uses)) # by which its functions are called
      complain(from[i] " " name[i] " layer " own " may not use PETSC")
    if (name[i] in home) {
      if (!((own, home[name[i]]) in sees))
        complain(from[i] " " name[i] " layer " own " may not call layer " home[name[i]])
    } else if (library != "C") {
      if (!((own, library) in uses))
        complain(from[i] " " name[i] " layer " own " may not use " library)
    } else if (own == "kernels" && !pure(name[i])) {
      complain(from[i] " " name[i] " kernels may not call this")
    }
  }
  exit wrong
}
