/** @file kernels/methods/rosenbrock_nystrom.c
 *  Stages, error test, control and dense output of the Rosenbrock-Nystrom methods.
 *
 *  J1, J2 and df/dt are formed anew at every accepted step.  Sizes of steps follow (16): safety 0.9,
 *  a change by 1/5 to 5, no growth behind failures.  Own memory: z [stages][n/2], w [n/2], e [n],
 *  S [n/2][n/2], pivots [n/2][n/2], q.
 */
#include "rosenbrock_nystrom.h"
#include "control.h"
#include "jacobian.h"
#include "lane_math.h"
#include "linear.h"
#include "norm.h"
#include "start.h"

typedef sal_rosenbrock_nystrom nystrom_table;

/* half = n/2; position k is state place[k], its velocity state speed[k]. */
typedef struct {
  int    half;
  int    place[SAL_MAX_STATE / 2], speed[SAL_MAX_STATE / 2];
  sal_v *z[SAL_NYSTROM_STAGES], *w, *e, *S, *q;
  sal_m *piv;
} nystrom;

int sal_rosenbrock_nystrom_words(int n)
{
  const int half = n / 2;

  return (SAL_NYSTROM_STAGES + 1) * half + n + 2 * half * half + 1;
}

static nystrom nystrom_of(const sal_step_state *s)
{
  nystrom m    = {.half = s->n / 2, .q = s->mem};
  sal_v  *next = s->mem + 1;
  int     k    = 0;

  for (int i = 0; i < s->n; ++i)
    if (s->model->velocity[i]) m.place[k] = i, m.speed[k++] = s->model->velocity[i] - 1;
  for (int i = 0; i < SAL_NYSTROM_STAGES; ++i) m.z[i] = next, next += m.half;
  m.w   = next;
  m.e   = m.w + m.half;
  m.S   = m.e + s->n;
  m.piv = (sal_m *)(void *)(m.S + m.half * m.half);
  return m;
}

/* df/dt by a one-sided difference of second order: at order 4 the error of a plain one shows.  Models
 * that do not depend on t keep the 0 of the start. */
static void nystrom_form_by_time(sal_step_state *s, sal_m lanes, sal_v reach)
{
  if (s->model->autonomous) return;
  const nystrom m    = nystrom_of(s);
  const sal_v   wish = sal_max(0x1p-7 * reach, 0x1p-40 * sal_abs(s->t));
  const sal_v   near = s->t + wish, far = near + wish;
  const sal_v   a = near - s->t, b = far - s->t;

  sal_method_rhs(s, lanes, near, s->y, s->fn);
  sal_method_rhs(s, lanes, far, s->y, m.e);
  for (int i = 0; i < s->n; ++i) {
    const sal_v first = (s->fn[i] - s->f[i]) / a, second = (m.e[i] - s->f[i]) / b;
    s->T[i] = sal_sel(lanes, (b * first - a * second) / (b - a), s->T[i]);
  }
}

void sal_rosenbrock_nystrom_start(sal_step_state *s, sal_m lanes, const nystrom_table *table)
{
  sal_start_stiff(s, lanes, 1.0 / (table->embedded + 1));
  nystrom_form_by_time(s, lanes, s->absh);
}

void sal_rosenbrock_nystrom_retry(sal_step_state *s, sal_m lanes) { (void)s, (void)lanes; }

static void nystrom_factorise(sal_step_state *s, sal_m lanes, const nystrom *m, double gamma)
{
  const sal_v hg = s->h * gamma;

  for (int i = 0; i < m->half; ++i)
    for (int j = 0; j < m->half; ++j) {
      const sal_v *row      = s->J + m->speed[i] * s->n;
      const sal_v  stiff    = row[m->speed[j]] + hg * row[m->place[j]];
      m->S[i * m->half + j] = (i == j ? 1.0 : 0.0) - hg * stiff;
    }
  sal_linear_factorise(m->half, m->S, m->piv);
  sal_method_count_lu(s, lanes, 1);
}

/* sum_j weight_j z_j of component k over the first n stages */
static sal_v nystrom_sum(const nystrom *m, int n, const double weight[], int k)
{
  sal_v sum = sal_set(0);

  for (int j = 0; j < n; ++j) sum += weight[j] * m->z[j][k];
  return sum;
}

/* out = (y, y') moved on by h (share y' + places z) and speeds z. */
static void nystrom_move(const sal_step_state *s, const nystrom *m, int n, double share,
                         const double places[], const double speeds[], sal_v out[])
{
  for (int k = 0; k < m->half; ++k) {
    const int   at = m->place[k], by = m->speed[k];
    const sal_v slope = share * s->f[at] + nystrom_sum(m, n, places, k);
    out[at]           = s->y[at] + s->h * slope;
    out[by]           = s->y[by] + nystrom_sum(m, n, speeds, k);
  }
}

