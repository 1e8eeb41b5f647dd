/** @file src/io/build.h
 *  What this program is: its version, how it was built, and the libraries it runs with.
 */
#ifndef SAL_BUILD_H
#define SAL_BUILD_H

/** Strings are static. */
typedef struct {
  const char *version, *commit, *compiler, *flags;
  char hdf5[32], mpi[128]; /* MPI: the first line of what the library calls itself */
} sal_build;

void sal_build_describe(sal_build *build);

#endif
