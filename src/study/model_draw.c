/** Points drawn from the ranges of a model's parameters and states, and the verdict on them. */
#include "base.h"
#include "model_drawn.h"
#include "random.h"
#include <stdarg.h>

enum { SEED = 27 };

void sal_model_inquiry_put(sal_model_inquiry *q, sal_model_verdict_kind kind, const char *format,
                           ...)
{
  const size_t at = strlen(q->v->text);
  va_list values;

  if (kind > q->v->kind) q->v->kind = kind;
  va_start(values, format);
  vsnprintf(q->v->text + at, sizeof q->v->text - at, format, values);
  va_end(values);
}

static double draw_field(const sal_field *f, int64_t i, int component, double preset)
{
  const double at = f->lo + (f->hi - f->lo) * sal_random(SEED, (uint64_t)i, (uint32_t)component);

  return f->lo < f->hi ? (f->whole ? rint(at) : at) : preset;
}

/* From their ranges.  Where one has none, from a point of the run, whose discrete states go with it. */
static void draw_states(const sal_model_inquiry *q, int64_t i, double y[])
{
  const sal_model *m = q->like.model;
  const int n = sal_model_continuous(m);
  const int64_t j = (int64_t)((double)q->run->n * sal_random(SEED, (uint64_t)i, UINT32_MAX - 1));
  const double *at = j < q->run->n ? q->run->state + j * m->n_state : q->initial;
  bool ranged = true;

  for (int k = 0; k < n; ++k) {
    ranged &= m->state[k].lo < m->state[k].hi;
    y[k] = draw_field(&m->state[k], i, m->n_param + k, at[k]);
  }
  for (int k = n; k < m->n_state && !ranged; ++k) y[k] = at[k];
}

bool sal_model_draw(const sal_model_inquiry *q, int64_t i, sal_model_drawn_point *at)
{
  const sal_model *m = q->like.model;
  const int given = m->n_param + m->n_option;
  double gap;

  memcpy(at->param, q->param, (size_t)given * sizeof *at->param);
  memcpy(at->y, q->initial, (size_t)m->n_state * sizeof *at->y);
  at->t = 0;
  if (i > 0) {
    for (int k = m->n_count; k < m->n_param; ++k) /* the text is that of these counts */
      if (k + 1 != m->counted_by) at->param[k] = draw_field(&m->param[k], i, k, q->param[k]);
    draw_states(q, i, at->y);
    at->t = q->like.t_end * sal_random(SEED, (uint64_t)i, UINT32_MAX);
  }
  if (sal_model_flaw(m, at->param)) return false;
  if (sal_model_beyond(m, at->param, at->y, NULL, &gap) >= 0) return false;
  sal_model_mode(m, at->param, at->t, at->y, at->closed);
  sal_model_field(m, at->param, at->closed, at->t, at->y, at->f);
  return true;
}

static double gap_of(const sal_model *m, const sal_model_drawn_point *at, const double y[], int k)
{
  double gap[SAL_MAX_GUARD], rate[SAL_MAX_GUARD];

  sal_model_rates(m, at->param, at->closed, at->t, y, at->f, gap, rate);
  return gap[k];
}

bool sal_model_draw_onto(const sal_model *m, int k, sal_model_drawn_point *at)
{
  double steepest = 0, y[SAL_MAX_STATE];
  int best = -1;

  memcpy(y, at->y, sizeof y);
  for (int i = 0; i < sal_model_continuous(m); ++i) {
    const double h = 1e-6 * (fabs(at->y[i]) + 1);
    y[i] = at->y[i] + h;
    const double slope = (gap_of(m, at, y, k) - gap_of(m, at, at->y, k)) / h;
    y[i] = at->y[i];
    if (fabs(slope) > fabs(steepest)) steepest = slope, best = i;
  }
  for (int turn = 0; best >= 0 && turn < 50; ++turn) {
    const double gap = gap_of(m, at, at->y, k), h = 1e-7 * (fabs(at->y[best]) + 1);
    if (fabs(gap) <= 1e-13) break;
    memcpy(y, at->y, sizeof y);
    y[best] += h;
    const double slope = (gap_of(m, at, y, k) - gap) / h;
    if (slope == 0 || !isfinite(slope)) return false;
    at->y[best] -= gap / slope;
  }
  if (best < 0 || !(fabs(gap_of(m, at, at->y, k)) <= 1e-10)) return false;
  sal_model_field(m, at->param, at->closed, at->t, at->y, at->f);
  return true;
}
