/** @file src/study/cycle_family.h
 *  The return map of a model as a family: periodic orbits in one or two of its parameters.
 *
 *  Coordinates are the unknowns of the map (orbit/return_map.h).
 */
#ifndef SAL_CYCLE_FAMILY_H
#define SAL_CYCLE_FAMILY_H

#include "family.h"
#include "return_map.h"

/** Freed with sal_cycle_family_free; does not move. */
typedef struct {
  sal_family family;
  sal_return_map map;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], state[SAL_MAX_STATE];
  bool refuses_half; /* an orbit of half the period is none of this branch */
  int n_free, free_param[SAL_BRANCH_PARAMS];
} sal_cycle_family;

/** param [n_param + n_option]; free_param [n_free]: numbers of the parameters that are free; state
 *  [n_state]: a guess, of which only what neither the section sets nor the orbit repeats is used.
 *  Fails where the model has no section, or its points there no coordinates. */
SAL_MUST_CHECK sal_err sal_cycle_family_create(const sal_return_setup *setup, const double param[],
                                               int n_free, const int free_param[],
                                               const double state[], sal_cycle_family *out);
void sal_cycle_family_free(sal_cycle_family *f);

/** The coordinates x [family.n] of a state. */
void sal_cycle_family_read(const sal_cycle_family *f, const double state[], double x[]);

#endif
