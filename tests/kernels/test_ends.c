/** Every run ends: at a flag of its owner, wherever it is, and over its budget. */
#include "event_log.h"
#include "sal_test.h"
#include "scored_run.h"
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { JOBS = 21 };

static const double ball[] = {1, 10, 0.2}, fall[] = {1, 0};
static double param[JOBS][3];

/* Jobs that all differ. */
static void make_jobs(double budget, sal_job job[])
{
  for (int i = 0; i < JOBS; ++i) {
    memcpy(param[i], ball, sizeof ball);
    param[i][1] += 0.1 * i;
    job[i] = (sal_job){.param = param[i], .initial = fall, .budget = budget};
  }
}

static double work_of(const sal_record *r) { return r->value[SAL_METRIC_RHS]; }

/* ---- the flag ------------------------------------------------------------------------------- */

static void a_flag_that_is_not_raised_changes_no_bit(void)
{
  const atomic_int halt = 0;
  sal_setup setup = config("linear-ground", "ode45", "event", 1e-8, 12);
  sal_record without[JOBS], with[JOBS];
  sal_job job[JOBS];

  make_jobs(0, job);
  run_batch(&setup, 4, JOBS, job, without);
  setup.halt = &halt;
  run_batch(&setup, 4, JOBS, job, with);
  CU_ASSERT(memcmp(without, with, sizeof with) == 0);
  CU_ASSERT_EQUAL(outcome(&with[JOBS - 1]), SAL_OUT_DONE);
}

static void one_that_is_raised_lets_nothing_begin(void)
{
  const atomic_int halt = 1;
  sal_record out[JOBS];
  sal_job job[JOBS];

  make_jobs(0, job);
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int width = 1; width <= sal_integrate_widest(); width *= width < 4 ? 4 : 2) {
      sal_setup setup = config("linear-ground", sal_registry_methods[m]->name, "event", 1e-6, 12);
      setup.halt = &halt;
      run_batch(&setup, width, JOBS, job, out);
      for (int i = 0; i < JOBS; ++i) {
        CU_ASSERT_EQUAL(outcome(&out[i]), SAL_OUT_HALTED);
        CU_ASSERT(out[i].value[SAL_METRIC_STEPS] == 0 && out[i].value[SAL_METRIC_T_REACHED] == 0);
      }
    }
}

static void *raise_later(void *halt)
{
  usleep(30000);
  atomic_store((atomic_int *)halt, 1);
  return NULL;
}

/* Runs of hours, in all lanes and after them. */
static void one_that_is_raised_later_ends_all(void)
{
  sal_record out[JOBS];
  sal_job job[JOBS];

  make_jobs(0, job);
  for (int width = 1; width <= sal_integrate_widest(); width *= width < 4 ? 4 : 2) {
    sal_setup setup = config("linear-ground", "ode45", "event", 1e-8, 1e12);
    atomic_int halt = 0;
    pthread_t other;
    setup.halt = &halt;
    setup.max_step = 1e-3;
    setup.max_attempts = INT64_MAX / 2;
    CU_ASSERT_FATAL(pthread_create(&other, NULL, raise_later, &halt) == 0);
    run_batch(&setup, width, JOBS, job, out);
    pthread_join(other, NULL);
    for (int i = 0; i < JOBS; ++i) {
      CU_ASSERT_EQUAL(outcome(&out[i]), SAL_OUT_HALTED);
      const bool began = out[i].value[SAL_METRIC_STEPS] > 0;
      CU_ASSERT(i < width ? began : i < 2 * width || !began); /* one block of lanes, or two */
    }
  }
}

/* ---- the budget ----------------------------------------------------------------------------- */

/* A run over its budget has ended soon after it, one within it is as without. */
static void check_budget(const char *method, const char *strategy)
{
  sal_setup setup = config("linear-ground", method, strategy, 1e-6, 60);
  sal_record whole[JOBS], cut[JOBS], wide[JOBS];
  sal_job job[JOBS];

  if (!is_frugal(setup.method)) setup.rtol = setup.atol = 1e-3;
  setup.work = (sal_work_weights){.rhs = 1};
  make_jobs(0, job);
  run_batch(&setup, 1, JOBS, job, whole);
  const double budget = 0.5 * (work_of(&whole[JOBS / 3]) + work_of(&whole[2 * JOBS / 3]));
  make_jobs(budget, job);
  run_batch(&setup, 1, JOBS, job, cut);
  for (int i = 0; i < JOBS; ++i) {
    if (work_of(&whole[i]) <= budget) {
      CU_ASSERT(memcmp(&whole[i], &cut[i], sizeof cut[i]) == 0);
      continue;
    }
    /* an attempt, a root, a restart may come after the last look */
    const bool cut_off = outcome(&cut[i]) == SAL_OUT_OVER_BUDGET;
    CU_ASSERT(cut_off || work_of(&whole[i]) < budget + 300);
    if (!cut_off) continue;
    CU_ASSERT(work_of(&cut[i]) > budget && work_of(&cut[i]) < 1.05 * budget + 300);
    CU_ASSERT(cut[i].value[SAL_METRIC_T_REACHED] < setup.t_end);
  }
  run_batch(&setup, sal_integrate_widest(), JOBS, job, wide);
  CU_ASSERT(memcmp(cut, wide, sizeof wide) == 0);
}

