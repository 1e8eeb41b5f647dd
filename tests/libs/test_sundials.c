/** SUNDIALS' integrators have the records that our methods have: errors that fall with the tolerance,
 *  the events of the reference, counts that add up, and failures that are outcomes.
 */
#include "memory.h"
#include "sal_test.h"
#include "scored_run.h"
#include "sundials_run.h"
#include <string.h>

enum { MOST_METHODS = 16 };

static sal_setup setup_of(const sal_method *method, const char *model, const char *strategy,
                          double tol, double t_end)
{
  sal_setup setup = config(model, "dop853", strategy, tol, t_end);
  setup.method = method;
  setup.work = (sal_work_weights){.rhs = 1};
  return setup;
}

static sal_record run_scored(const sal_setup *setup, double most_work)
{
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  const sal_score score = {.reference = reference, .n_mesh = MESH, .epsilon = 0.01, .floor = 0.05};
  const sal_job job = {.param = param, .initial = initial, .score = &score, .most_work = most_work};
  sal_record out;

  presets(setup->model, param, initial);
  run_batch(setup, 1, 1, &job, &out);
  return out;
}

/* ---- accuracy --------------------------------------------------------------------------------- */

/* 1e4 in the tolerance is at least 200 in the error, and the error is of the tolerance's size. */
static void errors_fall_with_the_tolerance(void)
{
  make_reference("decay", "switch", 10);
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_method *m = sal_sundials_methods[i];
    const sal_setup coarse = setup_of(m, "decay", "switch", 1e-5, 10);
    const sal_setup fine = setup_of(m, "decay", "switch", 1e-9, 10);
    const sal_record c = run_scored(&coarse, 0), f = run_scored(&fine, 0);
    const double at_c = c.value[SAL_METRIC_MAX_ERROR], at_f = f.value[SAL_METRIC_MAX_ERROR];
    CU_ASSERT_EQUAL(outcome(&c), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(outcome(&f), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(f.value[SAL_METRIC_T_REACHED], 10);
    CU_ASSERT_TRUE(at_c > 1e-8 && at_c < 1e-3);
    CU_ASSERT_TRUE(at_f > 1e-12 && at_f < 1e-6);
    CU_ASSERT_TRUE(at_c > 200 * at_f);
    CU_ASSERT_TRUE(f.value[SAL_METRIC_STEPS] > c.value[SAL_METRIC_STEPS]);
    CU_ASSERT_TRUE(f.value[SAL_METRIC_IAE] > 0 && f.value[SAL_METRIC_IAE] < 10 * at_f);
    CU_ASSERT_TRUE(isnan(f.value[SAL_METRIC_EVENTS]));
  }
}

/* Halving fixed steps of 0.1 divides the error at the end by 2^order. */
static void fixed_steps_have_the_order(void)
{
  int n = 0;

  make_reference("decay", "switch", 2);
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_method *m = sal_sundials_methods[i];
    if (m->min_order < m->order) continue;
    sal_setup setup = setup_of(m, "decay", "switch", 1e-13, 2);
    setup.fixed_step = 0.1;
    const sal_record whole = run_scored(&setup, 0);
    setup.fixed_step = 0.05;
    const sal_record half = run_scored(&setup, 0);
    const double ratio = whole.value[SAL_METRIC_END_ERROR] / half.value[SAL_METRIC_END_ERROR];
    CU_ASSERT_EQUAL(outcome(&half), SAL_OUT_DONE);
    CU_ASSERT_TRUE(fabs(whole.value[SAL_METRIC_STEPS] - 20) <= 1);
    CU_ASSERT_TRUE(ratio > exp2(m->order - 0.3) && ratio < exp2(m->order + 0.5));
    n += 1;
  }
  CU_ASSERT_TRUE(n >= 4);
}

/* ---- events ----------------------------------------------------------------------------------- */

