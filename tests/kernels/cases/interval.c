/** Cases 12, 13 and 14: events at the ends of runs, steps and scales. */
#include "cases.h"

static const double still[] = {0}, top[] = {0, 1};
static case_run run;

/* ---- 12 ------------------------------------------------------------------------------------- */

/* The pulse ends at 1, the run `late` after that.  In the last rounding it may be missed.  Samples
 * beyond a surface that are taken before the projection back to it are not taken again. */
static void end_at(const case_pair *pair, double late)
{
  static const double param[] = {[PULSE_MIDDLE] = 0.75, [PULSE_HALF] = 0.25};
  const double t_end = 1 + late;
  const sal_setup setup = case_setup(pair, &pulse, 1e-6, t_end, 1);
  const int64_t least = late >= 1e-12 ? 2 : 1, most = late <= -1e-12 ? 1 : 2;
  const double sharp = pair->strategy->fixed ? 1e-6 : 1e-12;
  const sal_event *e = run.log.event;

  case_do(pair, &setup, param, still, &run);
  const int64_t n = run.log.events.n;
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_T_REACHED) == t_end);
  CASE_EXPECT(pair, n >= least && n <= most && log_alternates(&run.log));
  CASE_EXPECT(pair, fabs(e[0].t - 0.5) < sharp && e[n - 1].t <= t_end);
  CASE_EXPECT(pair, fabs(case_end(&run, &pulse, 0) - fmin(0.5, 0.5 + late)) <
                        (late > 0 && pair->strategy->zoned ? setup.zone : sharp));
  if (late == 0 && !pair->strategy->zoned) CASE_EXPECT(pair, n == 2 && e[1].t == 1);
}

void event_at_the_end(void)
{
  static const double late[] = {-1e-4, -1e-12, -0x1p-52, 0, 0x1p-52};

  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_HELD);)
    for (int i = 0; i < 5; ++i) end_at(&pair, late[i]);
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_LOCATING);) end_at(&pair, 1e-4);
}

void event_in_the_last_zone(void)
{
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_HELD);)
    for (double late = 1e-4; late < 4e-4; late += 1e-4) end_at(&pair, late);
}

/* ---- 13 ------------------------------------------------------------------------------------- */

/* Finds the state at the end of step j, puts the level there, give or take some rounding, and runs
 * again: the event must be found once, in whichever of the two steps. */
static void put_the_level_at_a_step(const case_pair *pair, int j)
{
  enum { ROUNDINGS = 8 };
  double param[ROTOR_PARAMS] = {1, -9, -9, -9, 1, 0, 0};
  sal_setup setup = case_setup(pair, &rotor, 1e-6, 1, 1);

  setup.fixed_step = 1.0 / CASE_MESH;
  case_do(pair, &setup, param, top, &run);
  const double s = run.state[2 * j + 1], t = (double)j / CASE_MESH;
  for (int off = -ROUNDINGS; off <= ROUNDINGS; ++off) {
    const case_event there = {t, 0, true};
    param[ROTOR_LEVEL] = s + off * 0x1p-53;
    case_do(pair, &setup, param, top, &run);
    CASE_EXPECT(pair, case_error(&run, 1, &there) < (pair->strategy->zoned ? 1e-7 : 1e-13));
  }
}

void root_at_the_end_of_its_bracket(void)
{
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);)
    for (int j = 8; j < CASE_MESH; j += 7) put_the_level_at_a_step(&pair, j);
}

/* ---- 14 ------------------------------------------------------------------------------------- */

/* Times in units from picoseconds to ages are the same times. */
void tiny_and_huge_time(void)
{
  enum { EVENTS = 6 };
  static const double units[] = {1, 1e-12, 1e12};
  case_run *out = &run;

  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);) {
    double first[EVENTS] = {0};
    case_event expected[EVENTS];
    for (int i = 0; i < 3; ++i) {
      const double unit = units[i];
      const double param[ROTOR_PARAMS] = {1 / unit, 0.3, -0.2, 0.1, 1, 0, 0};
      const sal_setup setup = case_setup(&pair, &rotor, 1e-10, 6 * unit, unit);
      const int n = case_rotor_events(param, 6 * unit, EVENTS, expected);
      case_do(&pair, &setup, param, top, out);
      CASE_EXPECT(&pair, n == EVENTS);
      CASE_EXPECT(&pair, case_error(out, n, expected) / unit < case_bound(&pair, 1e-10));
      for (int k = 0; k < EVENTS; ++k) {
        const double t = out->log.event[k].t / unit;
        if (i == 0) first[k] = t;
        CASE_EXPECT(&pair, fabs(t / first[k] - 1) < 1e-9);
      }
    }
  }
}
