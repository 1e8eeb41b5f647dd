/** Matrices of implicit methods in the form of the model's Jacobian (lane half): full, or a band.
 *
 *  They are [n][sal_matrix_row].  Where `n` is a small constant they are full, as seen by the compiler.
 */
#pragma once

#include "linear.h"
#include "method.h"

SAL_INLINE bool sal_matrix_is_band(int n, const sal_step_state *s)
{
  const int most_full = 6; /* of the numbers of states that are constants (sizes.h) */

  return n > most_full && s->band.lower + s->band.upper > 0;
}

/** Elements of a row. */
SAL_INLINE int sal_matrix_row(int n, const sal_step_state *s)
{
  return sal_matrix_is_band(n, s) ? sal_band_row(&s->band) : n;
}

/** M = I - scale J */
SAL_INLINE void sal_matrix_shift(int n, const sal_step_state *s, sal_v scale, sal_v M[])
{
  if (sal_matrix_is_band(n, s)) {
    sal_linear_band_form(&s->band, 1, -scale, s->J, M);
    return;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M[i * n + j] = (i == j ? 1.0 : 0.0) - scale * s->J[i * n + j];
}

SAL_INLINE void sal_matrix_factorise(int n, const sal_step_state *s, sal_v M[], sal_m piv[])
{
  if (sal_matrix_is_band(n, s))
    sal_linear_band_factorise(&s->band, M, piv);
  else
    sal_linear_factorise(n, M, piv);
}

/** Full matrices inlined: for methods whose operations are compiled for the usual numbers of states. */
SAL_INLINE void sal_matrix_substitute(int n, const sal_step_state *s, const sal_v LU[],
                                      const sal_m piv[], sal_v b[])
{
  if (sal_matrix_is_band(n, s))
    sal_linear_band_solve(&s->band, LU, piv, b);
  else
    sal_linear_substitute(n, LU, piv, b);
}

/** out [n] += J x; x and out are apart. */
SAL_INLINE void sal_matrix_times(int n, const sal_step_state *s, const sal_v x[], sal_v out[])
{
  if (sal_matrix_is_band(n, s)) {
    sal_linear_band_times(&s->band, s->J, x, out);
    return;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out[i] += s->J[i * n + j] * x[j];
}
