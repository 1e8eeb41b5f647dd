/** Shooting by PETSc's SNES: the same orbits as src/orbit/cycle.h, by a library's solver, over one
 *  piece or over several.
 *
 *  The unknowns are the smallest set: the states that points of the section may differ in (and, over
 *  several pieces, points of each event's surface), over their sizes at the guess; the Jacobian is
 *  that of the tangent vectors.  Pieces are the phases between events: an orbit that leaves its guess
 *  far off within a period may still be found over them.
 *
 *  PETSc is one library per process and takes one thread at a time: Debian's is built without thread
 *  safety, and one SNES per thread does not help, since its lists of objects and its log are shared.
 *  So cells go through SNES one after the other, on the main thread, each with a SNES of its own
 *  (60 us, less than one run of the map); whole sweeps go through sal_cycle_find, which the tests
 *  compare with this.  PETSc is started for the first of them (libs/petsc/petsc_start.h); no option of the
 *  environment changes a solve.
 */
#pragma once

#include "cycle.h"

/** Over what. */
typedef enum {
  SAL_SHOOTING_SINGLE,   /* one piece: the whole return */
  SAL_SHOOTING_MULTIPLE, /* one piece for each phase */
  SAL_SHOOTING_EITHER,   /* one piece; several where that fails */
} sal_shooting_way;

/** Report of SNES. */
typedef struct {
  int pieces;         /* of the last try */
  int iterations;     /* of it */
  double norm;        /* of the residual at its end, over the unknowns' sizes */
  const char *reason; /* why it ended, in words */
} sal_shooting_report;

/** Seeks the orbit of one cell as sal_cycle_find does: why it failed stands in the cell and in the
 *  report.  Fails for want of memory, or where PETSc itself fails. */
sal_err sal_shooting_find(const sal_return_map *map, const sal_cycle_setup *setup,
                          sal_shooting_way way, sal_cycle *cell, sal_shooting_report *report);

/* The pieces that shooting cuts an orbit into: the whole return, or one for each phase. */

/** From one surface to the next. */
typedef struct {
  sal_return_map *map; /* ends at the next surface; its unknowns are all states that do not drift */
  double y[SAL_MAX_STATE], end[SAL_MAX_STATE]; /* at its start, by the last iterate */
  bool *closed, *end_closed;                   /* [n_guard] */
  double *dp;                                  /* [map->n_unknown]^2 */
  double time;
  int first, n; /* its part of u, in which the start may differ in .. */
  int unknown[SAL_MAX_STATE];
  double size[SAL_MAX_STATE];
} sal_shooting_piece;

/** The problem that SNES solves. */
typedef struct {
  const sal_return_map *map;
  const double *param;
  int n_piece, n;         /* pieces; length of u */
  sal_shooting_piece *at; /* [n_piece] */
  sal_return_end why;     /* of the last piece that was run */
  sal_err err;
} sal_shooting_problem;

/** One piece from the cell's point on the section back to it. */
sal_err sal_shooting_pieces_whole(sal_shooting_problem *s, const sal_cycle *c);
/** One for each phase of the return that begins at the cell's point; *flaw: the reason if it cannot be cut,
 *  else NULL. */
sal_err sal_shooting_pieces_phases(sal_shooting_problem *s, const sal_cycle *c, const char **flaw);
void sal_shooting_pieces_free(sal_shooting_problem *s);

/** Begins all pieces at u [n]. */
void sal_shooting_pieces_place(sal_shooting_problem *s, const double u[]);
/** Runs all pieces, with derivatives if asked; false when one does not reach its end, or memory is
 *  wanting (s->err). */
bool sal_shooting_pieces_run(sal_shooting_problem *s, bool derivatives);