/* The plate's contacts stand in a row; those of vibro-impact are two walls. */
static void events_are_those_of_the_reference(void)
{
  static const struct {
    const char *model;
    double t_end, tol, least, most; /* bounds of the error on the mesh */
  } runs[] = {{"monopod", 30, 1e-8, 1e-10, 5e-3},
              {"bouncing-ball", 3, 1e-8, 1e-16, 1e-4},
              {"vibro-impact", 20, 1e-8, 1e-10, 1e-3},
              {"plate", 2, 1e-8, 1e-11, 1e-4}};

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_record truth = make_reference(runs[i].model, "event", runs[i].t_end);
    CU_ASSERT_EQUAL(outcome(&truth), SAL_OUT_DONE);
    CU_ASSERT_TRUE(n_event(&truth) > 3);
    for (int k = 0; sal_sundials_methods[k]; ++k) {
      const sal_setup setup =
          setup_of(sal_sundials_methods[k], runs[i].model, "event", runs[i].tol, runs[i].t_end);
      const sal_record r = run_scored(&setup, 0);
      const double error = r.value[SAL_METRIC_MAX_ERROR];
      CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
      CU_ASSERT_EQUAL(n_event(&r), n_event(&truth));
      CU_ASSERT_EQUAL(r.value[SAL_METRIC_REASON], SAL_LIBRARY_NONE);
      CU_ASSERT_TRUE(error > runs[i].least && error < runs[i].most);
      CU_ASSERT_TRUE(r.value[SAL_METRIC_GAPS] >= r.value[SAL_METRIC_STEPS]);
      if (n_event(&r) != n_event(&truth) || !(error > runs[i].least && error < runs[i].most))
        printf("\n%s by %s: %d events, not %d; error %.1e", runs[i].model, setup.method->name,
               n_event(&r), n_event(&truth), error);
    }
  }
}

/* A ball that comes to rest after infinitely many impacts in a finite time. */
static void endless_impacts_end(void)
{
  make_reference("bouncing-ball", "event", 20);
  for (int k = 0; sal_sundials_methods[k]; ++k) {
    sal_setup setup = setup_of(sal_sundials_methods[k], "bouncing-ball", "event", 1e-6, 20);
    setup.max_attempts = 100000;
    const sal_record r = run_scored(&setup, 0);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
    CU_ASSERT_TRUE(n_event(&r) > 25 && n_event(&r) < 200);
    CU_ASSERT_TRUE(r.value[SAL_METRIC_STEPS] < 20000);
    CU_ASSERT_TRUE(r.value[SAL_METRIC_MAX_ERROR] > 0 && r.value[SAL_METRIC_MAX_ERROR] < 1e-2);
  }
}

/* A hopper on stiff ground at a loose tolerance: BDF's first step after a lift-off, of order 1, jumps
 * the flight, and millions of events would follow.  Others go through. */
static void chatter_ends(void)
{
  static const double hopper[] = {1951, 1.88, 240.5, 0.051};
  static const char *name[] = {"b", "m1", "k", "f"};

  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_setup setup = setup_of(sal_sundials_methods[i], "monopod", "event", 1e-3, 50);
    const bool bdf = strcmp(setup.method->name, "sundials-cvode-bdf") == 0;
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE] = {0.5, 0, 1.5, 0};
    presets(setup.model, param, (double[SAL_MAX_STATE]){0});
    for (int j = 0; j < setup.model->n_param; ++j)
      for (int k = 0; k < 4; ++k)
        if (strcmp(setup.model->param[j].name, name[k]) == 0) param[j] = hopper[k];
    const sal_record r = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_TRUE(r.value[SAL_METRIC_STEPS] < 20000);
    CU_ASSERT_TRUE(n_event(&r) > 20 && n_event(&r) < 10000);
    if (bdf) CU_ASSERT_EQUAL(r.value[SAL_METRIC_REASON], SAL_LIBRARY_ROOT_CHATTER);
    if (!setup.method->implicit) CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  }
}

