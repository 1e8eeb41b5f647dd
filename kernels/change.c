/** A change of mode and its record: counts, the event log. */
#include "change.h"
#include "entry.h"
#include "gap_slopes.h"
#include "lane_math.h"
#include "measured_lanes.h"
#include "rest.h"

static void log_event(sal_batch *b, int lane, int j, int k, bool closes)
{
  sal_events *log = b->observer.job[lane]->events;

  if (!log) return;
  for (int i = 0; log->start && log->n == 0 && i < b->s.phase.n_guard; ++i)
    log->start[i] = sal_contacts_closed(&b->s.phase, i, lane);
  if (log->n < log->capacity) {
    double *at = log->state ? log->state + 2 * log->n_state * log->n : NULL;
    log->event[log->n] = (sal_event){
        .y = at,
        .ahead = at ? at + log->n_state : NULL,
        .t = SAL_AT(b->s.t, lane),
        .gap = sal_model_contact(b->setup->model, k)->timed ? 0 : SAL_AT(b->at.ga[j], lane),
        .rate = SAL_AT(b->at.ra[j], lane),
        .steep = SAL_AT(b->at.when[j], lane),
        .guard = k,
        .closes = closes};
    if (at) sal_batch_read_state(b, lane, log->n_state, at + log->n_state);
  }
  ++log->n;
}

/* at.when = |Dh| of each gap at (t, y), from its rates along the states. */
static void measure_gradients(sal_batch *b)
{
  sal_contacts *at = &b->at;
  const sal_gap_slopes slopes = {&b->s, at, NULL, at->ga, at->ra};

  sal_gap_slopes_begin(&slopes);
  for (int k = 0; k < at->n; ++k) at->when[k] = sal_set(0);
  for (int i = 0; i < b->s.n; ++i) {
    const sal_gap_column c = sal_gap_slopes_along(&slopes, i);
    for (int j = 0; j < c.n; ++j) {
      const int k = sal_gap_column_at(c, j);
      const sal_v by = c.rate[k] - at->late[k];
      at->when[k] += by * by;
    }
  }
  for (int k = 0; k < at->n; ++k) at->when[k] = sal_sqrt(at->when[k]);
}

/* Gaps and rates at (t, y) for the logs, ahead of the jumps, and the rates over |Dh| |f| into at.when.
 * No strategy needs them: not counted. */
static void look_for_logs(sal_batch *b, sal_m hit)
{
  sal_step_state *s = &b->s;
  bool logs = false;

  for (int lane = 0; lane < SAL_LANES; ++lane)
    logs = logs || (SAL_AT(hit, lane) && b->observer.job[lane]->events);
  if (!logs) return;
  measure_gradients(b);
  s->flow->rhs(&s->phase, s->t, s->y, b->at.yb);
  sal_contacts_look(s, &b->at, sal_none(), s->t, s->y, b->at.yb, b->at.ga, b->at.ra);
  sal_v speed = sal_set(0);
  for (int i = 0; i < s->n; ++i) speed += b->at.yb[i] * b->at.yb[i];
  speed = sal_sqrt(speed);
  for (int k = 0; k < b->at.n; ++k) b->at.when[k] = b->at.ra[k] / (b->at.when[k] * speed);
}

/* Is this the change at which the run is to stop? */
static bool is_stop(sal_batch *b, int lane, int k, bool closes)
{
  const sal_stop *stop = &b->setup->stop;

  if (stop->count == 0 || stop->contact != k || stop->closes != closes) return false;
  return ++SAL_AT(b->stops, lane) >= stop->count;
}

/* Candidate j changes in this lane: counts its contacts and opens their entries in the log. */
static void note_change(sal_batch *b, int j, int lane)
{
  const bool closes = SAL_AT(b->at.side[j], lane) > 0;
  const int many = b->at.in_row ? (int)SAL_AT(b->x.many[j], lane) : 1;
  const int onward = b->at.in_row ? (int)SAL_AT(b->at.onward[j], lane) : 0;
  int k = (int)SAL_AT(b->at.rank[j], lane);

  SAL_AT(b->events, lane) += many;
  for (int i = 0; i < many; ++i, k += onward) {
    const bool rests =
        (closes && sal_rest_is_due(b, j, k, lane)) || (i == 0 && SAL_AT(b->rests[j], lane));
    SAL_AT(b->zenos, lane) += rests;
    if (rests) SAL_AT(b->rests[j], lane) = -1;
    log_event(b, lane, j, k, closes);
    if (closes && SAL_AT(b->observer.measured, lane))
      sal_measured_closes(b->observer.job[lane]->measured, k, SAL_AT(b->s.t, lane));
    if (is_stop(b, lane, k, closes) || (closes && sal_model_contact(b->setup->model, k)->ends))
      SAL_AT(b->ended, lane) = -1;
  }
}

