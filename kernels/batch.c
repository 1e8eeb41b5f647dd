/** Memory of a batch; loading and retiring of lanes. */
#include "batch.h"
#include "methods/matrix.h"
#include "model_point.h"

void sal_batch_prepare(sal_batch *b, const sal_setup *setup)
{
  const sal_model *m = setup->model;

  *b = (sal_batch){.setup = setup, .strategy = setup->strategy->SAL_WIDTH(w)};
  b->s.method = setup->method->SAL_WIDTH(w);
  b->s.inner = setup->method->inner;
  b->s.model = m;
  b->s.flow = m->SAL_WIDTH(w);
  if (!b->strategy->locate && !b->strategy->project) b->strategy = NULL;
  b->s.n = sal_model_continuous(m);
  b->s.band = (sal_band){b->s.n, m->band.lower, m->band.upper, m->band.order};
  b->s.rtol = setup->rtol;
  b->s.analytic = setup->jacobian == SAL_JACOBIAN_ANALYTIC && b->s.flow->jac;
  b->s.fixed = setup->fixed_step;
  b->s.max_order = setup->max_order;
  b->s.t_end = sal_set(setup->t_end);
  b->s.phase.inner = m->inner;
  b->s.phase.since = m->next_stop ? &b->since : NULL;
  b->s.phase.n_guard = setup->n_guard > 0 ? setup->n_guard : m->n_guard;
  b->at.in_row = b->s.flow->row && !setup->every_contact && !setup->strategy->every;
  b->at.n = b->at.in_row ? SAL_ROW_CANDIDATES : b->s.phase.n_guard;
  b->at.zone = setup->zone;
  b->at.zone_in_time = setup->zone_in_time;
  b->at.one_way = m->one_way ? ~sal_none() : sal_none();
  b->at.resets = m->resets ? ~sal_none() : sal_none();
  if (setup->method->min_order < setup->method->order)
    b->at.degree =
        setup->method->order < SAL_MAX_DEGREE ? setup->method->order + 1 : SAL_MAX_DEGREE;
  b->at.bends = b->at.degree > 0 && setup->method->min_order == 1 && m->resets;
  b->at.exact = !b->s.method->pair && setup->method->dense_rhs == 0 && b->at.degree == 0;
  b->at.sharp = true;
  for (int k = 0; k < b->at.n; ++k)
    for (int closed = 0; closed < 2; ++closed)
      b->at.always |= sal_model_contact(m, k)->form[closed] == SAL_FORM_CURVED,
          b->at.sharp &= sal_model_contact(m, k)->form[closed] == SAL_FORM_AFFINE;
  b->dense.step = &b->s;
  b->dense.origin = setup->method->origin;
  b->dense.rhs = setup->method->dense_rhs;
}

/* The next `count` sal_v of the block; with *block == NULL it only counts. */
static sal_v *carve(sal_v **block, size_t *used, size_t count)
{
  sal_v *piece = *block ? *block + *used : NULL;

  *used += count;
  return piece;
}

