/** Cases 3, 5, 8 and 10 with the floor at any coordinate: a flight is over when it is lower than the
 *  rounding of the numbers whose difference the gap is, not than that of the gap.
 */
#include "cases.h"
#include <float.h>

static case_run run;
static const double gravity = 9.81;
static const double floors[] = {0, 1e-3, 1, 100, 1e6, -1};

/** A ball thrown up from `height` over a floor at `floor`; t: when it has come to rest. */
typedef struct {
  double floor, height, speed, restitution, residue, tol;
} throw;

static double impact_speed(const throw *w)
{
  return sqrt(w->speed * w->speed + 2 * gravity * w->height);
}

/* The first impact, and the instant at which the impacts accumulate. */
static double first_impact(const throw *w) { return (w->speed + impact_speed(w)) / gravity; }

static double time_of_rest(const throw *w)
{
  const double e = w->restitution;

  return first_impact(w) + 2 * impact_speed(w) / gravity * e / (1 - e);
}

/* Impacts after flights within rounding or the tolerance are lost, and the time that they would have
 * taken: a few times that of a flight eight roundings high, and the tolerance.  A first step of order 1 sees no flight that is
 * lower than its error test. */
static double time_lost(const case_pair *pair, const throw *w)
{
  const double about = fabs(w->floor), loss = 1 - w->restitution;
  const double lowest = pair->method->min_order == 1 && pair->method->implicit
                            ? 400 * w->tol * (about + 1)
                            : 8 * DBL_EPSILON * about;

  return 5 * sqrt(lowest / gravity) / loss + 1e-8 + w->tol * time_of_rest(w);
}

static void let_fall(const case_pair *pair, const throw *w)
{
  const double param[BALL_PARAMS] = {gravity, w->restitution, w->floor, w->residue};
  const double start[] = {w->floor + w->height, w->speed}, rests = time_of_rest(w);
  sal_setup setup = case_setup(pair, &ball_offset, w->tol, 2 * rests, 1);

  case_do(pair, &setup, param, start, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_T_REACHED) == setup.t_end);
  for (ptrdiff_t j = 0; j <= CASE_MESH; ++j) /* half a fixed step of free fall */
    CASE_EXPECT(pair, run.state[2 * j] - w->floor > -2e-5 - 64 * DBL_EPSILON * fabs(w->floor));
}

/* ---- 8 -------------------------------------------------------------------------------------- */

static void come_to_rest(const case_pair *pair, const throw *w)
{
  let_fall(pair, w);
  const int64_t n = run.log.events.n;
  const double error = fabs(run.log.event[n > 0 ? n - 1 : 0].t - time_of_rest(w));

  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_ZENO) == 1);
  CASE_EXPECT(pair, n > 3 && n < LOG_CAPACITY && error < time_lost(pair, w));
  CASE_EXPECT(pair, case_end(&run, &ball_offset, 0) == w->floor + w->residue);
  for (int i = 0; i < n; ++i) CASE_EXPECT(pair, run.log.event[i].closes);
}

void rest_anywhere(void)
{
  static const double restitutions[] = {0.1, 0.3, 0.5, 0.8, 0.9}, tols[] = {1e-5, 1e-8, 1e-11};

  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_LOCATING);)
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f)
      for (int e = 0; e < 5; ++e)
        for (int t = 0; t < 3; ++t)
          come_to_rest(&pair, &(throw){.floor = floors[f],
                                       .height = 1,
                                       .restitution = restitutions[e],
                                       .tol = tols[t]});
}

/* Where impacts take little, rounding gives back as much, and flights cease to become lower. */
void rest_with_little_loss(void)
{
  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_LOCATING);)
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f) {
      const throw w = {.floor = floors[f], .height = 1, .restitution = 0.97, .tol = 1e-8};
      let_fall(&pair, &w);
      CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_ZENO) == 1);
      CASE_EXPECT(&pair, run.log.events.n > 10 && run.log.record.value[SAL_METRIC_EVENTS] < 3000);
    }
}

/* A projection uses its zone and not the floor's coordinate. */
void rest_under_projection_anywhere(void)
{
  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_HELD);) {
    if (!pair.strategy->zoned) continue;
    int64_t first = 0;
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f) {
      const throw w = {.floor = floors[f], .height = 1, .restitution = 0.5, .tol = 1e-8};
      let_fall(&pair, &w);
      if (f == 0) first = run.log.events.n;
      CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_ZENO) == 1);
      CASE_EXPECT(&pair, first > 4 && llabs(run.log.events.n - first) <= 2);
    }
  }
}

/* With its zone in units of the gap, a projection does not see flights that stay inside it: the time of
 * such flights is lost. */
void rest_inside_a_zone_of_gaps(void)
{
  static const double restitutions[] = {0.1, 0.3, 0.5, 0.8}, zone = 1e-3;

  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_ADAPTIVE);)
    for (int e = 0; e < 4; ++e) {
      const throw w = {.height = 1, .restitution = restitutions[e], .tol = 1e-8};
      const double param[] = {gravity, w.restitution, 0, 0}, start[] = {1, 0};
      const double lost = 8 * sqrt(2 * zone / gravity) / (1 - w.restitution);
      const double rests = time_of_rest(&w);
      sal_setup setup = case_setup(&pair, &ball_offset, w.tol, 2 * rests, 1);
      const sal_event *last = run.log.event;
      if (!pair.strategy->zoned) continue;
      setup.zone = zone;
      setup.zone_in_time = false;
      case_do(&pair, &setup, param, start, &run);
      CASE_EXPECT(&pair, outcome(&run.log.record) == SAL_OUT_DONE);
      CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_ZENO) == 1);
      CASE_EXPECT(&pair, run.log.events.n > 2 && run.log.events.n < 60);
      last += run.log.events.n - 1;
      CASE_EXPECT(&pair, fabs(last->t - rests) < lost);
      CASE_EXPECT(&pair, case_end(&run, &ball_offset, 0) == 0);
    }
}

/* ---- 3 and 5 -------------------------------------------------------------------------------- */

void start_and_residue_anywhere(void)
{
  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_LOCATING);)
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f) {
      const double about = fabs(floors[f]);
      throw w = {.floor = floors[f], .speed = 3, .restitution = 0.5, .tol = 1e-8};
      come_to_rest(&pair, &w);
      CASE_EXPECT(&pair, fabs(run.log.event[0].t - first_impact(&w)) < time_lost(&pair, &w));
      w.residue = about >= 1 ? -4 * DBL_EPSILON * about : 0;
      come_to_rest(&pair, &w);
    }
}

/* ---- 10 ------------------------------------------------------------------------------------- */

void resting_contact_anywhere(void)
{
  for (case_pair pair = {0}; case_next(&pair, &ball_offset, SAL_CASE_HELD);)
    for (size_t f = 0; f < sizeof floors / sizeof *floors; ++f) {
      const double param[BALL_PARAMS] = {gravity, 0.8, floors[f], 0};
      const double lies[] = {floors[f], 0};
      const sal_setup setup = case_setup(&pair, &ball_offset, 1e-6, 3, 1);
      case_do(&pair, &setup, param, lies, &run);
      CASE_EXPECT(&pair, outcome(&run.log.record) == SAL_OUT_DONE);
      CASE_EXPECT(&pair, n_event(&run.log.record) == 0);
      CASE_EXPECT(&pair, case_end(&run, &ball_offset, 0) == floors[f]);
      CASE_EXPECT(&pair, case_end(&run, &ball_offset, 1) == 0);
    }
}
