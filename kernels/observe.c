/** Divergence time (32), integral of the absolute error (33) and largest error on a uniform mesh,
 *  from the method's own dense output.  Dallas, Machairas, Papadopoulos, section IV.
 */
#include "observe.h"
#include "watched.h"

static const double no_reference[1];

/* A whole number from 0 to 2^52 - 1, exactly. */
SAL_INLINE sal_v to_number(sal_m i)
{
  return sal_from_bits(i | sal_bits(sal_set(0x1p52))) - 0x1p52;
}

/* The last mesh point belongs to the step that ends at the span, however its time is rounded. */
SAL_INLINE void set_due(sal_observer *o)
{
  const sal_v next = to_number(o->next);

  o->when = o->span * next / o->last;
  o->mesh = sal_sel(sal_le(next, o->last), sal_min(o->when, o->span), sal_set((double)INFINITY));
  o->due = sal_sel(o->measured, sal_set(-(double)INFINITY), o->mesh);
}

static void set_mesh(sal_observer *o, const sal_setup *setup, int lane)
{
  const sal_score *score = o->job[lane]->score;
  const sal_samples *samples = o->job[lane]->samples;
  const int64_t n_mesh = score ? score->n_mesh : samples ? samples->n_mesh : 0;
  const bool part = !score && samples && samples->span > 0;

  SAL_AT(o->span, lane) = part ? samples->span : setup->t_end;
  SAL_AT(o->last, lane) = n_mesh > 0 ? (double)n_mesh : -1;
  SAL_AT(o->next, lane) = 0;
  o->end = o->span * o->last / o->last;
  set_due(o);
}

static void set_score(sal_observer *o, int lane)
{
  const sal_score *score = o->job[lane]->score;

  o->reference[lane] = score ? score->reference : no_reference;
  if (score) o->rows = score->n_mesh + 8;
  SAL_AT(o->scored, lane) = -(int64_t)(score != NULL);
  SAL_AT(o->epsilon, lane) = score ? score->epsilon : 0;
  SAL_AT(o->floor, lane) = score ? score->floor : 0;
  SAL_AT(o->largest, lane) = 0;
  SAL_AT(o->divergence, lane) = NAN;
  for (int i = 0; i < SAL_MESH_BLOCK; ++i) o->sum[lane][i] = 0;
}

void sal_observe_begin(sal_observer *o, const sal_setup *setup, int lane, const sal_job *job)
{
  o->job[lane] = job;
  o->logged[lane] = 0;
  SAL_AT(o->measured, lane) = -(int64_t)(job->measured != NULL);
  if (job->measured) sal_measured_begin(job->measured);
  set_mesh(o, setup, lane);
  set_score(o, lane);
  o->model = setup->model;
  if (job->events) job->events->n = 0;
  if (!job->samples) return;
  const int64_t n_value = (job->samples->n_mesh + 1) * setup->model->n_state;
  for (int64_t i = 0; i < n_value; ++i) job->samples->state[i] = NAN;
  if (job->samples->closed) memset(job->samples->closed, 0, (size_t)job->samples->n_mesh + 1);
  o->sampled = true;
}

void sal_observe_move(sal_observer *to, int to_lane, const sal_observer *from, int from_lane)
{
  sal_v *const out[] = {&to->due, &to->mesh,    &to->when,  &to->span,       &to->last,
                        &to->end, &to->epsilon, &to->floor, &to->divergence, &to->largest};
  const sal_v *const in[] = {&from->due,        &from->mesh,   &from->when,    &from->span,
                             &from->last,       &from->end,    &from->epsilon, &from->floor,
                             &from->divergence, &from->largest};

  for (size_t i = 0; i < sizeof in / sizeof *in; ++i)
    SAL_AT(*out[i], to_lane) = SAL_AT(*in[i], from_lane);
  SAL_AT(to->next, to_lane) = SAL_AT(from->next, from_lane);
  SAL_AT(to->scored, to_lane) = SAL_AT(from->scored, from_lane);
  SAL_AT(to->measured, to_lane) = SAL_AT(from->measured, from_lane);
  to->job[to_lane] = from->job[from_lane];
  to->reference[to_lane] = from->reference[from_lane];
  to->logged[to_lane] = from->logged[from_lane];
  memcpy(to->sum[to_lane], from->sum[from_lane], sizeof to->sum[to_lane]);
  to->model = from->model;
  to->rows = from->rows > 0 ? from->rows : to->rows;
  to->sampled = to->sampled || from->sampled;
}

/* ---- samples, one lane after the other ------------------------------------------------------ */

void sal_observe_state(const sal_step_span *span, int lane, double t, int n, double y[])
{
  const double x = (t - SAL_AT(span->t, lane)) / SAL_AT(span->h, lane) - span->origin;

  for (int i = 0; i < span->n; ++i) {
    double sum = SAL_AT(span->c[span->degree * span->n + i], lane);
    for (int m = span->degree - 1; m >= 0; --m)
      sum = sum * x + SAL_AT(span->c[m * span->n + i], lane);
    y[i] = sum;
  }
  for (int i = span->n; i < n; ++i) y[i] = SAL_AT(span->q[i - span->n], lane);
}

static void sample_point(const sal_observer *o, const sal_step_span *span, int lane, int64_t j,
                         double t)
{
  sal_samples *out = o->job[lane]->samples;

  sal_observe_state(span, lane, t, o->model->n_state, out->state + j * o->model->n_state);
  if (out->closed) out->closed[j] = SAL_AT(span->closed, lane) != 0;
}

