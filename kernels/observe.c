/** @file kernels/observe.c
 *  Divergence time (32), integral of the absolute error (33) and largest error on a uniform mesh,
 *  from the method's own dense output.  Dallas, Machairas, Papadopoulos, section IV.
 */
#include "observe.h"

static int64_t mesh_size(const sal_job *job)
{
  return job->score ? job->score->n_mesh : job->samples ? job->samples->n_mesh : 0;
}

static double mesh_span(const sal_job *job, const sal_setup *setup)
{
  return job->score || job->samples->span <= 0 ? setup->t_end : job->samples->span;
}

static void set_next_due(sal_observer *o, const sal_setup *setup, int64_t next)
{
  const int64_t n_mesh = mesh_size(o->job);

  o->next = next;
  o->due  = n_mesh > 0 && next <= n_mesh ? mesh_span(o->job, setup) * (double)next / (double)n_mesh
                                         : INFINITY;
}

void sal_observe_begin(sal_observer *o, const sal_setup *setup, const sal_job *job)
{
  *o = (sal_observer){.job = job, .divergence = NAN};
  set_next_due(o, setup, 0);
  if (job->events) job->events->n = 0;
  if (!job->samples) return;
  const int64_t n_value = (job->samples->n_mesh + 1) * setup->model->n_state;
  for (int64_t i = 0; i < n_value; ++i) job->samples->state[i] = NAN;
  if (job->samples->closed) memset(job->samples->closed, 0, (size_t)job->samples->n_mesh + 1);
}

/* Last mesh point at or before t1. */
static int64_t last_mesh_point(double t1, double span, int64_t n_mesh)
{
  if (t1 >= span) return n_mesh;
  int64_t j = (int64_t)(t1 / span * (double)n_mesh);
  while (span * (double)(j + 1) / (double)n_mesh <= t1) ++j;
  while (j >= 0 && span * (double)j / (double)n_mesh > t1) --j;
  return j;
}

/* Eight mesh points from `base` on, of which [next, last] count. */
static void score_block(sal_observer *o, const sal_setup *setup, const sal_step_span *span,
                        const double poly[], int64_t base, int64_t last)
{
  const sal_score *score = o->job->score;
  const double     n     = (double)score->n_mesh;

  for (int q = 0; q < SAL_MESH_BLOCK; q += SAL_LANES) {
    const sal_v index = (double)(base + q) + sal_ramp();
    const sal_m in = sal_ge(index, sal_set((double)o->next)) & sal_le(index, sal_set((double)last));
    if (!sal_any(in)) continue;
    const sal_v t = setup->t_end * index / n, x = (t - span->t) / span->h - span->origin;
    sal_v       y = sal_set(poly[span->degree]), reference, sum;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): poly has degree + 1 */
    for (int j = span->degree - 1; j >= 0; --j) y = y * x + poly[j];
    memcpy(&reference, score->reference + base + q, sizeof reference);

    const sal_v e = sal_abs(y - reference), size = sal_abs(reference);
    const sal_m border = sal_eq(index, sal_set(0)) | sal_eq(index, sal_set(n));
    const sal_v share  = sal_sel(in, sal_sel(border, 0.5 * e, e), sal_set(0));
    memcpy(&sum, o->sum + q, sizeof sum);
    sum += share;
    memcpy(o->sum + q, &sum, sizeof sum);

    const sal_m larger = in & ~sal_le(e, sal_set(o->largest));
    const sal_m far = in & sal_ge(e, score->epsilon * size) & sal_ge(size, sal_set(score->floor)) &
                      ~sal_eq(sal_set(o->divergence), sal_set(o->divergence)); /* none yet */
    if (!sal_any(larger | far)) continue;
    for (int l = 0; l < SAL_LANES; ++l) {
      if (SAL_AT(in, l) && !(SAL_AT(e, l) <= o->largest)) o->largest = SAL_AT(e, l);
      if (SAL_AT(far, l) && isnan(o->divergence)) o->divergence = SAL_AT(t, l);
    }
  }
}

static void sample_point(sal_observer *o, const sal_setup *setup, const sal_step_span *span,
                         int64_t j)
{
  sal_samples *out = o->job->samples;
  const int    n = span->n, n_state = setup->model->n_state;
  double      *state = out->state + j * n_state;
  const double t     = mesh_span(o->job, setup) * (double)j / (double)out->n_mesh;
  const double x     = (t - span->t) / span->h - span->origin;

  for (int i = 0; i < n; ++i) {
    double y = SAL_AT(span->c[span->degree * n + i], span->lane);
    for (int m = span->degree - 1; m >= 0; --m) y = y * x + SAL_AT(span->c[m * n + i], span->lane);
    state[i] = y;
  }
  for (int i = n; i < n_state; ++i) state[i] = SAL_AT(span->q[i - n], span->lane);
  if (out->closed) out->closed[j] = span->closed;
}

void sal_observe_step(sal_observer *o, const sal_setup *setup, const sal_step_span *span)
{
  const int64_t last = last_mesh_point(span->t1, mesh_span(o->job, setup), mesh_size(o->job));

  if (o->job->score) {
    double poly[SAL_MAX_DEGREE + 1];
    for (int j = 0; j <= span->degree; ++j)
      poly[j] = SAL_AT(span->c[j * span->n + setup->model->watch], span->lane);
    for (int64_t base = o->next & ~(int64_t)(SAL_MESH_BLOCK - 1); base <= last;
         base += SAL_MESH_BLOCK)
      score_block(o, setup, span, poly, base, last);
  }
  if (o->job->samples)
    for (int64_t j = o->next; j <= last; ++j) sample_point(o, setup, span, j);
  set_next_due(o, setup, last + 1);
}

void sal_observe_end(const sal_observer *o, const sal_setup *setup, double watched, sal_record *out)
{
  const sal_score *score = o->job->score;
  if (!score) return;
  const double *s        = o->sum;
  const bool    finished = sal_metric_finished(out->value[SAL_METRIC_OUTCOME]);

  out->value[SAL_METRIC_DT] = o->divergence;
  if (!finished) return; /* an integral over a part of the interval would compare with nothing */
  out->value[SAL_METRIC_IAE] = setup->t_end / (double)score->n_mesh *
                               (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
  out->value[SAL_METRIC_MAX_ERROR] = o->largest;
  out->value[SAL_METRIC_END_ERROR] = fabs(watched - score->reference[score->n_mesh]);
}