/* ---- counts ----------------------------------------------------------------------------------- */

static const sal_method *named(const char *name)
{
  for (int i = 0; sal_sundials_methods[i]; ++i)
    if (strcmp(sal_sundials_methods[i]->name, name) == 0) return sal_sundials_methods[i];
  return NULL;
}

/* Beyond what a start takes, f is evaluated once a stage or once an iteration. */
static void counts_add_up(void)
{
  static const struct {
    const char *name;
    int stages; /* a step, the first same as last; 0: one for each solve */
  } rows[] = {{"sundials-erk-bs32", 3},
              {"sundials-erk-dp5", 6},
              {"sundials-erk-verner6", 8},
              {"sundials-cvode-bdf", 0},
              {"sundials-cvode-adams-newton", 0}};
  enum { START = 8 };

  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    sal_setup setup = setup_of(named(rows[i].name), "decay", "switch", 1e-7, 10);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    presets(setup.model, param, initial);
    setup.jacobian = SAL_JACOBIAN_ANALYTIC;
    const sal_record r = run_one(&setup, param, initial, NULL, NULL);
    const double *v = r.value, attempts = v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED];
    const double more =
        v[SAL_METRIC_RHS] - (rows[i].stages ? rows[i].stages * attempts : v[SAL_METRIC_SOLVES]);
    CU_ASSERT_TRUE(attempts > 20);
    CU_ASSERT_TRUE(more >= 0 && more <= START);
    CU_ASSERT_EQUAL(v[SAL_METRIC_JACOBIANS] > 0, setup.method->implicit);
    CU_ASSERT_EQUAL(v[SAL_METRIC_SOLVES] >= v[SAL_METRIC_STEPS], setup.method->implicit);
    CU_ASSERT_EQUAL(v[SAL_METRIC_FACTORISATIONS] >= v[SAL_METRIC_JACOBIANS],
                    setup.method->implicit || v[SAL_METRIC_JACOBIANS] == 0);
  }
}

/* With another matrix than the Jacobian Newton's iteration takes several times the steps.  By
 * differences it costs f at the point, and once for each state. */
static void jacobians_serve_the_iteration(void)
{
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    sal_setup setup = setup_of(sal_sundials_methods[i], "monopod", "event", 1e-6, 15);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    if (!setup.method->implicit) continue;
    presets(setup.model, param, initial);
    setup.jacobian = SAL_JACOBIAN_ANALYTIC;
    const sal_record a = run_one(&setup, param, initial, NULL, NULL);
    setup.jacobian = SAL_JACOBIAN_DIFFERENCES;
    const sal_record d = run_one(&setup, param, initial, NULL, NULL);
    const double f = d.value[SAL_METRIC_RHS] - a.value[SAL_METRIC_RHS];
    CU_ASSERT_TRUE(a.value[SAL_METRIC_STEPS] > 100 && a.value[SAL_METRIC_STEPS] < 1000);
    CU_ASSERT_TRUE(a.value[SAL_METRIC_FAILED] < 0.1 * a.value[SAL_METRIC_STEPS]);
    CU_ASSERT_TRUE(a.value[SAL_METRIC_JACOBIANS] > 0);
    CU_ASSERT_TRUE(fabs(d.value[SAL_METRIC_STEPS] / a.value[SAL_METRIC_STEPS] - 1) < 0.05);
    if (d.value[SAL_METRIC_SOLVES] == a.value[SAL_METRIC_SOLVES])
      CU_ASSERT_EQUAL(f, (setup.model->n_state + 1) * a.value[SAL_METRIC_JACOBIANS]);
  }
}