/* Stage i, whose f is known. */
static void nystrom_solve(sal_step_state *s, const nystrom *m, const nystrom_table *table, int i,
                          const sal_v f[])
{
  const sal_v h = s->h;

  for (int k = 0; k < m->half; ++k)
    m->w[k] = table->gamma_sum[i] * s->f[m->place[k]] + nystrom_sum(m, i, table->delta[i], k);
  for (int k = 0; k < m->half; ++k) {
    const sal_v *row  = s->J + m->speed[k] * s->n;
    sal_v        bend = table->gamma_sum[i] * s->T[m->speed[k]];
    for (int l = 0; l < m->half; ++l) bend += row[m->place[l]] * m->w[l];
    const sal_v sum = h * (f[m->speed[k]] + h * bend) + nystrom_sum(m, i, table->c[i], k);
    m->z[i][k]      = table->gamma * sum;
  }
  sal_linear_solve(m->half, m->S, m->piv, m->z[i]);
}

/* Solves for all stages; yn and fn are scratch. */
static void nystrom_stages(sal_step_state *s, sal_m lanes, const nystrom *m,
                           const nystrom_table *table)
{
  for (int i = 0; i < table->stages; ++i) {
    const double at = table->alpha[i];
    if (i > 0 && !table->shares[i]) {
      nystrom_move(s, m, i, at, table->theta[i], table->a[i], s->yn);
      sal_method_rhs(s, lanes, at == 1 ? s->tn : s->t + at * s->h, s->yn, s->fn);
    }
    nystrom_solve(s, m, table, i, i > 0 ? s->fn : s->f);
  }
  sal_method_count_solve(s, lanes, (table->stages + 3) / 4);
}

/* The error test, (14)-(16), whose norm is the root mean square.  The estimate is as it is: one that S^-1 filters misses what a stiff
 * system that follows cos t is wrong by, 10^3 to 10^4 tolerances (tests/kernels/stiff_swing.c). */
static sal_m nystrom_test(sal_step_state *s, sal_m lanes, const nystrom *m,
                          const nystrom_table *table)
{
  for (int k = 0; k < m->half; ++k) {
    m->e[m->place[k]] = s->h * nystrom_sum(m, table->stages, table->e_mu, k);
    m->e[m->speed[k]] = nystrom_sum(m, table->stages, table->e_m, k);
  }
  const sal_v err = sal_norm_mean_square(s, m->e, s->y, s->yn) / s->rtol;
  const sal_m ok  = lanes & sal_le(err, sal_set(1));
  *m->q           = sal_sqrt(err);
  if (table->embedded == 3) *m->q = sal_sqrt(*m->q);
  sal_control_shrink(s, lanes & ~ok, *m->q, 0.9, 0.2, 0);
  return ok;
}

sal_m sal_rosenbrock_nystrom_step(sal_step_state *s, sal_m lanes, const nystrom_table *table)
{
  const nystrom m  = nystrom_of(s);
  sal_m         ok = lanes;

  nystrom_factorise(s, lanes, &m, table->gamma);
  nystrom_stages(s, lanes, &m, table);
  nystrom_move(s, &m, table->stages, 1, table->mu, table->m, s->yn);
  if (s->fixed <= 0) ok = nystrom_test(s, lanes, &m, table);
  if (sal_any(ok)) sal_method_rhs(s, ok, s->tn, s->yn, s->fn);
  return ok;
}

void sal_rosenbrock_nystrom_advance(sal_step_state *s, sal_m lanes)
{
  const nystrom m      = nystrom_of(s);
  const sal_v   shrink = sal_max(*m.q / 0.9, sal_set(0.2));

  sal_assign(s->n, lanes, s->f, s->fn);
  if (s->fixed <= 0) s->absh = sal_sel(lanes & ~s->again, s->absh / shrink, s->absh);
  sal_jacobian_form(s, lanes);
  nystrom_form_by_time(s, lanes, s->absh);
}

/* y, y' and y'' are known at both ends: the quintic of Hermite for the positions, the cubic of y' and
 * y'' for the velocities, whose values do not suffer in a short step as the quintic's slope does. */
int sal_rosenbrock_nystrom_dense(sal_step_state *s, sal_v c[])
{
  const int     n = s->n;
  const nystrom m = nystrom_of(s);
  const sal_v   h = s->h;

  for (int k = 0; k < m.half; ++k) {
    const int    at = m.place[k], by = m.speed[k];
    sal_v *const p = c + at, *const v = c + by;
    const sal_v begin = h * s->f[by], end = h * s->fn[by]; /* of y' per step */
    const sal_v B = h * (s->fn[at] - s->f[at] - begin), C = h * (end - begin);
    const sal_v D = s->yn[by] - s->y[by];
    p[0]          = s->y[at];
    p[n]          = h * s->f[at];
    p[2 * n]      = 0.5 * h * begin;
    const sal_v A = s->yn[at] - s->y[at] - p[n] - p[2 * n];
    p[3 * n]      = 10.0 * A - 4.0 * B + 0.5 * C;
    p[4 * n]      = 7.0 * B - 15.0 * A - C;
    p[5 * n]      = 6.0 * A - 3.0 * B + 0.5 * C;
    v[0]          = s->y[by];
    v[n]          = begin;
    v[2 * n]      = 3.0 * D - 2.0 * begin - end;
    v[3 * n]      = begin + end - 2.0 * D;
    v[4 * n] = v[5 * n] = sal_set(0);
  }
  return 5;
}