size_t sal_batch_lay_out(sal_batch *b, sal_v *block)
{
  const sal_model *m = b->setup->model;
  const size_t n = (size_t)sal_model_continuous(m), g = (size_t)b->at.n;
  const size_t n_guard = (size_t)b->s.phase.n_guard;
  const sal_method *method = b->setup->method;
  const int row = sal_matrix_row((int)n, &b->s);
  const size_t matrix = method->implicit ? n * (size_t)row : 0;
  size_t used = 0;

  b->s.y = carve(&block, &used, (size_t)m->n_state);
  b->s.phase.q = b->s.y + n;
  b->s.f = carve(&block, &used, n);
  b->s.yn = carve(&block, &used, n);
  b->s.fn = carve(&block, &used, n);
  b->s.T = carve(&block, &used, n);
  b->s.thr = carve(&block, &used, n);
  for (size_t i = 0; b->s.thr && i < n; ++i)
    b->s.thr[i] = sal_set(sal_setup_atol(b->setup, (int)i) / b->setup->rtol);
  b->s.J = carve(&block, &used, matrix);
  b->s.J_new = carve(&block, &used, matrix);
  b->s.mem = carve(&block, &used, (size_t)b->s.method->words((int)n, row));
  b->dense.c = carve(&block, &used, (SAL_MAX_DEGREE + 1) * n);
  b->at.ya = carve(&block, &used, n);
  b->at.yb = carve(&block, &used, n);
  sal_v **const each[] = {&b->at.rank, &b->at.side,          &b->at.onward,     &b->at.gap,
                          &b->at.rate, &b->at.gapn,          &b->at.raten,      &b->at.ga,
                          &b->at.ra,   &b->at.when,          &b->at.late,       &b->at.bulge,
                          &b->at.from, &b->at.at_from,       &b->at.until,      &b->at.gap_noise,
                          &b->x.many,  &b->at.gap_tolerance, &b->rebound,       &b->gap_noise,
                          &b->lifted,  &b->arrival,          &b->gap_tolerance, &b->rate_tolerance};
  sal_m **const masks[] = {
      &b->at.maybe,   &b->at.isolated, &b->at.suspect, &b->at.chosen, &b->at.starts_closed,
      &b->at.opening, &b->x.fired,     &b->rests,      &b->astray};
  for (size_t i = 0; i < sizeof each / sizeof *each; ++i) *each[i] = carve(&block, &used, g);
  for (size_t i = 0; i < sizeof masks / sizeof *masks; ++i)
    *masks[i] = (sal_m *)(void *)carve(&block, &used, g);
  b->at.rounding = b->gap_noise;
  b->at.poly = carve(&block, &used, (SAL_MAX_DEGREE + 1) * g);
  b->at.parts = carve(&block, &used, (SAL_ISOLATE_PARTS + 1) * g);
  b->at.turns = carve(&block, &used, (SAL_ISOLATE_PARTS + 1) * g);
  if (b->strategy && b->strategy->words)
    b->at.own = (sal_m *)(void *)carve(&block, &used, (size_t)b->strategy->words((int)g));
  sal_v **const ranked[] = {&b->arrived, &b->closed_at, &b->slowest, &b->lowest};
  for (size_t i = 0; i < sizeof ranked / sizeof *ranked; ++i)
    *ranked[i] = carve(&block, &used, n_guard);
  b->in_a_row = (sal_m *)(void *)carve(&block, &used, n_guard);
  b->stale = (sal_m *)(void *)carve(&block, &used, n_guard);
  if (!b->at.in_row) b->s.phase.closed = (sal_m *)(void *)carve(&block, &used, n_guard);
  b->p = carve(&block, &used, (size_t)sal_model_words(m));
  if (m->n_memory > 0) b->s.phase.memory = carve(&block, &used, (size_t)m->n_memory);
  return used;
}

/* Largest error of a lane's trajectory so far. */
static double error_so_far(const sal_batch *b, int lane)
{
  return SAL_AT(b->observer.largest, lane);
}

static void set_next_stair(sal_batch *b, int lane)
{
  const sal_work_stairs *s = b->queue->job[b->which[lane]].stairs;
  const int down = b->stairs_down[lane];

  SAL_AT(b->next_stair, lane) = s && down < s->n ? s->error[down] : INFINITY;
}

static void lower_cutoff(sal_batch *b, int lane)
{
  const sal_work_stairs *s = b->queue->job[b->which[lane]].stairs;
  int *down = &b->stairs_down[lane];

  for (; *down < s->n && error_so_far(b, lane) > s->error[*down]; ++*down)
    if (s->work[*down] < SAL_AT(b->most_work, lane)) SAL_AT(b->most_work, lane) = s->work[*down];
  set_next_stair(b, lane);
}

void sal_batch_lower_cutoffs(sal_batch *b, sal_m lanes)
{
  const sal_m passed = lanes & sal_gt(b->observer.largest, b->next_stair);

  if (!sal_any(passed)) return;
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(passed, lane)) lower_cutoff(b, lane);
}

/* From one look to the next, and from the start to the first. */
enum { LOOK_MOST = 1 << 14, LOOK_SHARE = 64 };

static void set_look(sal_batch *b, int lane, double attempts)
{
  const int64_t by = attempts < 1 ? 1 : attempts < LOOK_MOST ? (int64_t)attempts : LOOK_MOST;
  const int64_t next = SAL_AT(b->attempts, lane) + by, most = b->setup->max_attempts;

  SAL_AT(b->look, lane) = next < most ? next : most;
}

void sal_batch_look(sal_batch *b, sal_m lanes, sal_v work, sal_m *capped, sal_m *over)
{
  for (int lane = 0; lane < SAL_LANES; ++lane) {
    const double done = SAL_AT(work, lane), budget = SAL_AT(b->budget, lane);
    const int64_t attempts = SAL_AT(b->attempts, lane);
    if (!SAL_AT(lanes, lane)) continue;
    sal_setup_note_reached(b->setup, SAL_AT(b->s.t, lane), done);
    SAL_AT(*capped, lane) = -(int64_t)(attempts >= b->setup->max_attempts);
    SAL_AT(*over, lane) = -(int64_t)(done > budget) & ~SAL_AT(*capped, lane);
    set_look(b, lane, done > 0 ? 0.5 * (budget / done - 1) * (double)attempts : LOOK_MOST);
  }
}

