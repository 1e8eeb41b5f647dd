/** @file src/app/refine_plan.h
 *  Which cells `saltus refine` adds to a cube, as the text of a sweep.
 */
#ifndef SAL_REFINE_PLAN_H
#define SAL_REFINE_PLAN_H

#include "cli_option.h"
#include "run_sweep.h"

/** The options as given; strings are borrowed. */
typedef struct {
  const char *cube, *sweep;
  int64_t cells; /* 0: not given */
  bool dry;
  sal_cli_texts recorded;
  sal_run_options run;
} sal_refine_request;

/** What one rank makes of the cube for all. */
typedef struct {
  char *text;     /* of the refined sweep, to be freed with sal_free */
  int64_t n_cell; /* of the cube */
} sal_refine_plan;

/** Makes the sweep, on one rank.  With `dry` its new cells are printed, and no text is kept. */
SAL_MUST_CHECK sal_err sal_refine_plan_make(const sal_refine_request *request,
                                            sal_refine_plan *plan);

#endif
