/** @file src/ensemble/cell_search.h
 *  What the ways of finding cycles share: the cells of a call, and Newton's iteration on some of them.
 *  Of this folder's cell_*.c alone.
 */
#ifndef SAL_CELL_SEARCH_H
#define SAL_CELL_SEARCH_H

#include "cell_cycle.h"
#include "seed.h"
#include "tile_tasks.h"

enum { SAL_CELL_APEX_MESH = 512 };

/* The way from the anchor to a cell, 0 to 1. */
typedef struct {
  double at, step; /* how far it is; next step */
  double before;   /* the point before that; < 0: none */
  int steps;       /* taken, or tried */
  bool under_way;
} sal_cell_path;

struct sal_cell_cycles {
  const sal_sweep *sweep;
  int n_state, n_param, n_guard, width;
  sal_return_map map[SAL_SEED_PERIODS]; /* by number of returns, from 1 */
  bool made[SAL_SEED_PERIODS];
  double *anchor_y;
  bool *anchor_closed;
  /* of the cells of a call, SAL_TILE_MOST each */
  double *y, *last, *earlier; /* [n_state] the cycle's; of its path: points found before */
  bool *closed, *last_closed; /* [n_guard] */
  double *param;              /* [n_param] along the path */
  double *memory;             /* [SAL_SEED_PERIODS][n_state] */
  sal_seed seed[SAL_TILE_MOST];
  sal_cell_path path[SAL_TILE_MOST];
  sal_cycle *trial;
  int64_t index[SAL_TILE_MOST];
  double *apex; /* [SAL_CELL_APEX_MESH + 1][n_state] */
  void *work;   /* of a single run */
};

/** The map of k returns, made when it is first needed. */
SAL_MUST_CHECK sal_err sal_cell_search_map(sal_cell_cycles *c, int k, const sal_return_map **out);

/** Copies a state [n_state] and its mode [n_guard]. */
void sal_cell_search_copy(const sal_cell_cycles *c, const double y[], const bool closed[],
                          double to[], bool to_closed[]);

/** Newton's iteration on the n cells of index, from their y and closed: trial [n] receives what came of
 *  them.  iterations 0: the preset. */
SAL_MUST_CHECK sal_err sal_cell_search_newton(sal_cell_cycles *c, int k, int iterations, int64_t n,
                                              const double *const param[]);

/** A cycle of k returns has been found in a cell; one that closes sooner is one of fewer. */
SAL_MUST_CHECK sal_err sal_cell_search_take(sal_cell_cycles *c, sal_cycle *found, int k,
                                            sal_long_run_seed from, sal_cell_cycle *out);

/** Seeks cycles from simulations, in the cells that have none (cell_seeds.c). */
SAL_MUST_CHECK sal_err sal_cell_seeds_find(sal_cell_cycles *c, int64_t count, const double param[],
                                           const double initial[], sal_cell_cycle out[]);

/** The same on paths from the anchor (cell_paths.c). */
SAL_MUST_CHECK sal_err sal_cell_paths_find(sal_cell_cycles *c, int64_t count, const double param[],
                                           sal_cell_cycle out[]);

#endif