/* The state after the event belongs to every entry of this instant. */
static void complete_log(sal_batch *b, int lane)
{
  const sal_events *log = b->observer.job[lane]->events;
  int64_t *logged = &b->observer.logged[lane];

  for (; log && *logged < log->n && *logged < log->capacity; ++*logged) {
    double *y = log->event[*logged].y;
    if (y) sal_batch_read_state(b, lane, log->n_state, y);
    for (int k = 0; log->closed && k < b->s.phase.n_guard; ++k)
      log->closed[*logged * b->s.phase.n_guard + k] = sal_contacts_closed(&b->s.phase, k, lane);
  }
}

sal_m sal_change_rest(sal_batch *b, sal_m lanes)
{
  const sal_v zero = sal_set(0);
  sal_m rests = sal_none(), hits = sal_none();

  for (int k = 0; k < b->at.n && !b->at.in_row; ++k) hits |= sal_eq(b->closed_at[k], b->s.t);
  for (int k = 0; k < b->at.n && !b->at.in_row; ++k) {
    const sal_m on =
        b->at.starts_closed[k] | sal_eq(b->at.gap[k], zero); /* of the impact, or its next */
    const sal_m flights =
        lanes & hits & on & sal_gt(b->at.side[k], zero) & sal_lt(b->at.gapn[k], zero);
    if (!sal_any(flights)) continue;
    sal_entry_rest(&b->s, k, flights);
    sal_count(&b->zenos, flights, 1);
    b->rests[k] |= flights;
    rests |= flights;
  }
  for (int k = 0; k < b->at.n && sal_any(rests); ++k) { /* a joint jump may open others */
    const sal_v side = sal_sel(b->s.phase.closed[k], sal_set(-1), sal_set(1));
    b->at.side[k] = sal_sel(rests, side, b->at.side[k]);
  }
  return rests;
}

/* A contact that its force released opens with a gap, a rate and a force of 0, so rounding decides on which
 * side of 0 the rate is.  Where it is as near to 0 as the rounding of its terms, or below 0 for no longer
 * than time resolves, or a speed that the flow makes in such a time, it is 0.  Not counted. */
static void round_rates(sal_batch *b, sal_m lanes)
{
  enum { RESOLUTION = 256, FAR = 1 << 20 };
  sal_step_state *s = &b->s;
  sal_contacts *at = &b->at;
  const sal_v soon = RESOLUTION * sal_lane_spacing(s->t), zero = sal_set(0);
  sal_v fast = zero;
  sal_m any = sal_none();

  for (int i = 0; i < s->n; ++i) fast = sal_max(sal_abs(s->f[i]), fast);
  for (int k = 0; k < at->n; ++k)
    any |= lanes & at->starts_closed[k] & sal_gt(at->side[k], zero) &
           sal_lt(at->rate[k], 0x1p-30 * fast) & sal_le(at->gap[k], FAR * b->gap_noise[k]);
  if (at->in_row || !sal_any(any)) return;
  sal_entry_rate_noise(s, at, s->f);
  for (int i = 0; i < s->n; ++i) at->ya[i] = s->y[i] + soon * s->f[i];
  s->flow->rhs(&s->phase, s->t + soon, at->ya, at->yb);
  s->flow->guard(&s->phase, s->t + soon, at->ya, at->yb, at->ga, at->ra);
  for (int k = 0; k < at->n; ++k) {
    const sal_v later = sal_max(at->rate[k], at->ra[k]);
    const sal_v rounding = (double)SAL_ENTRY_ROUNDINGS * at->when[k] + soon * fast;
    const sal_m opens = any & at->starts_closed[k] & sal_gt(at->side[k], zero) &
                        sal_ge(later, (double)-SAL_ENTRY_ROUNDINGS * at->when[k]) &
                        sal_le(at->rate[k], rounding) & sal_le(at->gap[k], FAR * b->gap_noise[k]);
    at->rate[k] = sal_sel(opens, zero, at->rate[k]);
  }
}

