/** Divergence time (32), integral of the absolute error (33) and largest error, accumulated on the
 *  fly, against the plain formulas applied to the samples of the same run.
 */
#include "monopod_sets.h"
#include "run_one.h"
#include "sal_test.h"
#include <math.h>

enum { MESH = 997 };
static const double span = 20;
static double reference[MESH + 8], state[(MESH + 1) * SET_STATES];

/* A roughly right reference, so that errors are neither tiny nor huge. */
static int make_reference(void)
{
  static double fine[(MESH + 1) * SET_STATES];
  sal_samples samples = {.n_mesh = MESH, .state = fine};
  const sal_setup setup = config("monopod", "dop853", "event", 1e-10, span);

  run_one(&setup, set_param[4], set_initial, &samples, NULL);
  for (int j = 0; j < MESH + 8; ++j)
    reference[j] = j <= MESH ? fine[j * SET_STATES] * (1 + 1e-3 * sin(0.1 * j)) : NAN;
  return 0;
}

typedef struct {
  double divergence, integral, largest;
} figures;

/* The sum is made of eight, by mesh index modulo 8, so it has the bits of a run's. */
static figures directly(const sal_score *score, double end)
{
  const int64_t n = score->n_mesh;
  figures out = {.divergence = NAN};
  double s[8] = {0};

  for (int64_t j = 0; j <= n; ++j) {
    const double error = fabs(state[j * SET_STATES] - reference[j]), size = fabs(reference[j]);
    s[j % 8] += j == 0 || j == n ? 0.5 * error : error;
    out.largest = fmax(out.largest, error);
    if (isnan(out.divergence) && size >= score->floor && error >= score->epsilon * size)
      out.divergence = end * (double)j / (double)n;
  }
  out.integral =
      end / (double)n * (((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
  return out;
}

static sal_record score_run(const sal_setup *setup, int width, const sal_score *score)
{
  sal_samples samples = {.n_mesh = score->n_mesh, .state = state};
  const sal_job job = {
      .param = set_param[4], .initial = set_initial, .score = score, .samples = &samples};
  sal_record out;

  run_batch(setup, width, 1, &job, &out);
  return out;
}

static void check_figures(const sal_record *out, const sal_score *score)
{
  const figures right = directly(score, span);
  const double dt = out->value[SAL_METRIC_DT];

  CU_ASSERT_EQUAL(outcome(out), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(isnan(dt) != 0, isnan(right.divergence) != 0);
  CU_ASSERT(isnan(dt) || dt == right.divergence);
  CU_ASSERT_EQUAL(out->value[SAL_METRIC_IAE], right.integral);
  CU_ASSERT_EQUAL(out->value[SAL_METRIC_MAX_ERROR], right.largest);
  CU_ASSERT(right.integral > 1e-3 && right.largest > 1e-4);
}

static void the_figures_are_those_of_the_samples(void)
{
  const sal_score score = {reference, MESH, 1e-3, 0.05};
  double earliest = span, latest = 0;

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s)
      for (int width =
               sal_strategy_drives(sal_registry_strategies[s], sal_registry_methods[m]) ? 1 : 99;
           width <= sal_integrate_widest(); width += width == 1 ? 3 : width) {
        const sal_setup setup = config("monopod", sal_registry_methods[m]->name,
                                       sal_registry_strategies[s]->name, 1e-4, span);
        const sal_record out = score_run(&setup, width, &score);
        check_figures(&out, &score);
        earliest = fmin(earliest, out.value[SAL_METRIC_DT]);
        latest = fmax(latest, out.value[SAL_METRIC_DT]);
      }
  CU_ASSERT(earliest > 0.1 && latest < span);
}

static void the_size_of_the_mesh_does_not_matter(void)
{
  const sal_setup setup = config("monopod", "ode45", "event", 1e-3, span);

  for (int n_mesh = 60; n_mesh < 78; ++n_mesh) {
    const sal_score score = {reference, n_mesh, 1e-3, 0.05};
    const sal_record out = score_run(&setup, 1, &score);
    check_figures(&out, &score);
  }
}

/* An error at the threshold counts, one on a small reference does not. */
static void the_threshold_and_the_floor_are_those_of_equation_32(void)
{
  const sal_setup setup = config("monopod", "ode45", "event", 1e-3, span);
  double last = 0;

  for (double epsilon = 1e-4; epsilon < 1; epsilon *= 3)
    for (double floor = 0; floor < 0.3; floor += 0.1) {
      const sal_score score = {reference, MESH, epsilon, floor};
      const sal_record out = score_run(&setup, 1, &score);
      check_figures(&out, &score);
      CU_ASSERT(floor > 0 || !(out.value[SAL_METRIC_DT] < last));
      if (floor == 0) last = out.value[SAL_METRIC_DT];
    }
  const sal_score never = {reference, MESH, 1e3, 0.05};
  const sal_record out = score_run(&setup, 1, &never);
  CU_ASSERT(isnan(out.value[SAL_METRIC_DT]));
}

static void a_failed_run_has_no_integral(void)
{
  const sal_score score = {reference, MESH, 1e-3, 0.05};
  sal_setup setup = config("monopod", "ode45", "event", 1e-9, span);
  int seen = 0;
  double most = 0;

  setup.max_attempts = 60;
  const sal_record out = score_run(&setup, 1, &score);
  CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_STEP_CAP);
  CU_ASSERT(isnan(out.value[SAL_METRIC_IAE]) && isnan(out.value[SAL_METRIC_MAX_ERROR]));
  CU_ASSERT(isnan(out.value[SAL_METRIC_SD]));
  for (int j = 0; j <= MESH; ++j) {
    const bool before = span * j / MESH <= out.value[SAL_METRIC_T_REACHED];
    CU_ASSERT_EQUAL(isnan(state[j * SET_STATES]) == 0, before);
    seen += before;
    if (before) most = fmax(most, fabs(state[j * SET_STATES] - reference[j]));
  }
  CU_ASSERT(seen > 10 && seen < MESH);
  CU_ASSERT(most > 0 && out.value[SAL_METRIC_MAX_ERROR_PARTIAL] == most);
}

/* Samples on a part of the run, and the mode that was frozen there. */
static void samples_may_stop_before_the_end(void)
{
  uint8_t closed[101];
  sal_samples half = {.n_mesh = 100, .span = span / 2, .state = state, .closed = closed};
  const sal_setup setup = config("monopod", "ode45", "event", 1e-8, span);
  int below = 0, agree = 0;

  run_one(&setup, set_param[4], set_initial, &half, NULL);
  for (int j = 0; j <= 100; ++j) {
    below += closed[j];
    agree += closed[j] == (state[j * SET_STATES] <= 0);
  }
  CU_ASSERT_EQUAL(agree, 101);
  CU_ASSERT(below > 20 && below < 80);
  CU_ASSERT_DOUBLE_EQUAL(state[40 * SET_STATES], 0.5 - 0.051 * 16 / 2, 1e-7);
}

/* Cells with meshes of their own; 0: one that is not scored. */
enum { CELLS = 9 };
static const int cell_mesh[CELLS] = {997, 1, 8, 0, 60, 7, 2, 300, 64};

/* Scored alone, with samples to check the figures by. */
static void score_alone(const sal_setup *setup, const sal_score score[], sal_record out[])
{
  for (int i = 0; i < CELLS; ++i) {
    sal_samples samples = {.n_mesh = score[i].n_mesh, .state = state};
    const sal_job job = {.param = set_param[i],
                         .initial = set_initial,
                         .score = cell_mesh[i] ? &score[i] : NULL,
                         .samples = cell_mesh[i] ? &samples : NULL};
    run_batch(setup, 1, 1, &job, &out[i]);
    if (!cell_mesh[i]) continue;
    const figures right = directly(&score[i], setup->t_end);
    CU_ASSERT_EQUAL(out[i].value[SAL_METRIC_IAE], right.integral);
    CU_ASSERT_EQUAL(out[i].value[SAL_METRIC_MAX_ERROR], right.largest);
    CU_ASSERT(right.integral > 1e-3 && right.largest > 1e-4);
  }
}

static bool same_record(const sal_record *a, const sal_record *b)
{
  bool all = true;

  for (int m = 0; m < SAL_N_METRIC; ++m)
    all &= a->value[m] == b->value[m] || (isnan(a->value[m]) && isnan(b->value[m]));
  return all;
}

/* In one batch; `sampled`: with one cell whose samples need all states' dense output, not only the
 * watched one's. */
static void score_together(const sal_setup *setup, int width, bool sampled, const sal_score score[],
                           const sal_record alone[])
{
  sal_samples samples = {.n_mesh = 50, .state = state};
  sal_job job[CELLS];
  sal_record out[CELLS];

  for (int i = 0; i < CELLS; ++i)
    job[i] = (sal_job){.param = set_param[i],
                       .initial = set_initial,
                       .score = cell_mesh[i] ? &score[i] : NULL,
                       .samples = sampled && !cell_mesh[i] ? &samples : NULL};
  run_batch(setup, width, CELLS, job, out);
  for (int i = 0; i < CELLS; ++i) {
    CU_ASSERT(same_record(&out[i], &alone[i]) || (sampled && !cell_mesh[i]));
    CU_ASSERT_EQUAL(isnan(out[i].value[SAL_METRIC_IAE]) != 0, cell_mesh[i] == 0);
  }
  CU_ASSERT(!sampled || (!isnan(state[50 * SET_STATES]) && isnan(state[51 * SET_STATES])));
}

static void lanes_have_meshes_of_their_own(void)
{
  static const char *const methods[] = {"ode45", "dop853", "ode23s", "ode23"};
  sal_score score[CELLS];
  sal_record alone[CELLS];

  for (int i = 0; i < CELLS; ++i) score[i] = (sal_score){reference, cell_mesh[i], 0.3, 0.05};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
    const sal_setup setup = config("monopod", methods[m], "event", 1e-5, span);
    score_alone(&setup, score, alone);
    for (int width = 1; width <= sal_integrate_widest(); width += width == 1 ? 3 : width)
      for (int sampled = 0; sampled < 2; ++sampled) {
        for (int i = 0; i < (MESH + 1) * SET_STATES; ++i) state[i] = NAN;
        score_together(&setup, width, sampled, score, alone);
      }
  }
}

/* The time of the last mesh point may round beyond the end of the run; it is not lost. */
static void the_last_point_counts_however_it_rounds(void)
{
  int seen = 0;

  for (int n_mesh = 3; n_mesh < 50; n_mesh += 2)
    for (double end = 1; end < 1.1; end += 0x1p-10) {
      const volatile double product = end * 1.1 * n_mesh;
      if (!(product / n_mesh > end * 1.1) || seen >= 8) continue;
      const sal_score score = {reference, n_mesh, 1e-9, 0};
      const sal_setup setup = config("monopod", "ode45", "event", 1e-5, end * 1.1);
      const sal_record out = score_run(&setup, 1, &score);
      const figures right = directly(&score, end * 1.1);
      CU_ASSERT(!isnan(state[n_mesh * SET_STATES]));
      CU_ASSERT_EQUAL(out.value[SAL_METRIC_IAE], right.integral);
      ++seen;
    }
  CU_ASSERT_EQUAL(seen, 8);
}

/* A run that a contact ends is scored with its last state up to the end of the mesh. */
static void an_ended_run_is_held_to_the_end(void)
{
  const sal_score score = {reference, MESH, 0.3, 0.05};
  sal_setup setup = config("monopod", "ode45", "event", 1e-5, span);

  setup.stop = (sal_stop){.contact = 0, .closes = true, .count = 2};
  for (int width = 1; width <= sal_integrate_widest(); width += width == 1 ? 3 : width) {
    const sal_record out = score_run(&setup, width, &score);
    const figures right = directly(&score, span);
    const double t = out.value[SAL_METRIC_T_REACHED];
    const int last = (int)(t / span * MESH) + 1;
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_ENDED);
    CU_ASSERT(t > 1 && last < MESH - 10);
    for (int j = last; j <= MESH; ++j)
      CU_ASSERT_EQUAL(state[j * SET_STATES], state[MESH * SET_STATES]);
    CU_ASSERT(state[(last - 5) * SET_STATES] != state[MESH * SET_STATES]);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_IAE], right.integral);
    CU_ASSERT_EQUAL(out.value[SAL_METRIC_MAX_ERROR], right.largest);
    sal_record bare;
    const sal_job job = {.param = set_param[4], .initial = set_initial, .score = &score};
    run_batch(&setup, width, 1, &job, &bare);
    CU_ASSERT(same_record(&out, &bare));
  }
}

SAL_TEST_MAIN("observer", make_reference,
              {"the figures are those of the samples", the_figures_are_those_of_the_samples},
              {"the size of the mesh does not matter", the_size_of_the_mesh_does_not_matter},
              {"the threshold and the floor are those of equation (32)",
               the_threshold_and_the_floor_are_those_of_equation_32},
              {"lanes have meshes of their own", lanes_have_meshes_of_their_own},
              {"the last point counts however it rounds", the_last_point_counts_however_it_rounds},
              {"an ended run is held to the end", an_ended_run_is_held_to_the_end},
              {"a failed run has no integral", a_failed_run_has_no_integral},
              {"samples may stop before the end", samples_may_stop_before_the_end})