void sal_batch_aim(sal_batch *b, int lane)
{
  const sal_model *m = b->setup->model;
  const double t = SAL_AT(b->s.t, lane), last = SAL_AT(b->t_last, lane);
  double since = t, next = INFINITY;

  if (b->s.phase.since)
    next = m->next_stop(m->inner, b->queue->job[b->which[lane]].param, t, &since);
  SAL_AT(b->since, lane) = since;
  SAL_AT(b->stop, lane) = next;
  SAL_AT(b->s.t_end, lane) = next < last * (1 - 0x1p-45) ? next : last;
}

void sal_batch_load(sal_batch *b, int lane, int64_t which)
{
  const sal_model *m = b->setup->model;
  const sal_job *job = &b->queue->job[which];
  double p[SAL_MAX_P] = {0};

  b->which[lane] = which;
  sal_model_fill(m, job->param, p);
  for (int i = 0; i < sal_model_words(m); ++i) SAL_AT(b->p[i], lane) = p[i];
  for (int i = 0; i < m->n_state; ++i) SAL_AT(b->s.y[i], lane) = job->initial[i];
  for (int i = 0; i < m->n_memory; ++i) SAL_AT(b->s.phase.memory[i], lane) = 0;
  SAL_AT(b->s.t, lane) = SAL_AT(b->crowd, lane) = job->t0;
  SAL_AT(b->t_last, lane) = job->t_end > 0 ? job->t_end : b->setup->t_end;
  sal_batch_aim(b, lane);
  SAL_AT(b->longest, lane) = sal_model_longest_step(m, job->param, job->initial);
  SAL_AT(b->most_work, lane) = job->most_work > 0 ? job->most_work : INFINITY;
  const double budget = job->budget > 0 ? job->budget : b->setup->budget;
  SAL_AT(b->budget, lane) = budget > 0 ? budget : INFINITY;
  b->stairs_down[lane] = 0;
  set_next_stair(b, lane);
  b->has_cutoff = b->has_cutoff || job->most_work > 0 || job->stairs;
  SAL_AT(b->s.phase.count, lane) = sal_model_guards(m, job->param);
  sal_m *const zero[] = {
      &b->attempts,     &b->steps,       &b->failed,     &b->events, &b->restarts,  &b->guarded,
      &b->grazes,       &b->projections, &b->zenos,      &b->idle,   &b->leaps,     &b->unmet,
      &b->restep_tries, &b->s.n_rhs,     &b->s.n_jac,    &b->s.n_lu, &b->s.n_solve, &b->s.n_gap,
      &b->s.n_row,      &b->s.n_renewed, &b->s.unsolved, &b->ended,  &b->stops,     &b->isolated,
      &b->undecided,    &b->crowded,     &b->hasty};
  for (size_t i = 0; i < sizeof zero / sizeof *zero; ++i) SAL_AT(*zero[i], lane) = 0;
  for (int k = 0; k < b->s.phase.n_guard; ++k) {
    SAL_AT(b->closed_at[k], lane) = -INFINITY;
    SAL_AT(b->arrived[k], lane) = 0;
    SAL_AT(b->in_a_row[k], lane) = SAL_AT(b->stale[k], lane) = 0;
    SAL_AT(b->lowest[k], lane) = SAL_AT(b->slowest[k], lane) = INFINITY;
  }
  for (int k = 0; k < b->at.n; ++k) {
    SAL_AT(b->rebound[k], lane) = SAL_AT(b->gap_noise[k], lane) = SAL_AT(b->lifted[k], lane) = 0;
    SAL_AT(b->at.opening[k], lane) = SAL_AT(b->astray[k], lane) = 0;
    SAL_AT(b->arrival[k], lane) = 0;
  }
  set_look(b, lane, SAL_AT(b->budget, lane) / LOOK_SHARE);
  sal_observe_begin(&b->observer, b->setup, lane, job);
}

/* Number of values and counts of each lane outside the block of the batch, except those set at the beginning of a turn. */
enum { LANE_VALUES = 18, LANE_COUNTS = 31 };

