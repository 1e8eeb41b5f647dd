/** Cases 18, 19, 21 and 25: what is refused, written down and counted, and the same for every
 *  method.
 */
#include "cases.h"
#include "kernels/monopod_sets.h"

static case_run run;

/* ---- 18 ------------------------------------------------------------------------------------- */

/* A method with a history cannot go on from a projected state, only some strategies apply jumps, and one drives time
 * stepping alone; everything else works.  The messages of commands: tests/plan and tests/app. */
void unsupported_pairs(void)
{
  int no_method = 0, no_model = 0;

  for (int s = 0; sal_registry_strategies[s]; ++s) {
    const sal_strategy *strategy = sal_registry_strategies[s];
    for (int m = 0; sal_registry_methods[m]; ++m) {
      const bool multistep = sal_registry_methods[m]->min_order < sal_registry_methods[m]->order;
      CU_ASSERT_EQUAL(sal_strategy_drives(strategy, sal_registry_methods[m]),
                      !(strategy->zoned && multistep) && !strategy->captures);
      no_method += !sal_strategy_drives(strategy, sal_registry_methods[m]);
    }
    for (int m = 0; sal_registry_models[m]; ++m) {
      CU_ASSERT(strategy->held || strategy->captures ||
                sal_strategy_meets_jumps(strategy, sal_registry_models[m]) ==
                    !sal_registry_models[m]->resets);
      no_model += !sal_strategy_meets_jumps(strategy, sal_registry_models[m]);
    }
  }
  CU_ASSERT(no_method >= 4 && no_model >= 1);
}

/* ---- 19 ------------------------------------------------------------------------------------- */

/* Edges of the pulse that are mesh points: log and samples both hold them, and agree. */
static void sample_the_edges(const case_pair *pair)
{
  static const double param[] = {[PULSE_MIDDLE] = 0.75, [PULSE_HALF] = 0.25}, still[] = {0};
  const sal_setup setup = case_setup(pair, &pulse, 1e-6, 2, 1);
  const sal_event *e = run.log.event;

  case_do(pair, &setup, param, still, &run);
  CASE_EXPECT(pair, run.log.events.n == 2);
  for (int i = 0; i < 2; ++i) {
    CASE_EXPECT(pair, fabs(e[i].t - 0.5 * (i + 1)) < 1e-12 && fabs(e[i].y[0] - 0.5 * i) < 1e-12);
    CASE_EXPECT(pair, fabs(run.state[(i + 1) * CASE_MESH / 4] - 0.5 * i) < 1e-12);
  }
  CASE_EXPECT(pair, fabs(case_end(&run, &pulse, 0) - 0.5) < 1e-12);
}

/* The log holds the state after the impact, on the floor and on its way up. */
static void log_impacts(const case_pair *pair)
{
  static const double param[] = {9.81, 0.8}, start[] = {1, 0};
  const double fall = sqrt(2 / 9.81);
  const sal_setup setup = case_setup(pair, sal_registry_model("bouncing-ball"), 1e-8, 2, 1);

  case_do(pair, &setup, param, start, &run);
  CASE_EXPECT(pair, run.log.events.n == 3);
  for (int i = 0; i < run.log.events.n; ++i) {
    const double up = 9.81 * fall * pow(0.8, i + 1);
    CASE_EXPECT(pair, run.log.event[i].y[0] == 0);
    CASE_EXPECT(pair, fabs(run.log.event[i].y[1] - up) < 0.01);
  }
}

void event_points_in_the_output(void)
{
  for (case_pair pair = {0}; case_next(&pair, &pulse, SAL_CASE_HELD);) {
    sample_the_edges(&pair);
    log_impacts(&pair);
  }
}

/* ---- 21 ------------------------------------------------------------------------------------- */

/* Twelve events that change nothing but force the method to begin anew: the steps they cost.  A
 * multistep method has to climb from order 1 each time. */
void step_size_behind_an_event(void)
{
  enum { EVENTS = 12 };
  static const double top[] = {0, 1}, tol = 1e-7;
  static const double none[ROTOR_PARAMS] = {1, 9, 9, 9, 1, 0, 0};
  static const double many[ROTOR_PARAMS] = {1, 0.3, -0.2, 0.6, 1, 0, 0};

  for (case_pair pair = {0}; case_next(&pair, &rotor, SAL_CASE_ADAPTIVE);) {
    sal_setup setup = case_setup(&pair, &rotor, tol, 12, 1);
    setup.max_step = 1;
    case_do(&pair, &setup, none, top, &run);
    const double alone = case_metric(&run, SAL_METRIC_STEPS);
    CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_RESTARTS) == 0);
    case_do(&pair, &setup, many, top, &run);
    const double extra = (case_metric(&run, SAL_METRIC_STEPS) - alone) / EVENTS;
    CASE_EXPECT(&pair, case_metric(&run, SAL_METRIC_RESTARTS) == EVENTS);
    if (pair.method->min_order < pair.method->order)
      CASE_EXPECT(&pair, extra > 8);
    else
      CASE_EXPECT(&pair, extra < (pair.strategy->zoned ? 6 : 2)); /* a zone is stepped through */
    CASE_EXPECT(&pair, fabs(case_end(&run, &rotor, 1) - cos(12)) < case_bound(&pair, tol));
  }
}

/* ---- 25 ------------------------------------------------------------------------------------- */

/* Two sets of the hopper, one of them hard, against certified times. */
void same_contacts_whatever_the_method(void)
{
  static const int sets[] = {4, 8};
  const set_reference *right = set_read();
  const sal_model *model = sal_registry_model("monopod");
  case_event expected[SET_MAX_EVENT];

  for (int i = 0; i < 2; ++i) {
    const int set = sets[i], n = right->n_event[set];
    for (int k = 0; k < n; ++k)
      expected[k] = (case_event){right->event[set][k].t, 0, right->event[set][k].closes};
    for (case_pair pair = {0}; case_next(&pair, model, SAL_CASE_HELD);) {
      const sal_setup setup = case_setup(&pair, model, 1e-8, set_span, 1);
      case_do(&pair, &setup, set_param[set], set_initial, &run);
      CASE_EXPECT(&pair, n == 11 && case_error(&run, n, expected) < 10 * case_bound(&pair, 1e-8));
    }
  }
}
