/** Explicit Runge-Kutta pairs whose last stage is the slope at the new point (lane half), as constants:
 *  methods read them, and the steps that are compiled together with a model's f (pair_steps.h).  Pairs
 *  made at run time have the same type (given_method.h).
 *
 *  Local extrapolation; err = h |sum e_i k_i|_W, accepted when err <= rtol.  To add one, write it into
 *  tableaus.def and name it in SAL_TABLEAUS.
 */
#pragma once

#include "given_method.h"

#ifdef SAL_LANES
#include "lane.h"

/** How many slopes the estimates of the error are made of: one that is not a number fails a step. */
SAL_INLINE int sal_tableau_terms(const sal_tableau *tab)
{
  int terms = tab->stages;

  while (tab->e[terms - 1] == 0) --terms;
  return terms;
}

/** All of them.  Their steps are compiled for one and for two blocks of lanes (pair_steps.h): the second one
 *  gains a fifth to a third of the time, and costs the compiler half a second for each model and width. */
#define SAL_TABLEAUS(X) X(ode23) X(ode45) X(tsit5) X(dop853)
#define SAL_TABLEAU_INDEX(name) SAL_TABLEAU_##name,
enum { SAL_TABLEAUS(SAL_TABLEAU_INDEX) SAL_N_TABLEAU };
#undef SAL_TABLEAU_INDEX
#define SAL_TABLEAU(name) static const sal_tableau sal_tableau_##name __attribute__((unused))

#include "tableaus.def"

/** By their indices. */
#define SAL_TABLEAU_ADDRESS(name) &sal_tableau_##name,
static const sal_tableau *const sal_tableaus[]
    __attribute__((unused)) = {SAL_TABLEAUS(SAL_TABLEAU_ADDRESS)};
#undef SAL_TABLEAU_ADDRESS
#endif
