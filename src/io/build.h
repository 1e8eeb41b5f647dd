/** This program: its version, how it was built, and the libraries it runs with; and the run that a file
 *  comes from.
 */
#pragma once

/** Strings are static. */
typedef struct {
  const char *version, *commit, *compiler, *flags;
  char hdf5[32], mpi[128]; /* MPI: the first line of what the library calls itself */
} sal_build;

void sal_build_describe(sal_build *build);

/** The run that a file comes from; strings are borrowed. */
typedef struct {
  const char *command; /* the command line */
  const char *engine;  /* how the text of the model was computed; NULL: it is none of equations */
  const char *machine; /* or machines, that its cells come of (machine.h) */
  const char *
      validation; /* what the validation cells of its pilots lost, in words; NULL: there are none */
  int ranks, threads, width;
  double wall_seconds;
} sal_origin;
