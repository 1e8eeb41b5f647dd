/** @file src/study/shooting_pieces.h
 *  The pieces that shooting cuts an orbit into: the whole return, or one for each phase.
 */
#ifndef SAL_SHOOTING_PIECES_H
#define SAL_SHOOTING_PIECES_H

#include "cycle.h"

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
SAL_MUST_CHECK sal_err sal_shooting_pieces_whole(sal_shooting_problem *s, const sal_cycle *c);
/** One for each phase of the return that begins at the cell's point; *flaw: the reason if it cannot be cut,
 *  else NULL. */
SAL_MUST_CHECK sal_err sal_shooting_pieces_phases(sal_shooting_problem *s, const sal_cycle *c,
                                                  const char **flaw);
void sal_shooting_pieces_free(sal_shooting_problem *s);

/** Begins all pieces at u [n]. */
void sal_shooting_pieces_place(sal_shooting_problem *s, const double u[]);
/** Runs all pieces, with derivatives if asked; false when one does not reach its end, or memory is
 *  wanting (s->err). */
bool sal_shooting_pieces_run(sal_shooting_problem *s, bool derivatives);

#endif
