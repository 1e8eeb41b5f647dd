/** @file src/sweep/stored_trajectories.h
 *  Which trajectories are kept, and at which points: those of all configurations, and the reference, in
 *  some of the cells.
 *
 *  Cells are counted from 0 here, and from 1, like the coordinate `cell` of a cube, in
 *  files and messages.
 */
#ifndef SAL_STORED_TRAJECTORIES_H
#define SAL_STORED_TRAJECTORIES_H

#include "err.h"
#include "tile.h"
#include <stdint.h>

/** Zero is none. */
typedef struct {
  int64_t n_cell;
  int64_t *cell;  /* [n_cell] rising; sal_stored_free frees */
  int64_t n_mesh; /* kept at t_j = t_end j / n_mesh, j = 0 .. n_mesh */
} sal_stored_trajectories;

void sal_stored_free(sal_stored_trajectories *stored);

/* Failures have the code given, and a message headed by `where`. */

/** The cells of a word, "17" or "20-29", out of n_cell. */
SAL_MUST_CHECK sal_err sal_stored_word(sal_err code, const char *where, const char *word,
                                       int64_t n_cell, sal_tile *run);
/** Lists the cells of runs, which it sorts; none may be there twice.  Replaces the list in *out. */
SAL_MUST_CHECK sal_err sal_stored_cells(sal_err code, const char *where, int64_t n, sal_tile run[],
                                        sal_stored_trajectories *out);
/** The same from words with commas between, "1,17,20-29", or "all". */
SAL_MUST_CHECK sal_err sal_stored_parse(sal_err code, const char *where, const char *list,
                                        int64_t n_cell, sal_stored_trajectories *out);
/** The points: `every` apart, or a little less, so that the last one is t_end. */
SAL_MUST_CHECK sal_err sal_stored_points(sal_err code, const char *where, double every,
                                         double t_end, sal_stored_trajectories *out);

/** Bytes of all values: trajectories of so many configurations and of the reference, with n_state
 *  states and a mode at each point. */
double sal_stored_bytes(const sal_stored_trajectories *stored, int configs, int n_state);
/** Refuses more than 10^12 bytes. */
SAL_MUST_CHECK sal_err sal_stored_fits(sal_err code, const char *where,
                                       const sal_stored_trajectories *stored, int configs,
                                       int n_state);

#endif
