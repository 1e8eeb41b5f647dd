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

/* closed [n_guard] */
static void read_mode(const sal_batch *b, const sal_measured *m, int lane, bool closed[])
{
  for (int k = 0; k < m->list->of.n_guard; ++k)
    closed[k] = k < b->s.phase.n_guard && sal_contacts_closed(&b->s.phase, k, lane);
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