/* Lanes of `lanes` in which a jump has left contact k farther from where its mode belongs than the tolerance of the run
 * explains.  A closed rigid contact belongs on its surface: its force, which is its gap in that mode, opens it again. */
static sal_m is_astray(sal_batch *b, sal_m lanes, int k)
{
  sal_v *const noise[] = {b->at.gap_noise, b->at.gap_tolerance, b->at.at_from};
  const bool rigid = sal_model_contact(b->setup->model, k)->kind == SAL_CONTACT_RIGID;
  const sal_m closed = b->s.phase.closed[k];

  if (rigid) b->s.phase.closed[k] &= ~lanes;
  b->s.flow->guard(&b->s.phase, b->s.t, b->s.y, b->s.f, b->at.ga, b->at.ra);
  const sal_v gap = rigid ? b->at.ga[k] : b->at.side[k] * b->at.ga[k];
  sal_entry_gap_noise(&b->s, &b->at, lanes, noise, b->s.f);
  b->s.phase.closed[k] = closed;
  const sal_v most = b->at.gap_tolerance[k];
  const sal_m above = rigid ? closed & sal_gt(gap, most) : sal_none();
  return lanes & (sal_lt(gap, -most) | above);
}

sal_m sal_change_note_rebound(sal_batch *b, sal_m lanes)
{
  const bool zoned = b->setup->strategy->zoned; /* a projection goes on from either side */
  const sal_v far = 0x1p20 * sal_lane_spacing(b->s.t), zero = sal_set(0);
  sal_m wrong = sal_none(), seen = sal_none(), several = sal_none();
  if (b->setup->model->resets && !zoned) round_rates(b, lanes);
  if (b->setup->model->resets) sal_entry_lifts(&b->s, &b->at, lanes, b->lifted);
  for (int k = 0; k < b->at.n && b->setup->model->resets; ++k) {
    const sal_m touched = lanes & b->at.starts_closed[k], fired = b->x.fired[k];
    const sal_v inside = b->at.side[k] * b->at.gap[k], speed = b->at.side[k] * b->at.rate[k];
    /* a jump has moved the gap away, or it plays no part: the flight is another contact's */
    const sal_m elsewhere =
        fired & sal_gt(b->at.side[k], zero) & sal_eq(b->closed_at[k], b->s.t) & sal_eq(speed, zero);
    const sal_v went = sal_sel(elsewhere, -sal_abs(b->arrival[k]), speed);
    b->rebound[k] = sal_sel(touched, went, b->rebound[k]);
    several |= seen & fired;
    seen |= fired;
    if (zoned) continue;
    b->at.opening[k] = sal_pick(lanes, touched & sal_gt(b->at.side[k], zero) & sal_eq(speed, zero),
                                b->at.opening[k]);
    const sal_v fast = sal_sel(b->rests[k], sal_abs(b->arrival[k]), sal_abs(speed));
    const sal_m off = touched & fired & sal_lt(inside, -(0x1p20 * b->gap_noise[k] + far * fast));
    if (sal_any(off)) wrong |= is_astray(b, off, k);
  }
  return wrong & ~several; /* of several, one jump may set off another contact */
}

void sal_change_see_ends(sal_batch *b, sal_m lanes)
{
  if (!sal_model_ends_runs(b->setup->model)) return;
  for (int k = 0; k < b->s.phase.n_guard; ++k)
    if (sal_model_contact(b->setup->model, k)->ends)
      for (int lane = 0; lane < SAL_LANES; ++lane)
        if (SAL_AT(lanes, lane) && sal_contacts_closed(&b->s.phase, k, lane))
          SAL_AT(b->ended, lane) = -1;
}

sal_m sal_change_unheld(sal_batch *b, sal_m lanes)
{
  if (b->at.in_row || !b->setup->model->resets) return sal_none();
  return sal_entry_unheld(&b->s, &b->at, b->rests, lanes);
}