/* A mesh is ours: each step with a point of it costs what one value of the interpolant costs. */
static void mesh_costs_dense_output(void)
{
  make_reference("decay", "switch", 10);
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_setup setup = setup_of(sal_sundials_methods[i], "decay", "switch", 1e-6, 10);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    presets(setup.model, param, initial);
    const sal_record alone = run_one(&setup, param, initial, NULL, NULL),
                     scored = run_scored(&setup, 0);
    const double more = scored.value[SAL_METRIC_RHS] - alone.value[SAL_METRIC_RHS];
    CU_ASSERT_EQUAL(scored.value[SAL_METRIC_STEPS], alone.value[SAL_METRIC_STEPS]);
    CU_ASSERT_TRUE(more <= setup.method->dense_rhs * scored.value[SAL_METRIC_STEPS]);
    CU_ASSERT_EQUAL(more > 0, setup.method->dense_rhs > 0);
  }
}

/* ---- threads ---------------------------------------------------------------------------------- */

enum { JOBS = 4 };

static void make_jobs(const sal_model *m, double param[][SAL_MAX_PARAM + SAL_MAX_OPTION],
                      double initial[][SAL_MAX_STATE], sal_job job[])
{
  for (int j = 0; j < JOBS; ++j) {
    presets(m, param[j], initial[j]);
    initial[j][0] += 0.1 * j;
    job[j] = (sal_job){.param = param[j], .initial = initial[j]};
  }
}

static bool same(const sal_record *a, const sal_record *b)
{
  bool all = true;

  for (int i = 0; i < SAL_N_METRIC; ++i)
    all = all && (a->value[i] == b->value[i] || (isnan(a->value[i]) && isnan(b->value[i])));
  return all;
}

/* Two threads at once, one after the other, and each run by itself. */
static void bits_depend_on_nothing_else(void)
{
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_setup setup = setup_of(sal_sundials_methods[i], "monopod", "event", 1e-5, 15);
    static double param[JOBS][SAL_MAX_PARAM + SAL_MAX_OPTION], initial[JOBS][SAL_MAX_STATE];
    double end[3][JOBS][SAL_MAX_STATE] = {0};
    sal_job job[3][JOBS];
    sal_record out[3][JOBS];
    for (int b = 0; b < 3; ++b) {
      make_jobs(setup.model, param, initial, job[b]);
      for (int j = 0; j < JOBS; ++j) job[b][j].end = end[b][j];
    }
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int b = 0; b < 2; ++b) run_batch(&setup, 1, JOBS, job[b], out[b]);
    for (int j = JOBS - 1; j >= 0; --j) run_batch(&setup, 1, 1, &job[2][j], &out[2][j]);
    for (int j = 0; j < JOBS; ++j) {
      CU_ASSERT_EQUAL(outcome(&out[0][j]), SAL_OUT_DONE);
      CU_ASSERT_TRUE(same(&out[0][j], &out[1][j]) && same(&out[0][j], &out[2][j]));
      CU_ASSERT_EQUAL(memcmp(end[0][j], end[1][j], sizeof end[0][j]), 0);
      CU_ASSERT_EQUAL(memcmp(end[0][j], end[2][j], sizeof end[0][j]), 0);
      CU_ASSERT_TRUE(j == 0 || memcmp(end[0][j], end[0][j - 1], sizeof end[0][j]) != 0);
    }
  }
}

/* ---- failures --------------------------------------------------------------------------------- */

