/** Rosenbrock-Nystrom methods for second-order systems y'' = f(t, y, y'), with an embedded solution
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
#pragma once

#include "method.h"
#ifdef SAL_LANES
#include "control.h"
#include "matrix.h"
#include "norm.h"
#endif

enum { SAL_NYSTROM_STAGES = 4 }; /* at most */

/** A method: strictly lower triangular matrices, sums of rows, weights; g = gamma. */
typedef struct {
  int stages;
  int embedded; /* order of the embedded solution, 1 or 3 */
  double gamma;
  double a[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES], c[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double delta[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double theta[SAL_NYSTROM_STAGES][SAL_NYSTROM_STAGES];
  double alpha[SAL_NYSTROM_STAGES], gamma_sum[SAL_NYSTROM_STAGES];
  double m[SAL_NYSTROM_STAGES], mu[SAL_NYSTROM_STAGES];
  double e_m[SAL_NYSTROM_STAGES], e_mu[SAL_NYSTROM_STAGES];
  bool shares[SAL_NYSTROM_STAGES]; /* has the arguments of the stage before it, and so its f */
} sal_rosenbrock_nystrom;

/** The two of the registry (rosnys4.c, rosnysw2.c), a constant of each build. */
#ifdef SAL_LANES
#define sal_rosnys4_table SAL_FN(sal_rosnys4_table)
#define sal_rosnysw2_table SAL_FN(sal_rosnysw2_table)
#else
#define sal_rosnys4_table sal_rosnys4_table_w1
#define sal_rosnysw2_table sal_rosnysw2_table_w1
#endif
extern const sal_rosenbrock_nystrom sal_rosnys4_table, sal_rosnysw2_table;

/* ---- lane half ------------------------------------------------------------------------------ */
#ifdef SAL_LANES

/** The operations of a method (method.h).  The model has to be a second-order system
 *  (sal_model_is_second_order).  A position's slope may differ from the velocity by what does not
 *  change in the step, as where a contact holds the system at rest. */
int SAL_FN(sal_rosenbrock_nystrom_words)(int n, int row);
void SAL_FN(sal_rosenbrock_nystrom_start)(sal_step_state *s, sal_m lanes,
                                          const sal_rosenbrock_nystrom *table);
sal_m SAL_FN(sal_rosenbrock_nystrom_step)(sal_step_state *s, sal_m lanes,
                                          const sal_rosenbrock_nystrom *table);
void SAL_FN(sal_rosenbrock_nystrom_advance)(sal_step_state *s, sal_m lanes);
void SAL_FN(sal_rosenbrock_nystrom_retry)(sal_step_state *s, sal_m lanes);
int SAL_FN(sal_rosenbrock_nystrom_dense)(sal_step_state *s, const sal_rosenbrock_nystrom *table,
                                         sal_v c[]);

#define sal_rosenbrock_nystrom_words SAL_FN(sal_rosenbrock_nystrom_words)
#define sal_rosenbrock_nystrom_start SAL_FN(sal_rosenbrock_nystrom_start)
#define sal_rosenbrock_nystrom_step SAL_FN(sal_rosenbrock_nystrom_step)
#define sal_rosenbrock_nystrom_advance SAL_FN(sal_rosenbrock_nystrom_advance)
#define sal_rosenbrock_nystrom_retry SAL_FN(sal_rosenbrock_nystrom_retry)
#define sal_rosenbrock_nystrom_dense SAL_FN(sal_rosenbrock_nystrom_dense)

/* ---- one step, for half = n/2 ---------------------------------------------------------------- */

/** Position k is state place[k], its velocity state speed[k], in the order of a band; stages z, matrix S and its pivots; q
 *  decides the size of the next step, mean is the mean of y' less that at the start.  Memory: q, S, pivots, mean. */
typedef struct {
  int place[SAL_MAX_STATE / 2], speed[SAL_MAX_STATE / 2];
  sal_v z[SAL_NYSTROM_STAGES][SAL_MAX_STATE / 2];
  sal_band band; /* of S, where J is a band */
  sal_v *q, *S, *mean;
  sal_m *piv;
} sal_rosenbrock_nystrom_parts;

SAL_INLINE void sal_rosenbrock_nystrom_split(int half, const sal_step_state *s,
                                             sal_rosenbrock_nystrom_parts *m)
{
  const bool is_band = sal_matrix_is_band(2 * half, s);
  const int lower = s->band.lower, upper = s->band.upper;

  m->band = (sal_band){.n = half, .lower = lower / 2, .upper = (upper + 1) / 2};
  const int size = half * (is_band ? sal_band_row(&m->band) : half);
  m->q = s->mem;
  m->S = s->mem + 1;
  m->piv = (sal_m *)(void *)(m->S + size);
  m->mean = m->S + 2 * size;
  for (int k = 0; k < half; ++k) m->place[k] = m->speed[k] = 0;
  for (int p = 0, k = 0; p < 2 * half; ++p) {
    const int i = is_band ? sal_band_element(&s->band, p) : p;
    if (s->model->velocity[i]) m->place[k] = i, m->speed[k++] = s->model->velocity[i] - 1;
  }
}

/** d f_k / d y_l and d f_k / d y'_l of positions k and l of a band; the velocity of each follows it there. */
SAL_INLINE sal_v sal_rosenbrock_nystrom_entry(const sal_step_state *s, int k, int l, int of_speed)
{
  const int row = 2 * k + 1, column = 2 * l + of_speed - row;

  if (column < -s->band.lower || column > s->band.upper) return sal_set(0);
  return s->J[row * sal_band_row(&s->band) + column + s->band.lower];
}

/** S as a band, and sum_l J1_kl w_l. */
void SAL_FN(sal_rosenbrock_nystrom_factorise_band)(const sal_step_state *s,
                                                   sal_rosenbrock_nystrom_parts *m, sal_v hg);
sal_v SAL_FN(sal_rosenbrock_nystrom_bend)(const sal_step_state *s,
                                          const sal_rosenbrock_nystrom_parts *m, int k,
                                          const sal_v w[]);
#define sal_rosenbrock_nystrom_factorise_band SAL_FN(sal_rosenbrock_nystrom_factorise_band)
#define sal_rosenbrock_nystrom_bend SAL_FN(sal_rosenbrock_nystrom_bend)

/** x [half] = S^-1 x */
SAL_INLINE void sal_rosenbrock_nystrom_substitute(int half, const sal_step_state *s,
                                                  const sal_rosenbrock_nystrom_parts *m, sal_v x[])
{
  if (sal_matrix_is_band(2 * half, s))
    sal_linear_band_solve(&m->band, m->S, m->piv, x);
  else
    sal_linear_substitute(half, m->S, m->piv, x);
}

SAL_INLINE void sal_rosenbrock_nystrom_factorise(int half, sal_step_state *s,
                                                 sal_rosenbrock_nystrom_parts *m, double gamma)
{
  const sal_v hg = s->h * gamma;

  if (sal_matrix_is_band(2 * half, s)) {
    sal_rosenbrock_nystrom_factorise_band(s, m, hg);
    return;
  }
  for (int i = 0; i < half; ++i)
    for (int j = 0; j < half; ++j) {
      const sal_v *row = s->J + m->speed[i] * 2 * half;
      const sal_v stiff = row[m->speed[j]] + hg * row[m->place[j]];
      m->S[i * half + j] = (i == j ? 1.0 : 0.0) - hg * stiff;
    }
  if (half <= 2)
    sal_linear_eliminate(half, m->S, m->piv);
  else
    sal_linear_factorise(half, m->S, m->piv);
}

/** sum_j weight_j z_j of component k over the first n stages. */
SAL_INLINE sal_v sal_rosenbrock_nystrom_sum(const sal_rosenbrock_nystrom_parts *m, int n,
                                            const double weight[], int k)
{
  sal_v sum = sal_set(0);

  for (int j = 0; j < n; ++j) sum += weight[j] * m->z[j][k];
  return sum;
}

/** out = (y, y') moved on by h (share y' + places z) and speeds z. */
SAL_INLINE void sal_rosenbrock_nystrom_move(int half, const sal_step_state *s,
                                            const sal_rosenbrock_nystrom_parts *m, int n,
                                            double share, const double places[],
                                            const double speeds[], sal_v out[])
{
  for (int k = 0; k < half; ++k) {
    const int at = m->place[k], by = m->speed[k];
    const sal_v slope = share * s->f[at] + sal_rosenbrock_nystrom_sum(m, n, places, k);
    out[at] = s->y[at] + s->h * slope;
    out[by] = s->y[by] + sal_rosenbrock_nystrom_sum(m, n, speeds, k);
  }
}

/** Stage i, whose f is known. */
SAL_INLINE void sal_rosenbrock_nystrom_solve(int half, sal_step_state *s,
                                             sal_rosenbrock_nystrom_parts *m,
                                             const sal_rosenbrock_nystrom *table, int i,
                                             const sal_v f[])
{
  const sal_v h = s->h;
  const bool is_band = sal_matrix_is_band(2 * half, s);
  sal_v w[SAL_MAX_STATE / 2];

  for (int k = 0; k < half; ++k)
    w[k] = table->gamma_sum[i] * s->f[m->place[k]] +
           sal_rosenbrock_nystrom_sum(m, i, table->delta[i], k);
  for (int k = 0; k < half; ++k) {
    const sal_v *row = s->J + m->speed[k] * 2 * half;
    sal_v bend = table->gamma_sum[i] * s->T[m->speed[k]];
    if (is_band) bend += sal_rosenbrock_nystrom_bend(s, m, k, w);
    for (int l = 0; l < half && !is_band; ++l) bend += row[m->place[l]] * w[l];
    const sal_v sum =
        h * (f[m->speed[k]] + h * bend) + sal_rosenbrock_nystrom_sum(m, i, table->c[i], k);
    m->z[i][k] = table->gamma * sum;
  }
  sal_rosenbrock_nystrom_substitute(half, s, m, m->z[i]);
}

/** The error test, (14)-(16), whose norm is the root mean square.  The estimate is as it is: one that
 *  S^-1 filters misses what a stiff system that follows cos t is wrong by, 10^3 to 10^4 tolerances
 *  (tests/kernels/stiff_swing.c). */
SAL_INLINE sal_m sal_rosenbrock_nystrom_test(int half, sal_step_state *s, sal_m lanes,
                                             const sal_rosenbrock_nystrom_parts *m,
                                             const sal_rosenbrock_nystrom *table)
{
  sal_v e[SAL_MAX_STATE];

  for (int k = 0; k < half; ++k) {
    e[m->place[k]] = s->h * sal_rosenbrock_nystrom_sum(m, table->stages, table->e_mu, k);
    e[m->speed[k]] = sal_rosenbrock_nystrom_sum(m, table->stages, table->e_m, k);
  }
  const sal_v err = sal_norm_mean_square(2 * half, s->thr, e, s->y, s->yn) / s->rtol;
  const sal_m ok = lanes & sal_le(err, sal_set(1));
  const sal_v q = sal_sqrt(err);
  *m->q = table->embedded == 3 ? sal_sqrt(q) : q;
  sal_control_shrink(s, lanes & ~ok, *m->q, 0.9, 0.2, 0);
  return ok;
}

/** A step of a method whose table may be a constant where this is compiled, as half may. */
SAL_INLINE sal_m sal_rosenbrock_nystrom_attempt(int half, sal_step_state *s, sal_m lanes,
                                                const sal_rosenbrock_nystrom *table)
{
  sal_rosenbrock_nystrom_parts m;
  sal_m ok = lanes;

  sal_rosenbrock_nystrom_split(half, s, &m);
  sal_rosenbrock_nystrom_factorise(half, s, &m, table->gamma);
  sal_method_count_lu(s, lanes, 1);
  for (int i = 0; i < table->stages; ++i) {
    const double at = table->alpha[i];
    if (i > 0 && !table->shares[i]) {
      sal_rosenbrock_nystrom_move(half, s, &m, i, at, table->theta[i], table->a[i], s->yn);
      sal_method_rhs(s, lanes, at == 1 ? s->tn : s->t + at * s->h, s->yn, s->fn);
    }
    sal_rosenbrock_nystrom_solve(half, s, &m, table, i, i > 0 ? s->fn : s->f);
  }
  sal_method_count_solve(s, lanes, (table->stages + 3) / 4);
  sal_rosenbrock_nystrom_move(half, s, &m, table->stages, 1, table->mu, table->m, s->yn);
  for (int k = 0; k < half; ++k)
    m.mean[k] = sal_rosenbrock_nystrom_sum(&m, table->stages, table->mu, k);
  if (s->fixed <= 0) ok = sal_rosenbrock_nystrom_test(half, s, lanes, &m, table);
  if (sal_any(ok)) sal_method_rhs(s, ok, s->tn, s->yn, s->fn);
  return ok;
}

/** Defines start, step and the operations of the method NAME, whose table is sal_NAME_table. */
#define SAL_ROSENBROCK_NYSTROM(name)                                                               \
  static void name##_start(sal_step_state *s, sal_m lanes)                                         \
  {                                                                                                \
    sal_rosenbrock_nystrom_start(s, lanes, &sal_##name##_table);                                   \
  }                                                                                                \
  static sal_m name##_step(sal_step_state *s, sal_m lanes)                                         \
  {                                                                                                \
    const sal_rosenbrock_nystrom *table = &sal_##name##_table;                                     \
    switch (s->n) {                                                                                \
    case 2:                                                                                        \
      return sal_rosenbrock_nystrom_attempt(1, s, lanes, table);                                   \
    case 4:                                                                                        \
      return sal_rosenbrock_nystrom_attempt(2, s, lanes, table);                                   \
    default:                                                                                       \
      return sal_rosenbrock_nystrom_attempt(s->n / 2, s, lanes, table);                            \
    }                                                                                              \
  }                                                                                                \
  static int name##_dense(sal_step_state *s, sal_v c[])                                            \
  {                                                                                                \
    return sal_rosenbrock_nystrom_dense(s, &sal_##name##_table, c);                                \
  }                                                                                                \
  const sal_method_ops SAL_FN(sal_##name) = {.words = sal_rosenbrock_nystrom_words,                \
                                             .start = name##_start,                                \
                                             .step = name##_step,                                  \
                                             .advance = sal_rosenbrock_nystrom_advance,            \
                                             .retry = sal_rosenbrock_nystrom_retry,                \
                                             .dense = name##_dense}

#endif
