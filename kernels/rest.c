/** Impacts without end: when a contact comes to rest. */
#include "rest.h"
#include "entry.h"
#include "lane_math.h"

void sal_rest_measure(sal_batch *b, sal_m lanes)
{
  sal_step_state *s = &b->s;
  sal_v *const noise[] = {b->gap_noise, b->gap_tolerance, b->rate_tolerance}, *slope = b->at.ya;

  s->flow->rhs(&s->phase, s->t, s->y, slope);
  s->flow->guard(&s->phase, s->t, s->y, slope, b->at.ga, b->at.ra);
  sal_assign(b->at.n, lanes, b->arrival, b->at.ra);
  sal_entry_gap_noise(s, &b->at, lanes, noise, slope);
}

/* Contact k, candidate j, closes: are its flights lower than the tolerance resolves, far lower if they are fast, or as
 * short as some zones of a projection, and has this one given back more than half of what the impact before it took?  A
 * flight that short is a parabola, which gives nothing back: errors of its steps do, and such flights would not come to
 * an end.  Errors may also feed one flight of several, of this contact or of those it takes turns with: none of many
 * arrivals is then slower than the slowest one by more than half of the loss.  A contact that arrives far
 * faster than errors could make it has been driven.  Where the gap is another contact's after
 * the impact (rebound < 0), so is the loss.  Thousands of events in a small part of a run leave such flights no end, even
 * if nothing is lost: elastic contacts of a pile. */
static bool is_fed_by_errors(sal_batch *b, int j, int k, double height, double zones, int lane)
{
  enum { STEPS = 8, RATES = 64, TURNS = 8, ZONES = 4 };
  const double rebound = SAL_AT(b->rebound[j], lane), speed = fabs(rebound);
  const double now = fabs(SAL_AT(b->arrival[j], lane)), slowest = SAL_AT(b->slowest[k], lane);
  const double before = SAL_AT(b->arrived[k], lane), least_loss = 1 + 0x1p-10;
  const double low = SAL_AT(b->gap_tolerance[j], lane), slow = SAL_AT(b->rate_tolerance[j], lane);
  bool blurred = ((height <= STEPS * low && speed <= STEPS * slow) ||
                  (height <= low / RATES && speed <= RATES * slow)) &&
                 now <= RATES * (speed + slow);
  if (b->setup->strategy->zoned) blurred = zones <= ZONES;
  const bool loses = speed > 0 && blurred && (before > least_loss * speed || rebound < 0);
  const bool stale = loses && now * now * before >= speed * slowest * slowest;

  SAL_AT(b->arrived[k], lane) = now;
  SAL_AT(b->slowest[k], lane) = !loses ? INFINITY : now < slowest ? now : slowest;
  SAL_AT(b->stale[k], lane) = loses ? SAL_AT(b->stale[k], lane) + stale : 0;
  if (speed > 0 && blurred && SAL_AT(b->hasty, lane)) return true;
  return loses && (now * now >= speed * before || SAL_AT(b->stale[k], lane) >= TURNS);
}

/* The flight that contact k, candidate j, ends now: is it too low to be distinguished from rounding, or does it not
 * leave the zone of a projection in units of the gap?  As a parabola it is speed^2 / (2 |gap''|) high, with
 * |gap''| = 2 speed / since.  Rounding of gap and time, or a jump that leaves the gap above its surface, gives it some of
 * its speed back, the more the lower it is: with little loss at impacts flights cease to become lower some way above
 * that.  A contact that comes much faster than it went was released without a speed, and has not flown. */
static bool is_too_low(sal_batch *b, int j, int k, double since, double brief, int lane)
{
  enum { ROUNDINGS = 8, LIFTS = 64, LOW = 4096, SHORT = 1 << 18, FASTER = 1 << 30 };
  const sal_setup *u = b->setup;
  const sal_v spacing = sal_lane_spacing(b->s.t);
  const double rebound = SAL_AT(b->rebound[j], lane), rounding = SAL_AT(b->gap_noise[j], lane);
  const double lift = SAL_AT(b->lifted[j], lane), noise = lift > LIFTS * rounding ? lift : rounding;
  const double speed = u->strategy->zoned ? rebound : fabs(rebound);
  const double height = 0.25 * speed * since, lowest = SAL_AT(b->lowest[k], lane);

  if (u->strategy->zoned && !u->zone_in_time) return speed > 0 && height <= u->zone;
  const bool flew = fabs(SAL_AT(b->arrival[j], lane)) <= FASTER * speed;
  const bool fed = is_fed_by_errors(b, j, k, height, since / brief, lane) && flew;
  if (u->strategy->zoned ||
      !(speed > 0 && flew && (height <= LOW * noise || since <= SHORT * SAL_AT(spacing, lane)))) {
    SAL_AT(b->lowest[k], lane) = INFINITY;
    return fed;
  }
  SAL_AT(b->lowest[k], lane) = height < lowest ? height : lowest;
  return height <= ROUNDINGS * noise || height >= lowest || fed;
}

/* Contact k, candidate j, ends a flight that is a parabola: are the heights, speeds and time of the flights to come within
 * the tolerance?  Each impact leaves the share `keeps` of the speed. */
static bool are_left_within_tolerance(const sal_batch *b, int j, int k, double since, int lane)
{
  const double speed = SAL_AT(b->rebound[j], lane), now = fabs(SAL_AT(b->arrival[j], lane));
  const double keeps = speed / SAL_AT(b->arrived[k], lane), next = keeps * now;

  return speed > 0 && keeps < 1 && now <= 2 * speed && speed <= 2 * now &&
         0.25 * next * keeps * since <= SAL_AT(b->gap_tolerance[j], lane) &&
         next <= SAL_AT(b->rate_tolerance[j], lane) &&
         since * keeps <= (1 - keeps) * b->s.rtol * SAL_AT(b->s.t, lane);
}

/* Times shorter than this count as no time: some spacings of time, or what a projecting strategy
 * cannot resolve. */
static sal_v brief_time(const sal_batch *b)
{
  enum { BRIEF = 4096 };
  const sal_setup *u = b->setup;
  const double zone = u->strategy->zoned && u->zone_in_time ? u->zone : 0;

  return sal_max((double)BRIEF * sal_lane_spacing(b->s.t),
                 sal_set(u->fixed_step > zone && u->strategy->zoned ? u->fixed_step : zone));
}

bool sal_rest_is_due(sal_batch *b, int j, int k, int lane)
{
  enum { IN_A_ROW = 2 }; /* impacts after the first one */
  const sal_v brief = brief_time(b);
  const double t = SAL_AT(b->s.t, lane), since = t - SAL_AT(b->closed_at[k], lane);
  const bool done = are_left_within_tolerance(b, j, k, since, lane);
  const bool low = b->setup->model->resets && is_too_low(b, j, k, since, SAL_AT(brief, lane), lane);

  SAL_AT(b->closed_at[k], lane) = t;
  const int64_t before = SAL_AT(b->in_a_row[k], lane);
  SAL_AT(b->in_a_row[k], lane) = since <= SAL_AT(brief, lane) || low || done ? before + 1 : 0;
  return SAL_AT(b->in_a_row[k], lane) >= IN_A_ROW && !sal_model_contact(b->setup->model, k)->timed;
}
