/** The order of a one-step method as it is measured: by the errors of fixed steps, on a smooth problem with a known
 *  solution at the ends of steps and between them, and at the events of a mass that bounces on a damped spring.
 */
#pragma once

#include "err.h"
#include "method.h"

typedef enum {
  SAL_SOLVER_AT_ENDS,
  SAL_SOLVER_BETWEEN,
  SAL_SOLVER_ACROSS,
  SAL_N_SOLVER_ORDER
} sal_solver_problem;

/** A measured order may be off by this, at most. */
#define SAL_SOLVER_ORDER_SLACK 0.35

typedef struct {
  const char *what; /* "smooth", "between", "impacts" */
  int stated;
  double
      measured; /* slope of the error over the step, of the finest steps above rounding; NaN: too few */
  int steps[2]; /* fewest and most steps of a run among them */
} sal_solver_order;

/** Measures all of them.  The method has a fixed order and no loop of its own.  Fails for want of memory alone. */
sal_err sal_solver_orders(const sal_method *method, sal_solver_order out[SAL_N_SOLVER_ORDER]);
