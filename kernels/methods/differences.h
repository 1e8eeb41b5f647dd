/** Backward differences of a state on a mesh of equal steps, in lanes of several orders (lane half), inlined into
 *  methods whose number of states `n` may be known then (sizes.h).
 *
 *  D^m y, row [1 .. k + 2] of each state at the newest point.  A sum over the orders takes -0, which changes no
 *  sum, where a lane does not reach.
 */
#pragma once

#include "orders.h"

enum { SAL_DIFFERENCES_TOP = 5, SAL_DIFFERENCES_ROW = SAL_DIFFERENCES_TOP + 3 };

typedef sal_v sal_differences_row[SAL_DIFFERENCES_ROW];

/** x (x+1) .. (x+m-1) / m!, row m, in powers of x. */
static const double sal_differences_power[SAL_DIFFERENCES_TOP + 1][SAL_DIFFERENCES_TOP + 1] = {
    {0},
    {0, 1},
    {0, 1.0 / 2, 1.0 / 2},
    {0, 1.0 / 3, 1.0 / 2, 1.0 / 6},
    {0, 1.0 / 4, 11.0 / 24, 1.0 / 4, 1.0 / 24},
    {0, 1.0 / 5, 5.0 / 12, 7.0 / 24, 1.0 / 12, 1.0 / 120}};

/** Sums over the orders run to it: a constant loop is worth more than some empty terms, but at width 1, where
 *  none is empty. */
SAL_INLINE int sal_differences_most(sal_m k)
{
  return SAL_LANES == 1 ? (int)sal_highest(k) : SAL_DIFFERENCES_TOP;
}

/** Lanes of order i or more, i up to `most`. */
SAL_INLINE sal_m sal_differences_from(sal_m k, int i) { return sal_orders_from(~sal_none(), k, i); }

/** Term i of a sum over the orders, 1 .. most. */
SAL_INLINE sal_v sal_differences_term(sal_m k, const sal_v D[], int i)
{
  return SAL_LANES == 1 ? D[i] : sal_sel(sal_differences_from(k, i), D[i], sal_set(-0.0));
}

/** D <- D R U for steps r times as long: R_ij = prod_{m<=i} (m-1-jr)/m, U_ij = (-1)^i C(j,i). */
SAL_INLINE void sal_differences_rescale(int n, sal_differences_row D[], sal_m k, sal_m lanes,
                                        sal_v r)
{
  enum { TOP = SAL_DIFFERENCES_TOP };
  static const double U[TOP + 1][TOP + 1] = {{0},
                                             {0, -1, -2, -3, -4, -5},
                                             {0, 0, 1, 3, 6, 10},
                                             {0, 0, 0, -1, -4, -10},
                                             {0, 0, 0, 0, 1, 5},
                                             {0, 0, 0, 0, 0, -1}};
  const int most = sal_differences_most(k);
  sal_v R[TOP + 1][TOP + 1], row[TOP + 1];

  for (int j = 1; j <= most; ++j) {
    sal_v product = sal_set(1);
    for (int i = 1; i <= most; ++i) {
      product *= ((double)(i - 1) - (double)j * r) / (double)i;
      R[i][j] = sal_from_bits(sal_bits(product) & sal_differences_from(k, i));
    }
  }
  for (int l = 0; l < n; ++l) {
    for (int j = 1; j <= most; ++j) {
      row[j] = sal_set(0);
      for (int i = 1; i <= most; ++i) row[j] += sal_differences_term(k, D[l], i) * R[i][j];
    }
    for (int j = 1; j <= most; ++j) {
      sal_v sum = sal_set(0);
      for (int i = 1; i <= j; ++i) sum += row[i] * U[i][j];
      sal_orders_put(&D[l][j], lanes & sal_differences_from(k, j), sum);
    }
  }
}

/** The differences at the next point, whose D^k+1 is d [n]; slope [n]: h times that of the interpolant there. */
SAL_INLINE void sal_differences_append(int n, sal_differences_row D[], sal_m k, sal_m lanes,
                                       const sal_v d[], sal_v slope[])
{
  const int most = sal_differences_most(k);
  const sal_m only = sal_orders_only(lanes);

  for (int l = 0; l < n; ++l) { /* what lies above D^k+2 is free */
    sal_v *row = D[l], new = d[l], sum = sal_set(0);
    sal_orders_put(&row[most + 2], only, d[l] - row[most + 1]);
    sal_orders_put(&row[most + 1], only,
                   sal_sel(sal_differences_from(k, most), d[l], d[l] - row[most]));
    for (int i = most; i >= 1; --i) {
      const sal_m in = sal_differences_from(k, i);
      new = sal_sel(in, row[i] + new, d[l]);
      sum += sal_from_bits(sal_bits(new *sal_differences_power[i][1]) & in);
      sal_orders_put(&row[i], only,
                     sal_sel(sal_differences_from(k, i - 1), new, d[l] - row[i - 1]));
    }
    slope[l] = sum;
  }
}

/** y = yn + sum_m D^m y x (x+1) .. (x+m-1) / m!,  x = (t - tn) / h, of one state whose differences are D: c[j * stride].
 *  Returns the degree, the same for all states. */
SAL_INLINE int sal_differences_polynomial(const sal_v D[], sal_m k, sal_v yn, int stride, sal_v c[])
{
  const int most = (int)sal_highest(k);

  c[0] = yn;
  for (int j = 1; j <= most; ++j) {
    sal_v sum = sal_set(0);
    for (int i = j; i <= most; ++i)
      sum += sal_differences_power[i][j] * sal_differences_term(k, D, i);
    c[j * stride] = sum;
  }
  return most;
}
