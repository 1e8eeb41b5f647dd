/** One step of a Rosenbrock-W method whose coefficients are known at run time, with the controller of
 *  Shampine & Reichelt (1997).  J and T are formed anew at every accepted step.  Own memory: u
 *  [SAL_ROSENBROCK_W_STAGES][n], W and its pivots [n][row] each, F [n], then q = (err / rtol)^power.
 */
#include "control.h"
#include "given_method.h"
#include "jacobian.h"
#include "lane_math.h"
#include "matrix.h"
#include "norm.h"
#include "sizes.h"
#include "start.h"

typedef struct {
  sal_v *u, *W, *F, *q;
  sal_m *piv;
} rosenbrock_arrays;

static const sal_rosenbrock_w *table_of(const sal_step_state *s) { return s->inner; }

static int words(int n, int row) { return (SAL_ROSENBROCK_W_STAGES + 2 * row + 1) * n + 1; }

SAL_INLINE rosenbrock_arrays rosenbrock_arrays_of(int n, const sal_step_state *s)
{
  const int size = n * sal_matrix_row(n, s);
  sal_v *const m = s->mem, *W = m + SAL_ROSENBROCK_W_STAGES * n, *F = W + 2 * size;

  return (rosenbrock_arrays){m, W, F, F + n, (sal_m *)(void *)(W + size)};
}

static void start(sal_step_state *s, sal_m lanes) { sal_start_stiff(s, lanes, table_of(s)->power); }

static void retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

/* sum_j weight_j u_j of component i over the first `stages`. */
SAL_INLINE sal_v rosenbrock_sum(const int n, int stages, const double weight[], const sal_v u[],
                                int i)
{
  sal_v sum = sal_set(0);

  for (int j = 0; j < stages; ++j)
    if (weight[j] != 0) sum += weight[j] * u[j * n + i];
  return sum;
}

SAL_INLINE void rosenbrock_factorise(const int n, const sal_step_state *s,
                                     const rosenbrock_arrays *m, double gamma)
{
  sal_matrix_shift(n, s, s->h * gamma, m->W);
  sal_matrix_factorise(n, s, m->W, m->piv);
}

/* f of stage i into m->F. */
SAL_INLINE void rosenbrock_slope(const int n, sal_step_state *s, sal_m lanes,
                                 const rosenbrock_arrays *m, const sal_rosenbrock_w *table, int i)
{
  const double at = table->alpha[i];

  if (i == 0)
    for (int k = 0; k < n; ++k) m->F[k] = s->f[k];
  if (i == 0 || table->shares[i]) return;
  for (int k = 0; k < n; ++k) s->yn[k] = s->y[k] + rosenbrock_sum(n, i, table->a[i], m->u, k);
  sal_method_rhs(s, lanes, at == 1 ? s->tn : s->t + at * s->h, s->yn, m->F);
}

/* Stage i from its f in m->F. */
SAL_INLINE void rosenbrock_solve(const int n, const sal_step_state *s, const rosenbrock_arrays *m,
                                 const sal_rosenbrock_w *table, int i)
{
  const sal_v bend = s->h * table->gamma_sum[i];
  sal_v *u = m->u + i * n;

  for (int k = 0; k < n; ++k)
    u[k] = table->gamma *
           (s->h * (m->F[k] + bend * s->T[k]) + rosenbrock_sum(n, i, table->c[i], m->u, k));
  sal_matrix_substitute(n, s, m->W, m->piv, u);
}

SAL_INLINE sal_m rosenbrock_test(const int n, sal_step_state *s, sal_m lanes,
                                 const rosenbrock_arrays *m, const sal_rosenbrock_w *table)
{
  sal_v e[SAL_MAX_STATE];

  for (int k = 0; k < n; ++k) e[k] = rosenbrock_sum(n, table->stages, table->e, m->u, k);
  const sal_v err = sal_norm_of(n, s->thr, e, s->y, s->yn) / s->rtol;
  const sal_m ok = lanes & sal_le(err, sal_set(1));
  *m->q = sal_lane_rough_pow(err, table->power);
  sal_control_shrink(s, lanes & ~ok, *m->q, 0.8, table->shrink, 0);
  return ok;
}

SAL_INLINE sal_m given_rosenbrock_step(const int n, sal_step_state *s, sal_m lanes)
{
  const sal_rosenbrock_w *table = table_of(s);
  const rosenbrock_arrays m = rosenbrock_arrays_of(n, s);
  sal_m ok = lanes;

  rosenbrock_factorise(n, s, &m, table->gamma);
  sal_method_count_lu(s, lanes, 1);
  for (int i = 0; i < table->stages; ++i) {
    rosenbrock_slope(n, s, lanes, &m, table, i);
    rosenbrock_solve(n, s, &m, table, i);
  }
  sal_method_count_solve(s, lanes, table->stages);
  for (int k = 0; k < n; ++k)
    s->yn[k] = s->y[k] + rosenbrock_sum(n, table->stages, table->m, m.u, k);
  if (s->fixed <= 0) ok = rosenbrock_test(n, s, lanes, &m, table);
  s->fn = m.F; /* the last stage has it, or it is made */
  if (!table->ends_new && sal_any(ok)) sal_method_rhs(s, ok, s->tn, s->yn, m.F);
  return ok;
}

static sal_m step(sal_step_state *s, sal_m lanes)
{
  return SAL_SIZES_CALL(given_rosenbrock_step, s->n, s, lanes);
}

static void advance(sal_step_state *s, sal_m lanes)
{
  const rosenbrock_arrays m = rosenbrock_arrays_of(s->n, s);

  sal_assign(s->n, lanes, s->f, m.F);
  if (s->fixed <= 0) sal_control_grow(s, lanes, *m.q);
  sal_jacobian_form(s, lanes);
  sal_jacobian_form_by_time(s, lanes, s->absh);
}

/* The cubic Hermite polynomial of the two ends. */
static int dense_of_ends(const sal_step_state *s, const rosenbrock_arrays *m, sal_v c[])
{
  const int n = s->n;

  for (int i = 0; i < n; ++i) {
    const sal_v way = s->yn[i] - s->y[i], first = s->h * s->f[i], last = s->h * m->F[i];
    c[i] = s->y[i];
    c[n + i] = first;
    c[2 * n + i] = 3.0 * way - 2.0 * first - last;
    c[3 * n + i] = first + last - 2.0 * way;
  }
  return 3;
}

static int dense(sal_step_state *s, sal_v c[])
{
  const int n = s->n;
  const rosenbrock_arrays m = rosenbrock_arrays_of(n, s);
  const sal_rosenbrock_w *table = table_of(s);

  if (table->degree == 0) return dense_of_ends(s, &m, c);
  for (int i = 0; i < n; ++i) c[i] = s->y[i];
  for (int j = 0; j < table->degree; ++j)
    for (int i = 0; i < n; ++i) {
      sal_v sum = sal_set(0);
      for (int k = 0; k < table->stages; ++k) sum += table->dense[k][j] * m.u[k * n + i];
      c[(j + 1) * n + i] = sum;
    }
  return table->degree;
}

const sal_method_ops SAL_FN(sal_given_rosenbrock) = {SAL_METHOD_STEPS};