/* Returns the first mesh point after the step. */
static int64_t sample_step(const sal_observer *o, const sal_step_span *span, int lane)
{
  const double whole = SAL_AT(o->span, lane), last = SAL_AT(o->last, lane);
  int64_t j = SAL_AT(o->next, lane);
  double t = SAL_AT(o->when, lane);

  while ((double)j <= last && (t < whole ? t : whole) <= SAL_AT(span->t1, lane)) {
    sample_point(o, span, lane, j++, t);
    t = whole * (double)j / last;
  }
  return j;
}

static void sample_lanes(sal_observer *o, sal_m due, const sal_step_span *span)
{
  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(due, lane) || !o->job[lane]->samples) continue;
    const int64_t next = sample_step(o, span, lane);
    if (!SAL_AT(o->scored, lane)) SAL_AT(o->next, lane) = next; /* else the score goes on to it */
  }
  set_due(o);
}

/* ---- scores, all lanes together ------------------------------------------------------------- */

/* The first and the last point of a mesh count half. */
SAL_INLINE sal_v halve_borders(sal_v index, sal_v last, sal_v e)
{
  const sal_m border = sal_eq(index, sal_set(0)) | sal_eq(index, last);

  return sal_sel(border, 0.5 * e, e);
}

/* Mean error of the watched states at x of the step, by references from row on, and the mean of their sizes. */
SAL_INLINE sal_v mean_error(const sal_observer *o, const sal_step_span *span, int degree, sal_m row,
                            sal_v x, sal_v *size)
{
  const int n = sal_model_n_watched(o->model);
  sal_v sum = sal_set(0);

  *size = sum;
  for (int i = 0; i < n; ++i) {
    const sal_v *c = span->c + (span->n > 1 ? sal_model_watched(o->model, i) : 0);
    const sal_v reference = sal_fetch(o->reference, row + (o->scored & (i * o->rows)));
    sal_v y = c[degree * span->n];
    for (int j = degree - 1; j >= 0; --j) y = y * x + c[j * span->n];
    sum += sal_abs(y - reference);
    *size += sal_abs(reference);
  }
  *size *= 1.0 / n;
  return sum * (1.0 / n);
}

/* The mesh points of the step in the lanes of `in`, which have one.  Times run on in all lanes, so
 * that they do not wait for masks; in lanes that have passed their last point its successor's
 * reference is read and not used. */
SAL_INLINE void score_lanes(sal_observer *o, sal_m in, const sal_step_span *span, int degree)
{
  const sal_v zero = sal_set(0), last = o->last, whole = o->span, t1 = span->t1;
  const sal_m at_end = sal_ge(t1, whole);
  const sal_v until = sal_sel(at_end, sal_max(whole, o->end), t1);
  const sal_m from = o->next & o->scored;
  sal_m row = from, fresh = in & ~sal_eq(o->divergence, o->divergence);
  sal_v index = to_number(o->next), when = o->when, largest = o->largest;
  const bool borders = sal_any(in & (at_end | sal_eq(index, zero) | sal_ge(t1, o->end)));
  bool seeks = sal_any(fresh); /* for a divergence */

  do {
    const sal_v x = (when - span->t) / span->h - span->origin;
    sal_v size;
    const sal_v e = mean_error(o, span, degree, row, x, &size);
    const sal_v share = sal_sel(in, borders ? halve_borders(index, last, e) : e, zero);
    sal_add_to(o->sum[0], SAL_MESH_BLOCK, row & (SAL_MESH_BLOCK - 1), share);
    largest = sal_sel(in, sal_max(largest, e), largest);
    if (seeks) {
      const sal_m far = in & fresh & sal_ge(e, o->epsilon * size) & sal_ge(size, o->floor);
      o->divergence = sal_sel(far, when, o->divergence);
      fresh &= ~far;
    }
    row -= in;
    index += 1.0;
    when = whole * index / last;
    in &= sal_ge(until, when);
  } while (sal_any(in));
  o->next += row - from;
  o->largest = largest;
  set_due(o);
}

void sal_observe_lanes(sal_observer *o, sal_m lanes, const sal_step_span *span)
{
  const sal_m due = lanes & sal_ge(span->t1, o->mesh);

  if (!sal_any(due)) return;
  if (o->sampled) sample_lanes(o, due, span);
  if (!sal_any(due & o->scored)) return;
  if (span->degree == 4)
    score_lanes(o, due & o->scored, span, 4);
  else
    score_lanes(o, due & o->scored, span, span->degree);
}

void sal_observe_end(const sal_observer *o, const sal_setup *setup, int lane, const double y[],
                     sal_record *out)
{
  const sal_score *score = o->job[lane]->score;
  if (!score) return;
  const double *s = o->sum[lane];
  const int n = sal_model_n_watched(o->model);
  const bool finished = sal_metric_finished(out->value[SAL_METRIC_OUTCOME]);

  out->value[SAL_METRIC_DT] = SAL_AT(o->divergence, lane);
  if (!finished) return; /* an integral over a part of the interval would compare with nothing */
  out->value[SAL_METRIC_IAE] = setup->t_end / (double)score->n_mesh *
                               (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
  out->value[SAL_METRIC_MAX_ERROR] = SAL_AT(o->largest, lane);
  double end = 0;
  for (int i = 0; i < n; ++i)
    end += fabs(y[sal_model_watched(o->model, i)] - score->reference[score->n_mesh + i * o->rows]);
  out->value[SAL_METRIC_END_ERROR] = end / n;
}