static void failures_are_outcomes(void)
{
  make_reference("decay", "switch", 10);
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const bool cvode = strstr(sal_sundials_methods[i]->name, "cvode") != NULL;
    sal_setup setup = setup_of(sal_sundials_methods[i], "decay", "switch", 1e-17, 10);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];

    const sal_record exact = run_scored(&setup, 0);
    CU_ASSERT_EQUAL(outcome(&exact), SAL_OUT_LIBRARY);
    CU_ASSERT_EQUAL(exact.value[SAL_METRIC_REASON],
                    cvode ? SAL_LIBRARY_CV_TOO_MUCH_ACC : SAL_LIBRARY_ARK_TOO_MUCH_ACC);

    setup = setup_of(sal_sundials_methods[i], "decay", "switch", 1e-6, 10);
    const sal_record all = run_scored(&setup, 0);
    const double work = all.value[SAL_METRIC_RHS];
    const sal_record capped = run_scored(&setup, 0.5 * work);
    CU_ASSERT_EQUAL(outcome(&all), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(outcome(&capped), SAL_OUT_OVER_CUTOFF);
    CU_ASSERT_TRUE(capped.value[SAL_METRIC_RHS] < 0.5 * work + 60);

    setup.max_attempts = 10;
    const sal_record many = run_scored(&setup, 0);
    CU_ASSERT_EQUAL(outcome(&many), SAL_OUT_STEP_CAP);

    presets(setup.model, param, initial);
    param[0] = INFINITY; /* the rate of decay */
    const sal_record bad = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_EQUAL(outcome(&bad), SAL_OUT_NOT_FINITE);
    CU_ASSERT_EQUAL(bad.value[SAL_METRIC_REASON], SAL_LIBRARY_NONE);

    presets(setup.model, param, initial);
    setup.max_attempts = 0;
    setup.fixed_step = 0.1;
    const sal_record fixed = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_EQUAL(outcome(&fixed), cvode ? SAL_OUT_LIBRARY : SAL_OUT_DONE);
    CU_ASSERT_EQUAL(fixed.value[SAL_METRIC_REASON],
                    cvode ? SAL_LIBRARY_CV_NO_FIXED_STEPS : SAL_LIBRARY_NONE);
  }
}

/* Steps are no longer than asked for; the highest order is the one asked for. */
static void settings_are_heeded(void)
{
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    sal_setup setup = setup_of(sal_sundials_methods[i], "decay", "switch", 1e-6, 10);
    double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
    presets(setup.model, param, initial);
    const sal_record any = run_one(&setup, param, initial, NULL, NULL);
    setup.max_step = 0.01;
    const sal_record small = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_TRUE(any.value[SAL_METRIC_STEPS] < 900 && small.value[SAL_METRIC_STEPS] >= 1000);
    setup.max_step = 0;
    setup.max_order = 2;
    const sal_record low = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_EQUAL(low.value[SAL_METRIC_STEPS] > 1.5 * any.value[SAL_METRIC_STEPS],
                    setup.method->min_order < setup.method->order);
  }
}

static void methods_describe_themselves(void)
{
  for (int i = 0; sal_sundials_methods[i]; ++i) {
    const sal_method *m = sal_sundials_methods[i];
    const sal_engine *e = m->engine;
    CU_ASSERT_EQUAL(strncmp(m->name, "sundials-", 9), 0);
    CU_ASSERT_STRING_EQUAL(e->library, sal_sundials_provider.name);
    CU_ASSERT_EQUAL(e->version()[0], '6');
    CU_ASSERT_FALSE(e->one_thread);
    CU_ASSERT_PTR_NOT_NULL(strstr(e->select, "TOL, TOL"));
    CU_ASSERT_EQUAL(e->select[strlen(e->select) - 1], '\n');
  }
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

SAL_TEST_MAIN("sundials", NULL, {"methods describe themselves", methods_describe_themselves},
              {"errors fall with the tolerance", errors_fall_with_the_tolerance},
              {"fixed steps have the order", fixed_steps_have_the_order},
              {"events are those of the reference", events_are_those_of_the_reference},
              {"endless impacts end", endless_impacts_end}, {"chatter ends", chatter_ends},
              {"counts add up", counts_add_up},
              {"Jacobians serve the iteration", jacobians_serve_the_iteration},
              {"a mesh costs dense output", mesh_costs_dense_output},
              {"bits depend on nothing else", bits_depend_on_nothing_else},
              {"failures are outcomes", failures_are_outcomes},
              {"settings are heeded", settings_are_heeded},
              {"memory comes back", memory_comes_back})
