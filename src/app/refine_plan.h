/** @file src/app/refine_plan.h
 *  Which cells `saltus refine` adds to a cube, as the text of a sweep.
 */
#ifndef SAL_REFINE_PLAN_H
#define SAL_REFINE_PLAN_H

#include "performance_cube.h"
#include "run_sweep.h"

/** The options as given; strings are borrowed. */
typedef struct {
  const char           *cube, *error, *sweep;
  int64_t               budget; /* 0: not given */
  bool                  dry;
  sal_performance_words table;
  sal_run_options       run;
} sal_refine_request;

/** What one rank makes of the cube for all. */
typedef struct {
  char   *text;   /* of the refined sweep, to be freed with sal_free */
  int64_t n_cell; /* of the cube */
} sal_refine_plan;

/** Chooses the cells, on one rank.  With `dry` they are printed, and there is no text. */
SAL_MUST_CHECK sal_err sal_refine_plan_make(const sal_refine_request *request,
                                            sal_refine_plan          *plan);

#endif
