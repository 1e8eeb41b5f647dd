/** Cases 3, 5 and 10: beginning, beginning anew and staying on a surface. */
#include "cases.h"

static case_run run;

static const sal_model *ground(void) { return sal_registry_model("linear-ground"); }

/* ---- 3 -------------------------------------------------------------------------------------- */

/* A start on the surface belongs to the side it moves to. */
static void start_on_it(const case_pair *pair, double speed)
{
  static const double soft[] = {1, 10, 0.2};
  const double initial[] = {0, speed};
  const bounces exact = bounces_solve(soft, 0, speed, 3);
  const sal_setup setup = case_setup(pair, ground(), 1e-7, 3, 1);

  case_do(pair, &setup, soft, initial, &run);
  CASE_EXPECT(pair, run.log.events.n == 2 && run.log.event[0].closes == (speed > 0));
  CASE_EXPECT(pair, log_error(&run.log, &exact) < case_bound(pair, 1e-7));
}

/* Every event once, and one restart for each. */
static void bounce(const case_pair *pair, double tol)
{
  static const double soft[] = {1, 10, 0.2}, initial[] = {1, 0};
  const bounces exact = bounces_solve(soft, 1, 0, 12);
  const sal_setup setup = case_setup(pair, ground(), tol, 12, 1);

  case_do(pair, &setup, soft, initial, &run);
  CASE_EXPECT(pair, log_alternates(&run.log) && exact.n == 8);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_RESTARTS) == 7);
  CASE_EXPECT(pair, log_error(&run.log, &exact) < case_bound(pair, tol));
}

void restart_on_the_surface(void)
{
  for (case_pair pair = {0}; case_next(&pair, ground(), SAL_CASE_HELD);) {
    start_on_it(&pair, 0.5);
    start_on_it(&pair, -0.5);
    for (double tol = 1e-4; tol > 1e-9; tol /= 100) bounce(&pair, tol);
  }
}

/* ---- 5 -------------------------------------------------------------------------------------- */

/* Jumps that leave the gap a little off 0, on either side, at any tolerance. */
void residue_behind_an_event(void)
{
  static const double residue[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9}, top[] = {0, 1};
  double param[ROTOR_PARAMS] = {1, 0.3, -9, -9, 1, 0, 0};
  case_event expected[8];

  CU_ASSERT_EQUAL_FATAL(case_rotor_events(param, 12, 8, expected), 4);
  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_HELD);)
    for (int i = 0; i < 7; ++i)
      for (double tol = 1e-4; tol > 1e-9; tol /= 100) {
        const sal_setup setup = case_setup(&pair, &rotor, tol, 12, 1);
        param[ROTOR_RESIDUE] = residue[i];
        case_do(&pair, &setup, param, top, &run);
        CASE_EXPECT(&pair, case_error(&run, 4, expected) < case_bound(&pair, tol));
        CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_RESTARTS) == 4);
      }
}

/* ---- 10 ------------------------------------------------------------------------------------- */

/* Nothing happens, and nothing is made of it. */
static void lie(const case_pair *pair, const sal_model *model, const double param[], double y,
                double t_end)
{
  const double initial[] = {y, 0};
  const sal_setup setup = case_setup(pair, model, 1e-6, t_end, 1);

  case_do(pair, &setup, param, initial, &run);
  CASE_EXPECT(pair, outcome(&run.log.record) == SAL_OUT_DONE);
  CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_T_REACHED) == t_end);
  CASE_EXPECT(pair, n_event(&run.log.record) == 0);
  CASE_EXPECT(pair, fabs(case_end(&run, model, 0) - y) < 1e-12);
  CASE_EXPECT(pair, fabs(case_end(&run, model, 1)) < 1e-12);
  if (!pair->strategy->fixed) CASE_EXPECT(pair, case_metric(&run, SAL_METRIC_STEPS) < 100);
}

void resting_contact(void)
{
  static const double sunk[] = {1, 10, 1}, weightless[] = {0, 10, 1}, ball[] = {9.81, 0.8};
  const sal_model *floor = sal_registry_model("bouncing-ball");

  for (case_pair pair = {0}; case_next(&pair, ground(), SAL_CASE_EVERY);) {
    lie(&pair, ground(), sunk, -0.1, 30);
    lie(&pair, ground(), weightless, 0, 3); /* g = 0: neither closes nor opens */
  }
  for (case_pair pair = {0}; case_next(&pair, floor, SAL_CASE_HELD);) lie(&pair, floor, ball, 0, 3);
}