sal_m sal_change_due(const sal_batch *b)
{
  const sal_v zero = sal_set(0);
  sal_m due = sal_none();

  if (!b->setup->strategy->held || !b->setup->strategy->zoned) return due;
  for (int k = 0; k < b->at.n; ++k)
    due |= sal_lt(b->at.side[k] * b->at.rate[k], zero) &
           sal_gt(b->at.gap[k] / b->at.rate[k], b->s.hmin);
  return due;
}

void sal_change_watch(sal_batch *b, sal_m lanes)
{
  const sal_v zero = sal_set(0);

  for (int k = 0; k < b->at.n && !b->at.in_row; ++k) {
    const sal_v inside = b->at.side[k] * b->at.gap[k], speed = b->at.side[k] * b->at.rate[k];
    const sal_m off = (sal_lt(inside, zero) & ~sal_lt(speed, zero)) | ~sal_eq(inside, inside);
    const sal_m astray = lanes & b->live & ~b->ended & ~b->at.starts_closed[k] & off;
    sal_count(&b->unmet, astray & ~b->astray[k], 1);
    b->astray[k] = sal_pick(lanes, astray, b->astray[k]);
  }
}

/* A jump has left candidate j closed after a brief flight: with the flight's speed lost in rounding, or in
 * a first step of order 1, there was nothing to send it off with. */
static void note_stayed(sal_batch *b, int j, int lane)
{
  const bool closed = SAL_AT(b->s.phase.closed[j], lane) && !SAL_AT(b->rests[j], lane);
  const bool now = SAL_AT(b->closed_at[j], lane) == SAL_AT(b->s.t, lane);

  if (!closed || !now || SAL_AT(b->in_a_row[j], lane) == 0) return;
  ++SAL_AT(b->zenos, lane);
  SAL_AT(b->rests[j], lane) = -1;
}

/* A mark that is met together with a surface is left until the jump there has been applied, which may move it
 * away: what is still beyond its mark then changes with no time between. */
static void put_surfaces_first(sal_batch *b, sal_m hit)
{
  const sal_model *m = b->setup->model;
  sal_m met = sal_none();

  if (b->at.in_row || !m->resets) return;
  for (int k = 0; k < b->at.n; ++k)
    if (sal_model_contact(m, k)->kind != SAL_CONTACT_SURFACE) met |= hit & b->x.fired[k];
  for (int k = 0; k < b->at.n; ++k)
    if (sal_model_contact(m, k)->kind == SAL_CONTACT_SURFACE) b->x.fired[k] &= ~met;
}

/* Events of a lane by windows.  Flights that become shorter by a share come to rest within one, or it takes longer. */
static void watch_crowds(sal_batch *b, sal_m hit)
{
  enum { WINDOW = 1 << 12, EACH = 64 };

  for (int lane = 0; lane < SAL_LANES && !b->setup->strategy->zoned; ++lane) {
    const double t = SAL_AT(b->s.t, lane), took = t - SAL_AT(b->crowd, lane);
    const double left = SAL_AT(b->t_last, lane) - t;
    if (!SAL_AT(hit, lane) || ++SAL_AT(b->crowded, lane) < WINDOW + EACH * b->s.phase.n_guard)
      continue;
    SAL_AT(b->hasty, lane) = -(int64_t)(took * 0x1p10 < left);
    SAL_AT(b->crowded, lane) = took * 0x1p20 < left && took < b->s.rtol * t ? -1 : 0;
    SAL_AT(b->crowd, lane) = t;
  }
}

