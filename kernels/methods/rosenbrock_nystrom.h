/** @file kernels/methods/rosenbrock_nystrom.h
 *  Rosenbrock-Nystrom methods for second-order systems y'' = f(t, y, y'), with an embedded solution
 *  and without iteration.  Sandu, Negrut, Haug, Potra, Sandu, A Rosenbrock-Nystrom
 *  State Space Implicit Approach for the Dynamic Analysis of Mechanical Systems: I. Theoretical
 *  Formulation, eqs (14)-(16), (25) and Theorem 2.1.
 *
 *  With J1 = df/dy, J2 = df/dy', S = I - h g J2 - (h g)^2 J1, all at (t, y), and the stages
 *
 *    Y_i  = y + h (alpha_i y' + sum_j theta_ij z_j),      Y_i' = y' + sum_j a_ij z_j,      j < i,
 *    S z_i = g (h f(t + alpha_i h, Y_i, Y_i') + sum_j c_ij z_j
 *               + h^2 (gamma_i (df/dt + J1 y') + J1 sum_j delta_ij z_j)),
 *
 *  the step is yn = y + h (y' + sum_i mu_i z_i), yn' = y' + sum_i m_i z_i, and the difference to the
 *  embedded solution is h sum_i e_mu_i z_i and sum_i e_m_i z_i.  Half of the states are positions, so
 *  one real matrix of n/2 rows is factorised in a step.
 */
#ifndef SAL_ROSENBROCK_NYSTROM_H
#define SAL_ROSENBROCK_NYSTROM_H

#include "method.h"

enum { SAL_NYSTROM_STAGES = 4 }; /* at most */

/** A method: strictly lower triangular matrices, sums of rows, weights; g = gamma. */
typedef struct {
  int    stages;
  int    embedded; /* order of the embedded solution, 1 or 3 */
  double gamma;
  double a[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES], c[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double delta[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double theta[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double alpha[SAL_NYSTROM_STAGES], gamma_sum[SAL_NYSTROM_STAGES];
  double m[SAL_NYSTROM_STAGES], mu[SAL_NYSTROM_STAGES];
  double e_m[SAL_NYSTROM_STAGES], e_mu[SAL_NYSTROM_STAGES];
  bool   shares[SAL_NYSTROM_STAGES]; /* has the arguments of the stage before it, and so its f */
} sal_rosenbrock_nystrom;

/** The two of the registry (rosnys4.c, rosnysw2.c). */
extern const sal_rosenbrock_nystrom sal_rosnys4_table, sal_rosnysw2_table;

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES

/** The operations of a method (method.h).  The model has to be a second-order system
 *  (sal_model_is_second_order).  A position's slope may differ from the velocity by what does not
 *  change in the step, as where a contact holds the system at rest. */
int   SAL_FN(sal_rosenbrock_nystrom_words)(int n);
void  SAL_FN(sal_rosenbrock_nystrom_start)(sal_step_state *s, sal_m lanes,
                                          const sal_rosenbrock_nystrom *table);
sal_m SAL_FN(sal_rosenbrock_nystrom_step)(sal_step_state *s, sal_m lanes,
                                          const sal_rosenbrock_nystrom *table);
void  SAL_FN(sal_rosenbrock_nystrom_advance)(sal_step_state *s, sal_m lanes);
void  SAL_FN(sal_rosenbrock_nystrom_retry)(sal_step_state *s, sal_m lanes);
int   SAL_FN(sal_rosenbrock_nystrom_dense)(sal_step_state *s, sal_v c[]);

#define sal_rosenbrock_nystrom_words   SAL_FN(sal_rosenbrock_nystrom_words)
#define sal_rosenbrock_nystrom_start   SAL_FN(sal_rosenbrock_nystrom_start)
#define sal_rosenbrock_nystrom_step    SAL_FN(sal_rosenbrock_nystrom_step)
#define sal_rosenbrock_nystrom_advance SAL_FN(sal_rosenbrock_nystrom_advance)
#define sal_rosenbrock_nystrom_retry   SAL_FN(sal_rosenbrock_nystrom_retry)
#define sal_rosenbrock_nystrom_dense   SAL_FN(sal_rosenbrock_nystrom_dense)

/** Defines start, step and the operations of the method NAME, whose table is sal_NAME_table. */
#define SAL_ROSENBROCK_NYSTROM(name)                                                               \
  static void name##_start(sal_step_state *s, sal_m lanes)                                         \
  {                                                                                                \
    sal_rosenbrock_nystrom_start(s, lanes, &sal_##name##_table);                                   \
  }                                                                                                \
  static sal_m name##_step(sal_step_state *s, sal_m lanes)                                         \
  {                                                                                                \
    return sal_rosenbrock_nystrom_step(s, lanes, &sal_##name##_table);                             \
  }                                                                                                \
  const sal_method_ops SAL_FN(sal_##name) = {.words   = sal_rosenbrock_nystrom_words,              \
                                             .start   = name##_start,                              \
                                             .step    = name##_step,                               \
                                             .advance = sal_rosenbrock_nystrom_advance,            \
                                             .retry   = sal_rosenbrock_nystrom_retry,              \
                                             .dense   = sal_rosenbrock_nystrom_dense}

#endif

#endif
