/** @file src/sweep/raw.h
 *  The values of a sweep file, each checked by itself (raw_read.h).
 */
#ifndef SAL_RAW_H
#define SAL_RAW_H

#include "model.h"
#include <stdint.h>

/** An axis.  The document tells which of it is there; axis_read.c takes the ranks from here, and the
 *  numbers, whose ranges depend on them, from their nodes. */
typedef struct {
  int32_t name, *columns; /* ranks in SAL_ENUM_NAMES, SAL_ENUM_COLUMNS */
  double points, seed;
  uint32_t n_columns;
} sal_raw_axis;

/** Numbers as they are, words by their rank in sal_enum_words_gather; 0 where not given. */
typedef struct {
  const char *title, *model_text; /* borrowed from the document */
  int32_t model, jacobian, reference, measure, unsupported, contacts, points, map_by, width;
  int32_t option[SAL_MAX_OPTION];
  double param[SAL_MAX_PARAM], initial[SAL_MAX_STATE]; /* 0 where not given */
  double t_end, reference_tolerance, mesh, floor, max_step, max_attempts, zone, step, repeats,
      every;
  double returns, alike, longest_cycle, hops, orbit_tolerance, closure, longest, bound, graze,
      flight, anchor_returns, cap_error, cap_factor, cap_reference, budget_factor, budget_least,
      budget_work;
  int32_t *columns, *scattered, *strategies, *find, *seeds;
  double *tolerances, *epsilon;
  sal_raw_axis *axes;
  uint32_t n_columns, n_scattered, n_strategies, n_tolerances, n_epsilon, n_axes, n_find, n_seeds;
} sal_raw;

#endif
