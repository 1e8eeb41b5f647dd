/** From lanes to single runs: the state at a time in a step, the mode in it. */
#include "measured_lanes.h"

/* A step of one lane. */
typedef struct {
  const sal_step_span *span;
  int lane, n_state;
} lane_step;

static void value_at(const void *with, double t, double y[])
{
  const lane_step *s = with;

  sal_observe_state(s->span, s->lane, t, s->n_state, y);
}

/* Points side by side in lanes: each has the bits that it has alone. */
static void one_at(const void *with, int i, int n, const double t[], double out[])
{
  const lane_step *s = with;
  const sal_step_span *p = s->span;

  for (int k = 0; k < n; k += SAL_LANES) {
    sal_v x = sal_set(t[k]), sum = sal_set(SAL_AT(p->c[p->degree * p->n + i], s->lane));
    for (int lane = 1; lane < SAL_LANES && k + lane < n; ++lane) SAL_AT(x, lane) = t[k + lane];
    x = (x - SAL_AT(p->t, s->lane)) / SAL_AT(p->h, s->lane) - p->origin;
    for (int m = p->degree - 1; m >= 0; --m) sum = sum * x + SAL_AT(p->c[m * p->n + i], s->lane);
    for (int lane = 0; lane < SAL_LANES && k + lane < n; ++lane) out[k + lane] = SAL_AT(sum, lane);
  }
}

static double lesser(double a, double b) { return a < b ? a : b; }

/* The polynomial in arithmetic of intervals. */
static void range_of(const void *with, int i, double range[2])
{
  const lane_step *s = with;
  const sal_step_span *p = s->span;
  const double a = -p->origin, b = 1 - p->origin;
  double lo = SAL_AT(p->c[p->degree * p->n + i], s->lane), hi = lo;

  for (int m = p->degree - 1; m >= 0; --m) {
    const double c = SAL_AT(p->c[m * p->n + i], s->lane), lo_a = lo * a, lo_b = lo * b,
                 hi_a = hi * a, hi_b = hi * b;
    lo = c + lesser(lesser(lo_a, lo_b), lesser(hi_a, hi_b));
    hi = c - lesser(lesser(-lo_a, -lo_b), lesser(-hi_a, -hi_b));
  }
  range[0] = lo, range[1] = hi;
}

/* closed [n_guard] */
static void read_mode(const sal_batch *b, const sal_measured *m, int lane, bool closed[])
{
  for (int k = 0; k < m->list->of.n_guard; ++k)
    closed[k] = k < b->s.phase.n_guard && sal_contacts_closed(&b->s.phase, k, lane);
}

void sal_measured_lanes_make(sal_batch *b, sal_m lanes, sal_m due)
{
  sal_dense *d = &b->dense;
  const sal_measured_list *list = NULL;
  bool plain = d->degree < 0 && b->s.method->dense_one;

  for (int lane = 0; plain && lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    const sal_measured *m = b->observer.job[lane]->measured;
    plain = sal_measured_plain(m) && (!list || list == m->list);
    list = m->list;
  }
  if (!plain || !list) {
    sal_dense_make(d, due);
    return;
  }
  sal_dense_prepare(d, due);
  for (int k = 0; k < list->n; ++k) {
    const int i = list->term[k].state, n = b->s.n;
    if (list->term[k].kind > SAL_MEASURED_VALUE) continue;
    sal_dense_make_one(d, i, due);
    for (int m = 0; m <= d->one_degree; ++m) d->c[m * n + i] = d->one_c[m];
  }
}

void sal_measured_lanes_take(const sal_batch *b, sal_m lanes, const sal_step_span *span)
{
  bool closed[SAL_MAX_GUARD];

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    const sal_measured *m = b->observer.job[lane]->measured;
    const lane_step from = {span, lane, b->setup->model->n_state};
    const sal_measured_step step = {.t0 = SAL_AT(span->t, lane),
                                    .t1 = SAL_AT(span->t1, lane),
                                    .at = value_at,
                                    .one = one_at,
                                    .range = range_of,
                                    .with = &from,
                                    .closed = closed};
    read_mode(b, m, lane, closed);
    sal_measured_take(m, &step);
  }
}

void sal_measured_lanes_event(const sal_batch *b, sal_m hit,
                              void (*what)(const sal_measured *m, double t, const double y[],
                                           const bool closed[]))
{
  const sal_m lanes = hit & b->observer.measured;
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  for (int lane = 0; sal_any(lanes) && lane < SAL_LANES; ++lane) {
    if (!SAL_AT(lanes, lane)) continue;
    const sal_measured *m = b->observer.job[lane]->measured;
    sal_batch_read_state(b, lane, b->setup->model->n_state, y);
    read_mode(b, m, lane, closed);
    what(m, SAL_AT(b->s.t, lane), y, closed);
  }
}

#if SAL_LANES == 1
/* A step of an engine. */
typedef struct {
  void (*dense)(void *with, double t, double y[]);
  void *with;
  const sal_batch *b;
} engine_step;

static void ask(const void *with, double t, double y[])
{
  const engine_step *s = with;
  const int n = s->b->s.n, n_state = s->b->setup->model->n_state;

  s->dense(s->with, t, y);
  for (int i = n; i < n_state; ++i) y[i] = s->b->s.phase.q[i - n];
}

void sal_measured_lanes_ask(sal_batch *b, double t1,
                            void (*dense)(void *with, double t, double y[]), void *with)
{
  const sal_measured *m = b->observer.job[0]->measured;
  bool closed[SAL_MAX_GUARD];
  const engine_step from = {dense, with, b};
  const sal_measured_step step = {
      .t0 = b->s.t, .t1 = t1, .at = ask, .with = &from, .closed = closed};

  read_mode(b, m, 0, closed);
  sal_measured_take(m, &step);
}
#endif
