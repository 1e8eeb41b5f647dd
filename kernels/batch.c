/** @file kernels/batch.c
 *  Memory of a batch, and how lanes come and go.
 */
#include "batch.h"

void sal_batch_prepare(sal_batch *b, const sal_setup *setup)
{
  const sal_model *m = setup->model;

  *b          = (sal_batch){.setup = setup, .finder = setup->strategy->SAL_WIDTH(w)};
  b->s.scheme = setup->method->SAL_WIDTH(w);
  b->s.flow   = m->SAL_WIDTH(w);
  if (!b->finder->find && !b->finder->project) b->finder = NULL;
  b->s.n             = m->n_state;
  b->s.rtol          = setup->rtol;
  b->s.thr           = setup->atol / setup->rtol;
  b->s.analytic      = setup->jacobian == SAL_JACOBIAN_ANALYTIC;
  b->s.fixed         = setup->fixed_step;
  b->s.max_order     = setup->max_order;
  b->s.t_end         = sal_set(setup->t_end);
  b->s.phase.n_guard = setup->n_guard > 0 ? setup->n_guard : m->n_guard;
  b->at.in_row       = b->s.flow->row && !setup->every_contact && !setup->strategy->every;
  b->at.n            = b->at.in_row ? SAL_ROW_CANDIDATES : b->s.phase.n_guard;
  b->at.zone         = setup->zone;
  b->at.zone_in_time = setup->zone_in_time;
  b->at.one_way      = m->one_way ? ~sal_none() : sal_none();
  b->dense.step      = &b->s;
  b->dense.origin    = setup->method->origin;
  b->dense.rhs       = setup->method->dense_rhs;
}

/* Hands out `count` lanes-wide words; with *block == NULL it only counts. */
static sal_v *take(sal_v **block, size_t *used, size_t count)
{
  sal_v *piece = *block ? *block + *used : NULL;

  *used += count;
  return piece;
}

size_t sal_batch_lay_out(sal_batch *b, sal_v *block)
{
  const sal_model *m = b->setup->model;
  const size_t     n = (size_t)m->n_state, g = (size_t)b->at.n;
  const size_t     n_guard = (size_t)b->s.phase.n_guard;
  size_t           used    = 0;

  b->s.y         = take(&block, &used, n);
  b->s.f         = take(&block, &used, n);
  b->s.yn        = take(&block, &used, n);
  b->s.fn        = take(&block, &used, n);
  b->s.T         = take(&block, &used, n);
  b->s.J         = take(&block, &used, n * n);
  b->s.mem       = take(&block, &used, (size_t)b->s.scheme->words((int)n));
  b->dense.c     = take(&block, &used, (SAL_MAX_DEGREE + 1) * n);
  b->at.ya       = take(&block, &used, n);
  b->at.yb       = take(&block, &used, n);
  b->at.rank     = take(&block, &used, g);
  b->at.side     = take(&block, &used, g);
  b->at.onward   = take(&block, &used, g);
  b->at.gap      = take(&block, &used, g);
  b->at.rate     = take(&block, &used, g);
  b->at.gapn     = take(&block, &used, g);
  b->at.raten    = take(&block, &used, g);
  b->at.ga       = take(&block, &used, g);
  b->at.ra       = take(&block, &used, g);
  b->at.when     = take(&block, &used, g);
  b->at.late     = take(&block, &used, g);
  b->at.suspect  = (sal_m *)(void *)take(&block, &used, g);
  b->at.chosen   = (sal_m *)(void *)take(&block, &used, g);
  b->at.touching = (sal_m *)(void *)take(&block, &used, g);
  if (b->finder && b->finder->words)
    b->at.own = (sal_m *)(void *)take(&block, &used, (size_t)b->finder->words((int)g));
  b->x.fired    = (sal_m *)(void *)take(&block, &used, g);
  b->x.many     = take(&block, &used, g);
  b->land_fired = (sal_m *)(void *)take(&block, &used, g);
  b->land_many  = take(&block, &used, g);
  b->rests      = (sal_m *)(void *)take(&block, &used, g);
  b->astray     = (sal_m *)(void *)take(&block, &used, g);
  b->closed_at  = take(&block, &used, n_guard);
  b->in_a_row   = (sal_m *)(void *)take(&block, &used, n_guard);
  if (!b->at.in_row) b->s.phase.closed = (sal_m *)(void *)take(&block, &used, n_guard);
  b->p = take(&block, &used, (size_t)sal_model_words(m));
  return used;
}

