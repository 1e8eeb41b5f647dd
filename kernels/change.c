/** @file kernels/change.c
 *  A change of mode and its record: counts, the event log, Zeno.
 */
#include "change.h"
#include "lane_math.h"

/* Times shorter than this count as no time: some spacings of time, or what a projecting strategy
 * cannot resolve. */
static sal_v brief_time(const sal_batch *b)
{
  enum { BRIEF = 4096 };
  const sal_setup *u    = b->setup;
  const double     zone = u->strategy->zoned && u->zone_in_time ? u->zone : 0;

  return sal_max((double)BRIEF * sal_lane_spacing(b->s.t),
                 sal_set(u->fixed_step > zone && u->strategy->zoned ? u->fixed_step : zone));
}

/* Contact k closes now in this lane.  Has it closed again and again with no time between?
 * Infinitely many impacts in a finite time (Zeno) end with the contact at rest. */
static bool is_zeno(sal_batch *b, int k, int lane)
{
  enum { IN_A_ROW = 2 }; /* impacts behind the first one */
  const sal_v  brief = brief_time(b);
  const double t = SAL_AT(b->s.t, lane), since = t - SAL_AT(b->closed_at[k], lane);

  SAL_AT(b->closed_at[k], lane) = t;
  if (since <= SAL_AT(brief, lane))
    ++SAL_AT(b->in_a_row[k], lane);
  else
    SAL_AT(b->in_a_row[k], lane) = 0;
  return SAL_AT(b->in_a_row[k], lane) >= IN_A_ROW;
}

static void log_event(sal_batch *b, int lane, int k, bool closes)
{
  sal_events *log = b->observer[lane].job->events;

  if (!log) return;
  if (log->n < log->capacity)
    log->event[log->n] = (sal_event){.t = SAL_AT(b->s.t, lane), .guard = k, .closes = closes};
  ++log->n;
}

/* Candidate j changes in this lane: counts its contacts and opens their entries in the log. */
static void note_change(sal_batch *b, int j, int lane)
{
  const bool closes = SAL_AT(b->at.side[j], lane) > 0;
  const int  many   = b->at.in_row ? (int)SAL_AT(b->x.many[j], lane) : 1;
  const int  onward = b->at.in_row ? (int)SAL_AT(b->at.onward[j], lane) : 0;
  int        k      = (int)SAL_AT(b->at.rank[j], lane);

  SAL_AT(b->events, lane) += many;
  for (int i = 0; i < many; ++i, k += onward) {
    const bool rests = closes && is_zeno(b, k, lane);
    SAL_AT(b->zenos, lane) += rests;
    if (rests) SAL_AT(b->rests[j], lane) = -1;
    log_event(b, lane, k, closes);
  }
}

/* The state behind the event belongs to every entry of this instant. */
static void complete_log(sal_batch *b, int lane)
{
  sal_observer     *o   = &b->observer[lane];
  const sal_events *log = o->job->events;

  for (; log && o->logged < log->n && o->logged < log->capacity; ++o->logged)
    for (int i = 0; i < b->s.n; ++i) log->event[o->logged].y[i] = SAL_AT(b->s.y[i], lane);
}

sal_m sal_change_rest(sal_batch *b, sal_m lanes)
{
  const sal_v zero  = sal_set(0);
  sal_m       rests = sal_none();

  for (int k = 0; k < b->at.n && !b->at.in_row; ++k) {
    const sal_m hops = lanes & b->at.touching[k] & sal_gt(b->at.side[k], zero) &
                       sal_lt(b->at.gapn[k], zero) & sal_eq(b->closed_at[k], b->s.t);
    b->s.phase.closed[k] |= hops;
    b->at.side[k] = sal_sel(hops, sal_set(-1), b->at.side[k]);
    sal_count(&b->zenos, hops, 1);
    rests |= hops;
  }
  return rests;
}

sal_m sal_change_due(const sal_batch *b)
{
  const sal_v zero = sal_set(0);
  sal_m       due  = sal_none();

  if (!b->setup->strategy->held || !b->setup->strategy->zoned) return due;
  for (int k = 0; k < b->at.n; ++k)
    due |= sal_lt(b->at.side[k] * b->at.rate[k], zero) &
           sal_gt(b->at.gap[k] / b->at.rate[k], b->s.hmin);
  return due;
}

void sal_change_watch(sal_batch *b)
{
  const sal_v zero = sal_set(0);

  for (int k = 0; k < b->at.n && !b->at.in_row; ++k) {
    const sal_v side   = b->at.side[k];
    const sal_m astray = b->live & ~b->at.touching[k] & sal_lt(side * b->at.gap[k], zero) &
                         ~sal_lt(side * b->at.rate[k], zero);
    sal_count(&b->unmet, astray & ~b->astray[k], 1);
    b->astray[k] = astray;
  }
}

void sal_change_mode(sal_batch *b, sal_m hit, sal_m idle)
{
  b->idle = sal_pick(hit & ~idle, sal_none(), b->idle);
  sal_count(&b->idle, idle, 1);
  sal_contacts_complete(&b->s, &b->at, hit, &b->x);
  for (int j = 0; j < b->at.n; ++j) {
    const sal_m fired = hit & b->x.fired[j];
    b->rests[j]       = sal_none();
    if (!sal_any(fired)) continue;
    for (int lane = 0; lane < SAL_LANES; ++lane)
      if (SAL_AT(fired, lane)) note_change(b, j, lane);
  }
  sal_contacts_change(&b->s, &b->at, hit, idle, &b->x, b->rests);
  for (int lane = 0; lane < SAL_LANES; ++lane)
    if (SAL_AT(hit, lane)) complete_log(b, lane);
}
