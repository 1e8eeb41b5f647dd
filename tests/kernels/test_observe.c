/** @file tests/kernels/test_observe.c
 *  Divergence time (32), integral of the absolute error (33) and largest error, accumulated on the
 *  fly, against the plain formulas applied to the samples of the same run.
 */
#include "monopod_sets.h"
#include "run_one.h"
#include "sal_test.h"
#include <math.h>

enum { MESH = 997 };
static const double span = 20;
static double       reference[MESH + 8], state[(MESH + 1) * SET_STATES];

/* What is right roughly, so that errors are neither tiny nor huge. */
static int make_reference(void)
{
  static double   fine[(MESH + 1) * SET_STATES];
  sal_samples     samples = {.n_mesh = MESH, .state = fine};
  const sal_setup setup   = contender("monopod", "dop853", "event", 1e-10, span);

  run_one(&setup, set_param[4], set_initial, &samples, NULL);
  for (int j = 0; j < MESH + 8; ++j)
    reference[j] = j <= MESH ? fine[j * SET_STATES] * (1 + 1e-3 * sin(0.1 * j)) : NAN;
  return 0;
}

typedef struct {
  double divergence, integral, largest;
} figures;

static figures directly(const sal_score *score)
{
  const int64_t n   = score->n_mesh;
  figures       out = {.divergence = NAN};

  for (int64_t j = 0; j <= n; ++j) {
    const double error = fabs(state[j * SET_STATES] - reference[j]), size = fabs(reference[j]);
    out.integral += (j == 0 || j == n ? 0.5 : 1.0) * error * span / (double)n;
    out.largest = fmax(out.largest, error);
    if (isnan(out.divergence) && size >= score->floor && error >= score->epsilon * size)
      out.divergence = span * (double)j / (double)n;
  }
  return out;
}

static sal_record score_run(const sal_setup *setup, int width, const sal_score *score)
{
  sal_samples   samples = {.n_mesh = score->n_mesh, .state = state};
  const sal_job job     = {
          .param = set_param[4], .initial = set_initial, .score = score, .samples = &samples};
  sal_record out;

  run_batch(setup, width, 1, &job, &out);
  return out;
}

static void check_figures(const sal_record *out, const sal_score *score)
{
  const figures right = directly(score);
  const double  dt    = out->value[SAL_METRIC_DT];

  CU_ASSERT_EQUAL(outcome(out), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(isnan(dt) != 0, isnan(right.divergence) != 0);
  CU_ASSERT(isnan(dt) || dt == right.divergence);
  CU_ASSERT_DOUBLE_EQUAL(out->value[SAL_METRIC_IAE], right.integral, 1e-12 * right.integral);
  CU_ASSERT_EQUAL(out->value[SAL_METRIC_MAX_ERROR], right.largest);
  CU_ASSERT(right.integral > 1e-3 && right.largest > 1e-4);
}

static void the_figures_are_those_of_the_samples(void)
{
  const sal_score score    = {reference, MESH, 1e-3, 0.05};
  double          earliest = span, latest = 0;

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s)
      for (int width =
               sal_strategy_drives(sal_registry_strategies[s], sal_registry_methods[m]) ? 1 : 99;
           width <= sal_integrate_widest(); width += width == 1 ? 3 : width) {
        const sal_setup  setup = contender("monopod", sal_registry_methods[m]->name,
                                           sal_registry_strategies[s]->name, 1e-4, span);
        const sal_record out   = score_run(&setup, width, &score);
        check_figures(&out, &score);
        earliest = fmin(earliest, out.value[SAL_METRIC_DT]);
        latest   = fmax(latest, out.value[SAL_METRIC_DT]);
      }
  CU_ASSERT(earliest > 0.1 && latest < span);
}

static void the_size_of_the_mesh_does_not_matter(void)
{
  const sal_setup setup = contender("monopod", "ode45", "event", 1e-3, span);

  for (int n_mesh = 60; n_mesh < 78; ++n_mesh) {
    const sal_score  score = {reference, n_mesh, 1e-3, 0.05};
    const sal_record out   = score_run(&setup, 1, &score);
    check_figures(&out, &score);
  }
}

/* An error at the threshold counts, one on a small reference does not. */
static void the_threshold_and_the_floor_are_those_of_equation_32(void)
{
  const sal_setup setup = contender("monopod", "ode45", "event", 1e-3, span);
  double          last  = 0;

  for (double epsilon = 1e-4; epsilon < 1; epsilon *= 3)
    for (double floor = 0; floor < 0.3; floor += 0.1) {
      const sal_score  score = {reference, MESH, epsilon, floor};
      const sal_record out   = score_run(&setup, 1, &score);
      check_figures(&out, &score);
      CU_ASSERT(floor > 0 || !(out.value[SAL_METRIC_DT] < last));
      if (floor == 0) last = out.value[SAL_METRIC_DT];
    }
  const sal_score  never = {reference, MESH, 1e3, 0.05};
  const sal_record out   = score_run(&setup, 1, &never);
  CU_ASSERT(isnan(out.value[SAL_METRIC_DT]));
}

static void a_failed_run_has_no_integral(void)
{
  const sal_score score = {reference, MESH, 1e-3, 0.05};
  sal_setup       setup = contender("monopod", "ode45", "event", 1e-9, span);
  int             seen  = 0;

  setup.max_attempts   = 60;
  const sal_record out = score_run(&setup, 1, &score);
  CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_STEP_CAP);
  CU_ASSERT(isnan(out.value[SAL_METRIC_IAE]) && isnan(out.value[SAL_METRIC_MAX_ERROR]));
  CU_ASSERT(isnan(out.value[SAL_METRIC_SD]));
  for (int j = 0; j <= MESH; ++j) {
    const bool before = span * j / MESH <= out.value[SAL_METRIC_T_REACHED];
    CU_ASSERT_EQUAL(isnan(state[j * SET_STATES]) == 0, before);
    seen += before;
  }
  CU_ASSERT(seen > 10 && seen < MESH);
}

/* Samples on a part of the run, and the mode that was frozen there. */
static void samples_may_stop_before_the_end(void)
{
  uint8_t         closed[101];
  sal_samples     half  = {.n_mesh = 100, .span = span / 2, .state = state, .closed = closed};
  const sal_setup setup = contender("monopod", "ode45", "event", 1e-8, span);
  int             below = 0, agree = 0;

  run_one(&setup, set_param[4], set_initial, &half, NULL);
  for (int j = 0; j <= 100; ++j) {
    below += closed[j];
    agree += closed[j] == (state[j * SET_STATES] <= 0);
  }
  CU_ASSERT_EQUAL(agree, 101);
  CU_ASSERT(below > 20 && below < 80);
  CU_ASSERT_DOUBLE_EQUAL(state[40 * SET_STATES], 0.5 - 0.051 * 16 / 2, 1e-7);
}

SAL_TEST_MAIN("observer", make_reference,
              {"the figures are those of the samples", the_figures_are_those_of_the_samples},
              {"the size of the mesh does not matter", the_size_of_the_mesh_does_not_matter},
              {"the threshold and the floor are those of equation (32)",
               the_threshold_and_the_floor_are_those_of_equation_32},
              {"a failed run has no integral", a_failed_run_has_no_integral},
              {"samples may stop before the end", samples_may_stop_before_the_end})
