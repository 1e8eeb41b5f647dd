/** The observed order of every method: how the error falls with the fixed step. */
#pragma once

#include "run_one.h"
#include "slope.h"
#include <stdio.h>

enum { ORDER_WINDOW = 9, ORDER_FIRST_STEP = 12 };

/** Largest error of a run with n_step steps; NaN when it failed. */
typedef double order_error(const sal_method *method, int max_order, int n_step);

/** Slope over the nine finest of a row of steps, each 2^(1/4) shorter than the last, whose error is
 *  above `floor`, where rounding begins; `most` steps at most.  NaN when there are too few. */
static inline double order_observed(order_error *error, const sal_method *method, int max_order,
                                    int most, double floor)
{
  double h[ORDER_WINDOW] = {0}, e[ORDER_WINDOW] = {0};
  int n = 0;

  for (double wish = ORDER_FIRST_STEP; wish <= most; wish *= sqrt(sqrt(2))) {
    const int n_step = (int)(wish + 0.5);
    const double found = error(method, max_order, n_step);
    if (!isfinite(found)) continue;
    if (found < floor) break;
    for (int i = 0; i + 1 < ORDER_WINDOW; ++i) h[i] = h[i + 1], e[i] = e[i + 1];
    h[ORDER_WINDOW - 1] = 1.0 / n_step;
    e[ORDER_WINDOW - 1] = found;
    ++n;
  }
  return n < ORDER_WINDOW ? NAN : slope(ORDER_WINDOW, h, e);
}

/** A member of a family of variable order, or a method that is its only member; `theory` is the
 *  order of its steps. */
typedef struct {
  const sal_method *method;
  int max_order, theory;
} order_member;

/** All of them, in the order of the registry; returns how many. */
static inline int order_members(int capacity, order_member member[])
{
  int n = 0;

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    const int family = method->order - method->min_order;
    for (int k = 0; k <= family && n < capacity; ++k)
      member[n++] = (order_member){method, family ? k + 1 : 0, method->min_order + k};
  }
  return n;
}

/** Expected order of its values between the ends of steps. */
static inline int order_between(const order_member *m)
{
  return m->method->dense_order > 0 ? m->method->dense_order : m->theory;
}

/** The observed order of a member less its theory; prints it. */
static inline double order_off(order_error *error, const order_member *m, int theory, int most,
                               double floor)
{
  const double found = order_observed(error, m->method, m->max_order, most, floor);

  printf("    %-8s %2d  %5.2f\n", m->method->name, theory, found);
  return found - theory;
}