void sal_batch_load(sal_batch *b, int lane, int64_t which)
{
  const sal_model *m   = b->setup->model;
  const sal_job   *job = &b->job[which];
  double           p[SAL_MAX_P];

  b->which[lane] = which;
  sal_model_fill(m, job->param, p);
  for (int i = 0; i < sal_model_words(m); ++i) SAL_AT(b->p[i], lane) = p[i];
  for (int i = 0; i < m->n_state; ++i) SAL_AT(b->s.y[i], lane) = job->initial[i];
  SAL_AT(b->s.t, lane)           = 0;
  SAL_AT(b->s.phase.count, lane) = sal_model_guards(m, job->param);
  sal_m *const zero[] = {&b->attempts, &b->steps,    &b->failed,      &b->events,  &b->restarts,
                         &b->guarded,  &b->grazes,   &b->projections, &b->zenos,   &b->idle,
                         &b->leaps,    &b->unmet,    &b->tries,       &b->s.n_rhs, &b->s.n_jac,
                         &b->s.n_lu,   &b->s.n_solve};
  for (size_t i = 0; i < sizeof zero / sizeof *zero; ++i) SAL_AT(*zero[i], lane) = 0;
  for (int k = 0; k < b->s.phase.n_guard; ++k) {
    SAL_AT(b->closed_at[k], lane) = -INFINITY;
    SAL_AT(b->in_a_row[k], lane)  = 0;
  }
  sal_observe_begin(&b->observer[lane], b->setup, job);
}

static void unload(sal_batch *b, int lane, sal_outcome outcome)
{
  const struct {
    int          metric;
    const sal_m *counter;
  } counts[] = {
      {SAL_METRIC_STEPS, &b->steps},
      {SAL_METRIC_FAILED, &b->failed},
      {SAL_METRIC_RHS, &b->s.n_rhs},
      {SAL_METRIC_JACOBIANS, &b->s.n_jac},
      {SAL_METRIC_FACTORISATIONS, &b->s.n_lu},
      {SAL_METRIC_SOLVES, &b->s.n_solve},
      {SAL_METRIC_EVENTS, &b->events},
      {SAL_METRIC_RESTARTS, &b->restarts},
      {SAL_METRIC_GUARDED, &b->guarded},
      {SAL_METRIC_GRAZES, &b->grazes},
      {SAL_METRIC_PROJECTIONS, &b->projections},
      {SAL_METRIC_ZENO, &b->zenos},
      {SAL_METRIC_LEAPS, &b->leaps},
      {SAL_METRIC_UNMET, &b->unmet},
  };
  sal_record *r = &b->out[b->which[lane]];

  for (int i = 0; i < SAL_N_METRIC; ++i) r->value[i] = NAN;
  r->value[SAL_METRIC_OUTCOME]   = outcome;
  r->value[SAL_METRIC_T_REACHED] = SAL_AT(b->s.t, lane);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    r->value[counts[i].metric] = (double)SAL_AT(*counts[i].counter, lane);
  sal_observe_end(&b->observer[lane], b->setup, r);
}

/* Writes the record of a lane and gives it the next job; returns whether there was one. */
static bool next_job(sal_batch *b, int lane, sal_outcome outcome)
{
  unload(b, lane, outcome);
  if (b->next < b->n_job) {
    sal_batch_load(b, lane, b->next++);
    return true;
  }
  SAL_AT(b->live, lane) = 0;
  return false;
}

static bool all_finite(const sal_batch *b, int lane)
{
  bool all = true;

  for (int i = 0; i < b->s.n; ++i)
    all = all && isfinite(SAL_AT(b->s.y[i], lane)) && isfinite(SAL_AT(b->s.f[i], lane));
  return all;
}

void sal_batch_relieve(sal_batch *b, sal_m lanes, sal_outcome outcome, sal_m *fresh)
{
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(lanes, lane) && SAL_AT(b->live, lane)) {
      const sal_outcome why = all_finite(b, lane) ? outcome : SAL_OUT_NOT_FINITE;
      if (next_job(b, lane, why)) SAL_AT(*fresh, lane) = -1;
    }
}
