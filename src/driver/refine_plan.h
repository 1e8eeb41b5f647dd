/** @file src/driver/refine_plan.h
 *  Which cells a refinement adds to a cube, as the text of a sweep.
 */
#ifndef SAL_REFINE_PLAN_H
#define SAL_REFINE_PLAN_H

#include "err.h"
#include <stdbool.h>
#include <stdint.h>

/** What is wanted; strings are borrowed. */
typedef struct {
  const char *cube;
  int64_t cells; /* to add, at most */
  bool any;      /* the cells of the cube may be those of another version of this program */
  bool dry;      /* none of them is going to be copied: they need not be verified */
} sal_refine_request;

/** The sweep: with the old cells first. */
typedef struct {
  char *text;            /* to be freed with sal_free */
  int64_t n_cell, added; /* cells of the cube, and new ones */
  bool sealed;           /* see sal_cube */
  bool others;           /* refused, since another version of this program made the cube */
} sal_refine_plan;

/** Makes the sweep, on one rank.  Fails with SAL_ERR_EXISTS and sets `others` where the cells of the cube may differ from
 *  new ones, unless any or dry.  plan->text is to be freed after a failure, too. */
SAL_MUST_CHECK sal_err sal_refine_plan_make(const sal_refine_request *request,
                                            sal_refine_plan *plan);

#endif
