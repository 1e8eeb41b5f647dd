/** Modified Rosenbrock method of order 2, L-stable, no iteration.  Shampine & Reichelt, SIAM J.
 *  Sci. Comput. 18 (1997), section 3.  With W = I - h d J and T = df/dt:
 *
 *    W k1        = f(t, y) + h d T
 *    W (k2 - k1) = F1 - k1,                       F1 = f(t + h/2, y + h k1 / 2)
 *    yn          = y + h k2
 *    W k3        = F2 - e32 (k2 - F1) - 2 (k1 - F0) + h d T,   F2 = f(tn, yn)
 *    error       = (h / 6) (k1 - 2 k2 + k3)
 *
 *  J and T are formed anew at every accepted step.  Own memory: k1, k2, F1, F2 [n] each, W
 *  [n][row], pivots [n][row], q.
 */
#include "control.h"
#include "jacobian.h"
#include "lane_math.h"
#include "matrix.h"
#include "norm.h"
#include "sizes.h"
#include "start.h"

static const double d = 0.29289321881345247560;   /* 1 / (2 + sqrt 2) */
static const double e32 = 7.41421356237309504880; /* 6 + sqrt 2 */

typedef struct {
  sal_v *k1, *k2, *F1, *F2, *W, *q;
  sal_m *piv;
} rosenbrock_arrays;

static int words(int n, int row) { return 4 * n + 2 * n * row + 1; }

SAL_INLINE rosenbrock_arrays rosenbrock_arrays_of(int n, const sal_step_state *s)
{
  const int size = n * sal_matrix_row(n, s);
  sal_v *const m = s->mem, *const W = m + 4 * n;

  return (rosenbrock_arrays){
      m, m + n, m + 2 * n, m + 3 * n, W, W + 2 * size, (sal_m *)(void *)(W + size)};
}

static void start(sal_step_state *s, sal_m lanes) { sal_start_stiff(s, lanes, 1.0 / 3); }

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

SAL_INLINE sal_m ode23s_step(const int n, sal_step_state *s, sal_m lanes)
{
  const rosenbrock_arrays m = rosenbrock_arrays_of(n, s);
  const sal_v h = s->h, hd = h * d;
  sal_v k1[SAL_MAX_STATE], k2[SAL_MAX_STATE], k3[SAL_MAX_STATE];

  sal_matrix_shift(n, s, h * d, m.W);
  sal_matrix_factorise(n, s, m.W, m.piv);
  for (int i = 0; i < n; ++i) k1[i] = s->f[i] + hd * s->T[i];
  sal_matrix_substitute(n, s, m.W, m.piv, k1);
  for (int i = 0; i < n; ++i) {
    m.k1[i] = k1[i];
    s->yn[i] = s->y[i] + 0.5 * h * k1[i];
  }
  s->flow->rhs(&s->phase, s->t + 0.5 * h, s->yn, m.F1);
  for (int i = 0; i < n; ++i) k2[i] = m.F1[i] - m.k1[i];
  sal_matrix_substitute(n, s, m.W, m.piv, k2);
  for (int i = 0; i < n; ++i) {
    m.k2[i] = k2[i] + m.k1[i];
    s->yn[i] = s->y[i] + h * m.k2[i];
  }
  s->flow->rhs(&s->phase, s->tn, s->yn, m.F2);
  s->fn = m.F2;
  sal_count(&s->n_rhs, lanes, 2);
  sal_method_count_lu(s, lanes, 1);
  sal_method_count_solve(s, lanes, s->fixed > 0 ? 2 : 3);
  if (s->fixed > 0) return lanes;
  for (int i = 0; i < n; ++i)
    k3[i] = m.F2[i] - e32 * (m.k2[i] - m.F1[i]) - 2.0 * (m.k1[i] - s->f[i]) + hd * s->T[i];
  sal_matrix_substitute(n, s, m.W, m.piv, k3);
  for (int i = 0; i < n; ++i) k3[i] = m.k1[i] - 2.0 * m.k2[i] + k3[i];

  const sal_v err = h * sal_norm_of(n, s->thr, k3, s->y, s->yn) / (6.0 * s->rtol);
  const sal_m ok = lanes & sal_le(err, sal_set(1));
  *m.q = sal_lane_rough_pow(err, 1.0 / 3);
  sal_control_shrink(s, lanes & ~ok, *m.q, 0.8, 0.1, 0);
  return ok;
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return SAL_SIZES_CALL(ode23s_step, s->n, s, lanes);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  const rosenbrock_arrays m = rosenbrock_arrays_of(s->n, s);

  sal_assign(s->n, lanes, s->f, m.F2);
  if (s->fixed <= 0) sal_control_grow(s, lanes, *m.q);
  sal_jacobian_form(s, lanes);
  sal_jacobian_form_by_time(s, lanes, s->absh);
}

static int dense(sal_step_state *s, sal_v c[])
{
  const int n = s->n;
  const rosenbrock_arrays m = rosenbrock_arrays_of(n, s);
  const sal_v g = s->h / (1.0 - 2.0 * d);

  for (int i = 0; i < n; ++i) {
    c[i] = s->y[i];
    c[n + i] = g * (m.k1[i] - 2.0 * d * m.k2[i]);
    c[2 * n + i] = g * (m.k2[i] - m.k1[i]);
  }
  return 2;
}

const sal_method_ops SAL_FN(sal_ode23s) = {SAL_METHOD_STEPS};

#if SAL_LANES == 1
SAL_DECLARE_METHOD_OPS(ode23s)
const sal_method sal_ode23s = {
    .name = "ode23s",
    .title = "modified Rosenbrock method of order 2",
    .source = "doi:10.1137/S1064827594276424, section 3",
    .order = 2,
    .min_order = 2,
    .implicit = true,
    SAL_METHOD_OPS(ode23s),
};
#endif