void sal_change_mode(sal_batch *b, sal_m hit, sal_m idle)
{
  put_surfaces_first(b, hit);
  b->idle = sal_pick(hit & ~idle, sal_none(), b->idle);
  sal_count(&b->idle, idle, 1);
  sal_contacts_complete(&b->s, &b->at, hit, &b->x);
  for (int j = 0; j < b->at.n; ++j) b->rests[j] &= ~hit;
  if (b->setup->model->resets && !b->at.in_row) {
    sal_rest_measure(b, hit);
    for (int j = 0; j < b->at.n && !b->setup->strategy->zoned; ++j)
      b->rests[j] |= sal_entry_rises(&b->s, &b->at, j, b->arrival[j], hit & b->x.fired[j]);
  }
  look_for_logs(b, hit);
  sal_measured_lanes_event(b, hit, sal_measured_before);
  for (int j = 0; j < b->at.n; ++j) {
    const sal_m fired = hit & b->x.fired[j];
    if (!sal_any(fired)) continue;
    for (int lane = 0; lane < SAL_LANES; ++lane)
      if (SAL_AT(fired, lane)) note_change(b, j, lane);
  }
  sal_contacts_change(&b->s, &b->at, hit, idle, &b->x, b->rests);
  for (int j = 0; j < b->at.n && b->setup->model->resets && !b->at.in_row; ++j)
    for (int lane = 0; lane < SAL_LANES; ++lane)
      if (SAL_AT(hit, lane) && SAL_AT(b->x.fired[j], lane)) note_stayed(b, j, lane);
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(hit, lane)) complete_log(b, lane);
  sal_measured_lanes_event(b, hit, sal_measured_after);
  watch_crowds(b, hit);
}

/* Lanes of `lanes` whose jobs give the mode. */
static sal_m lanes_with_mode(const sal_batch *b, sal_m lanes)
{
  sal_m given = sal_none();

  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(lanes, lane) && b->queue->job[b->which[lane]].closed) SAL_AT(given, lane) = -1;
  return given;
}

/* Contacts at rest in a given mode are put onto their surfaces: else an offset would stay for ever,
 * and a derivative along it. */
static void adopt_mode(sal_batch *b, sal_m given)
{
  sal_v changed = sal_set(0);

  for (int lane = 0; lane < SAL_LANES; ++lane) {
    const bool *closed = b->queue->job[b->which[lane]].closed;
    if (!SAL_AT(given, lane)) continue;
    for (int k = 0; k < b->at.n; ++k) SAL_AT(b->s.phase.closed[k], lane) = -(int64_t)closed[k];
    SAL_AT(changed, lane) = b->queue->job[b->which[lane]].changed;
  }
  if (b->setup->model->resets) sal_entry_put_down(&b->s, &b->at, given);
  sal_contacts_adopt(&b->s, &b->at, given);
  sal_entry_touch(&b->s, &b->at, given, changed);
}

/* Contacts that are met where a run begins change there and then, as at any other time; they are no
 * return to where it began.  Returns the lanes that begin beyond a surface. */
static sal_m begin_on_surfaces(sal_batch *b, sal_m lanes)
{
  sal_m beyond;
  const sal_m met = sal_entry_settle(&b->s, &b->at, lanes, b->gap_noise, b->x.fired, &beyond);

  for (int k = 0; k < b->at.n; ++k) b->rests[k] |= lanes & b->at.suspect[k];
  if (!sal_any(met)) return beyond;
  for (int k = 0; k < b->at.n; ++k) b->x.many[k] = sal_sel(met, sal_set(1), b->x.many[k]);
  sal_change_mode(b, met, met);
  b->stops = sal_pick(met, sal_none(), b->stops);
  b->ended = sal_pick(met, sal_none(), b->ended);
  return beyond;
}

sal_m sal_change_enter(sal_batch *b, sal_m lanes)
{
  const sal_setup *u = b->setup;
  const bool sees = b->strategy && !b->at.in_row;
  const sal_m given = sees ? lanes_with_mode(b, lanes) : sal_none();
  const sal_m free = lanes & b->live & ~given;
  sal_m beyond = sal_none();

  for (int k = 0; k < b->at.n; ++k)
    b->x.fired[k] &= ~lanes, b->rests[k] &= ~lanes; /* by the jobs before */
  if (b->strategy) sal_contacts_enter(&b->s, &b->at, lanes);
  if (sal_any(given)) adopt_mode(b, given);
  if (sees && u->strategy->held && u->model->resets && b->at.n > 0 && sal_any(free))
    beyond = begin_on_surfaces(b, free);
  if (b->strategy && b->strategy->enter) b->strategy->enter(&b->s, &b->at, lanes);
  if (b->strategy) sal_change_see_ends(b, lanes);
  sal_batch_note_energy(b, lanes);
  return beyond;
}