static void a_budget_ends_who_exceeds_it(void)
{
  check_budget("ode45", "event");
  check_budget("ode23", "switch");
  check_budget("ode15s", "event");
  check_budget("radau5", "event");
  check_budget("ode113", "switch");
}

static void a_mean_one_ends_all(void)
{
  sal_setup setup = config("linear-ground", "ode45", "event", 1e-8, 60);
  sal_record out[JOBS];
  sal_job job[JOBS];

  setup.work = (sal_work_weights){.rhs = 1};
  make_jobs(200, job);
  run_batch(&setup, sal_integrate_widest(), JOBS, job, out);
  for (int i = 0; i < JOBS; ++i) {
    CU_ASSERT_EQUAL(outcome(&out[i]), SAL_OUT_OVER_BUDGET);
    CU_ASSERT(work_of(&out[i]) > 200 && work_of(&out[i]) < 260);
  }
}

/* The lower one of a cutoff and a budget is met first. */
static void a_cap_below_it_goes_first(void)
{
  const sal_setup plain = config("linear-ground", "ode45", "event", 1e-8, 60);
  sal_setup setup = plain;

  setup.work = (sal_work_weights){.rhs = 1};
  for (int below = 0; below < 2; ++below) {
    const sal_job job = {
        .param = ball, .initial = fall, .most_work = below ? 300 : 600, .budget = 450};
    sal_record out;
    run_batch(&setup, 1, 1, &job, &out);
    CU_ASSERT_EQUAL(outcome(&out), below ? SAL_OUT_OVER_CUTOFF : SAL_OUT_OVER_BUDGET);
  }
}

/* A pair that goes on by itself, each of whose steps is scored at the cost of its dense output, is met by its cutoff in
 * the attempt that exceeds it. */
static void a_cap_is_exceeded_by_one_attempt_at_most(void)
{
  enum { CAPS = 40, FINE = 40000, ATTEMPT = 12 + 3 };
  static double zero[FINE + 1];
  sal_setup setup = config("monopod", "dop853", "switch", 1e-11, 40);
  const sal_score score = {.reference = zero, .n_mesh = FINE, .epsilon = 1, .floor = 1};
  double own[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  sal_record out[CAPS];
  sal_job job[CAPS];

  presets(setup.model, own, initial);
  setup.work = (sal_work_weights){.rhs = 1};
  for (int i = 0; i < CAPS; ++i)
    job[i] =
        (sal_job){.param = own, .initial = initial, .score = &score, .most_work = 1500 + 37 * i};
  for (int width = 1; width <= 4; width += 3) {
    run_batch(&setup, width, CAPS, job, out);
    for (int i = 0; i < CAPS; ++i) {
      CU_ASSERT_EQUAL(outcome(&out[i]), SAL_OUT_OVER_CUTOFF);
      CU_ASSERT(work_of(&out[i]) > job[i].most_work);
      CU_ASSERT(work_of(&out[i]) <= job[i].most_work + ATTEMPT);
    }
  }
}

SAL_TEST_MAIN("ends", NULL,
              {"a flag that is not raised changes no bit",
               a_flag_that_is_not_raised_changes_no_bit},
              {"one that is raised lets nothing begin", one_that_is_raised_lets_nothing_begin},
              {"one that is raised later ends all", one_that_is_raised_later_ends_all},
              {"a budget ends who exceeds it", a_budget_ends_who_exceeds_it},
              {"a mean one ends all", a_mean_one_ends_all},
              {"a cutoff below it goes first", a_cap_below_it_goes_first},
              {"a cutoff is exceeded by one attempt at most",
               a_cap_is_exceeded_by_one_attempt_at_most})