static void list_lane_values(sal_batch *b, sal_v *value[], sal_m *count[])
{
  sal_step_state *s = &b->s;
  sal_v *const values[LANE_VALUES] = {&s->t,
                                      &s->t_end,
                                      &s->hmin,
                                      &s->hmax,
                                      &s->absh,
                                      &s->phase.count,
                                      &s->phase.from,
                                      &s->phase.to,
                                      &b->at.touched_from,
                                      &b->at.touched_to,
                                      &b->most_work,
                                      &b->next_stair,
                                      &b->budget,
                                      &b->longest,
                                      &b->t_last,
                                      &b->stop,
                                      &b->since,
                                      &b->crowd};
  sal_m *const counts[LANE_COUNTS] = {
      &s->again,    &s->n_rhs,        &s->n_jac,     &s->n_lu,        &s->n_solve,
      &s->n_gap,    &s->n_row,        &s->n_renewed, &s->phase.rests, &b->live,
      &b->ended,    &b->attempts,     &b->steps,     &b->failed,      &b->events,
      &b->restarts, &b->guarded,      &b->grazes,    &b->projections, &b->zenos,
      &b->idle,     &b->restep_tries, &b->leaps,     &b->unmet,       &b->stops,
      &b->moved,    &b->look,         &b->isolated,  &b->undecided,   &b->crowded,
      &b->hasty};

  memcpy(value, values, sizeof values);
  memcpy(count, counts, sizeof counts);
}

void sal_batch_move(sal_batch *to, sal_v *to_block, int to_lane, sal_batch *from,
                    const sal_v *from_block, int from_lane)
{
  sal_batch layout = *from;
  const size_t words = sal_batch_lay_out(&layout, NULL);
  sal_v *value[2][LANE_VALUES];
  sal_m *count[2][LANE_COUNTS];

  for (size_t i = 0; i < words; ++i)
    SAL_AT(to_block[i], to_lane) = SAL_AT(from_block[i], from_lane);
  list_lane_values(to, value[0], count[0]);
  list_lane_values(from, value[1], count[1]);
  for (int i = 0; i < LANE_VALUES; ++i)
    SAL_AT(*value[0][i], to_lane) = SAL_AT(*value[1][i], from_lane);
  for (int i = 0; i < LANE_COUNTS; ++i)
    SAL_AT(*count[0][i], to_lane) = SAL_AT(*count[1][i], from_lane);
  SAL_AT(to->cruise, to_lane) = SAL_AT(from->cruise, from_lane);
  to->which[to_lane] = from->which[from_lane];
  to->energy[to_lane] = from->energy[from_lane];
  to->stairs_down[to_lane] = from->stairs_down[from_lane];
  sal_observe_move(&to->observer, to_lane, &from->observer, from_lane);
  to->has_cutoff = to->has_cutoff || from->has_cutoff;
  SAL_AT(from->live, from_lane) = 0;
}

void sal_batch_read_state(const sal_batch *b, int lane, int n, double y[])
{
  for (int i = 0; i < n; ++i) y[i] = SAL_AT(b->s.y[i], lane);
}

static void write_mode(const sal_batch *b, int lane, bool closed[])
{
  for (int k = 0; k < b->s.phase.n_guard; ++k)
    closed[k] = sal_contacts_closed(&b->s.phase, k, lane);
}

static double energy_of(const sal_batch *b, int lane)
{
  const sal_model *m = b->setup->model;
  const double *param = b->queue->job[b->which[lane]].param, t = SAL_AT(b->s.t, lane);
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];

  if (!m->energy) return NAN;
  sal_batch_read_state(b, lane, b->setup->model->n_state, y);
  if (b->setup->strategy->held)
    write_mode(b, lane, closed);
  else
    sal_model_mode(m, param, t, y, closed);
  return m->energy(m->inner, param, t, y, closed);
}

void sal_batch_note_energy(sal_batch *b, sal_m lanes)
{
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(lanes, lane)) b->energy[lane] = energy_of(b, lane);
}

sal_m sal_batch_first_closed(const sal_batch *b)
{
  sal_m closed = sal_none();

  for (int lane = 0; b->at.n > 0 && lane < SAL_LANES; ++lane)
    SAL_AT(closed, lane) = -(int64_t)sal_contacts_closed(&b->s.phase, 0, lane);
  return closed;
}

/* After a contact that ends the run the state stays where it is. */
static void hold_to_end(sal_batch *b, int lane)
{
  sal_m lanes = sal_none();
  const sal_step_span span = {.t = b->s.t,
                              .h = sal_set(1),
                              .t1 = sal_set(b->setup->t_end),
                              .n = b->s.n,
                              .c = b->s.y,
                              .q = b->s.phase.q,
                              .closed = sal_batch_first_closed(b)};

  SAL_AT(lanes, lane) = -1;
  sal_observe_lanes(&b->observer, lanes, &span);
}

static double drift_of(double start, double end)
{
  return fabs(start) > 0 ? fabs((end - start) / start) : fabs(end - start);
}

