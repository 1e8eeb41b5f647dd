/** A run of a sweep, from its journals to its cube: what commands that run sweeps share. */
#pragma once

#include "run_cells.h"

/** Events of a run, in this order. */
typedef enum {
  SAL_RUN_BEGINS,   /* the sweep is about to be run */
  SAL_RUN_FOUND,    /* the journals were opened */
  SAL_RUN_REUSES,   /* trajectories of an earlier cube or of journals are taken over: `reuse` */
  SAL_RUN_MACHINES, /* cells come of unlike machines: `why` names them */
  SAL_RUN_PILOTS,   /* the pilots are run: `why` is the result of the validation cells */
  SAL_RUN_NO_MAP,   /* the cube has none: `why` */
  SAL_RUN_JOURNALS_STAY, /* the cube is there, but they could not be removed: `why` */
  SAL_RUN_ENDS,          /* the cube is there, or the journals of the part */
  SAL_N_RUN_EVENT
} sal_run_event;

/** Data of an event; everything is borrowed. */
typedef struct {
  const sal_sweep *sweep;
  const char *out, *folder; /* the cube, the journals */
  int ranks, threads, width;
  sal_job_part part;
  int64_t cells, found; /* the run is to have; had at the beginning */
  int64_t damaged;      /* records found broken */
  int64_t aside;        /* journals set aside */
  const char *from;     /* that trajectories are taken over from, or NULL */
  const sal_reuse_count *reuse;
  double seconds;         /* since the command began */
  const char *why;        /* or NULL */
  const sal_run_use *use; /* SAL_RUN_ENDS: [ranks], or NULL */
} sal_run_news;

/** Options of a run; strings are borrowed. */
typedef struct {
  const char *out, *status; /* the cube; a file of JSON lines, or NULL */
  const char *command;      /* the command line, for the cube */
  const char *hints;        /* for MPI-IO (hints.h), or NULL */
  const char
      *from; /* a cube or journals that trajectories are taken over from (reuse.h), or NULL */
  sal_job_part part;
  double every, sync; /* [s] */
  double silence;     /* [s] after which a host is lost (node.h); 0: as it is */
  bool force, quiet;
  bool same_cpu; /* refuse cells of unlike machines (machine.h) */
  bool
      once; /* the same command does not go on: its journals do not stay after a failure or a signal */
  bool map; /* is the cube to have one? */
  /* Called on rank 0 unless quiet; NULL: nothing is said. */
  void (*print)(sal_run_event event, const sal_run_news *news);
  /* NULL, or collective: puts cells that are known already into the open journals. */
  sal_err (*seed)(void *with, sal_journal *journal);
  void *with;
} sal_run_options;

/** On one rank: can the output be written?  Journals beside one that exists are named. */
sal_err sal_run_claim(const sal_run_options *options);

/** Collective.  Runs what the journals beside the output lack, then writes the cube (or, of a part,
 *  leaves the journals).  SAL_ERR_STOPPED after a signal: the same again goes on.  began:
 *  sal_clock_wall when the command did. */
sal_err sal_run_sweep(MPI_Comm comm, double began, const sal_run_options *options,
                      const sal_sweep *sweep);

/** Bytes of memory that each rank of a run has before there is a cell: the program with MPI, HDF5 and
 *  libraries of solvers, and the values of points. */
double sal_run_bytes(const sal_sweep *sweep);

/* ---- The pilots of a run, from the journals, and their worth (pilots.h). ---- */

/** Collective.  Reads pilots and validation cells, which are in the journals, each rank its share.  On all ranks *out, which
 *  sal_pilots_free frees, and *validation, what the validation cells lost, in words, freed with sal_free. */
sal_err sal_pilot_cells_read(const sal_journal *journal, sal_pilots **out, char **validation);