static void write_record(sal_batch *b, int lane, sal_outcome outcome)
{
  const struct {
    int metric;
    const sal_m *counter;
  } counts[] = {
      {SAL_METRIC_STEPS, &b->steps},
      {SAL_METRIC_FAILED, &b->failed},
      {SAL_METRIC_RHS, &b->s.n_rhs},
      {SAL_METRIC_JACOBIANS, &b->s.n_jac},
      {SAL_METRIC_FACTORISATIONS, &b->s.n_lu},
      {SAL_METRIC_SOLVES, &b->s.n_solve},
      {SAL_METRIC_EVENTS, &b->events},
      {SAL_METRIC_GAPS, &b->s.n_gap},
      {SAL_METRIC_RESTARTS, &b->restarts},
      {SAL_METRIC_GUARDED, &b->guarded},
      {SAL_METRIC_GRAZES, &b->grazes},
      {SAL_METRIC_PROJECTIONS, &b->projections},
      {SAL_METRIC_ZENO, &b->zenos},
      {SAL_METRIC_LEAPS, &b->leaps},
      {SAL_METRIC_UNMET, &b->unmet},
      {SAL_METRIC_ISOLATED, &b->isolated},
      {SAL_METRIC_UNDECIDED, &b->undecided},
  };
  sal_record *r = &b->queue->out[b->which[lane]];
  const sal_job *job = &b->queue->job[b->which[lane]];
  double y[SAL_MAX_STATE];

  for (int i = 0; i < SAL_N_METRIC; ++i) r->value[i] = NAN;
  r->value[SAL_METRIC_OUTCOME] = outcome;
  /* a projection may have gone back to a surface that lies before the start */
  r->value[SAL_METRIC_T_REACHED] = SAL_AT(b->s.t, lane) < 0 ? 0 : SAL_AT(b->s.t, lane);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
    r->value[counts[i].metric] = (double)SAL_AT(*counts[i].counter, lane);
  r->value[SAL_METRIC_FAILED] += (double)SAL_AT(b->s.n_renewed, lane);
  if (!b->strategy) r->value[SAL_METRIC_EVENTS] = r->value[SAL_METRIC_GAPS] = NAN;
  sal_batch_read_state(b, lane, b->setup->model->n_state, y);
  if (job->end) memcpy(job->end, y, (size_t)b->setup->model->n_state * sizeof *y);
  if (job->end_closed) write_mode(b, lane, job->end_closed);
  if (job->measured)
    sal_measured_end(job->measured, SAL_AT(b->s.t, lane), sal_metric_finished(outcome),
                     b->strategy != NULL);
  if (outcome == SAL_OUT_ENDED) hold_to_end(b, lane);
  if (sal_metric_finished(outcome))
    r->value[SAL_METRIC_ENERGY_DRIFT] = drift_of(b->energy[lane], energy_of(b, lane));
  sal_observe_end(&b->observer, b->setup, lane, y, r);
  if (!sal_metric_finished(outcome) && job->score)
    r->value[SAL_METRIC_MAX_ERROR_PARTIAL] = error_so_far(b, lane);
}

/* Writes the record of a lane and loads the next job into it; returns whether there was one. */
static bool load_next_job(sal_batch *b, int lane, sal_outcome outcome)
{
  write_record(b, lane, outcome);
  if (b->queue->next < b->queue->n) {
    sal_batch_load(b, lane, b->queue->next++);
    return true;
  }
  SAL_AT(b->live, lane) = 0;
  return false;
}

static bool lane_is_finite(const sal_batch *b, int lane)
{
  bool all = true;

  for (int i = 0; i < b->s.n; ++i)
    all = all && isfinite(SAL_AT(b->s.y[i], lane)) && isfinite(SAL_AT(b->s.f[i], lane));
  return all;
}

void sal_batch_retire(sal_batch *b, sal_m lanes, sal_outcome outcome, sal_m *fresh)
{
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(lanes, lane) && SAL_AT(b->live, lane)) {
      const sal_outcome why = lane_is_finite(b, lane) ? outcome : SAL_OUT_NOT_FINITE;
      if (load_next_job(b, lane, why)) SAL_AT(*fresh, lane) = -1;
    }
}

/* One that still waits passes through a lane, so that its record has all that a record has. */
void sal_batch_halt(sal_batch *b)
{
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(b->live, lane)) write_record(b, lane, SAL_OUT_HALTED);
  b->live = sal_none();
  while (b->queue->next < b->queue->n) {
    sal_batch_load(b, 0, b->queue->next++);
    write_record(b, 0, SAL_OUT_HALTED);
  }
}
