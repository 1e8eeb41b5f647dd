/** PETSc's TS as engines: orders, events, options, counts, failures. */
#include "memory.h"
#include "petsc_methods.h"
#include "petsc_start.h"
#include "sal_test.h"
#include "scored_run.h"
#include <string.h>

static const sal_method *named(const char *name)
{
  for (int i = 0; sal_petsc_methods[i]; ++i)
    if (strcmp(sal_petsc_methods[i]->name, name) == 0) return sal_petsc_methods[i];
  CU_FAIL_FATAL("no such method");
  return NULL;
}

/** A run that is scored against `reference`. */
typedef struct {
  const char *model, *strategy;
  double tol, t_end, max_step, most_work;
} task;

static sal_record run_task(const task *k, const sal_method *method, double end[])
{
  sal_setup setup = config(k->model, "dop853", k->strategy, k->tol, k->t_end);
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], initial[SAL_MAX_STATE];
  const sal_score score = {.reference = reference, .n_mesh = MESH, .epsilon = 0.01, .floor = 0.05};
  sal_record out;

  presets(setup.model, param, initial);
  const sal_job job = {
      .param = param, .initial = initial, .score = &score, .end = end, .most_work = k->most_work};
  setup.method = method;
  setup.jacobian = SAL_JACOBIAN_ANALYTIC;
  setup.max_step = k->max_step;
  setup.work = (sal_work_weights){.rhs = 1};
  run_batch(&setup, 1, 1, &job, &out);
  return out;
}

/* ---- fixed steps: the order --------------------------------------------------------------------- */

/* y' = -y by N steps of the same size, made by an options string without adaptation. */
static double error_of(const sal_method *method, const char *choice, int n, double *between)
{
  char options[160];
  double end[SAL_MAX_STATE];
  sal_method *fixed = NULL;
  const task k = {.model = "decay", .strategy = "switch", .tol = 1e-6, .t_end = 1};

  (void)snprintf(options, sizeof options, "%s -ts_adapt_type none -ts_dt %.17g -snes_rtol 1e-12",
                 choice, 1.0 / n);
  if (!method->implicit) *strstr(options, " -snes") = '\0';
  CU_ASSERT_EQUAL_FATAL(sal_petsc_make("test", "fixed", options, &fixed), SAL_OK);
  CU_ASSERT_EQUAL(fixed->order, method->order);
  CU_ASSERT_EQUAL(fixed->implicit, method->implicit);
  const sal_record r = run_task(&k, fixed, end);
  sal_petsc_free(fixed);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
  CU_ASSERT_EQUAL(r.value[SAL_METRIC_STEPS], n);
  CU_ASSERT_TRUE(r.value[SAL_METRIC_RHS] < 15 * n);
  *between = r.value[SAL_METRIC_MAX_ERROR];
  return fabs(end[0] / exp(-1.0) - 1);
}

static void expect_order(const char *name, double one, double two, int order)
{
  const double seen = log2(one / two);

  CU_ASSERT_TRUE(two > 0);
  CU_ASSERT_TRUE(seen > order - 0.4);
  CU_ASSERT_TRUE(seen < order + 0.9);
  if (!(seen > order - 0.4 && seen < order + 0.9))
    fprintf(stderr, "%s: order %g (%g, %g), not %d\n", name, seen, one, two, order);
}

/* At the ends of steps and between them.  The options are those of the method's own selection. */
static void types_have_their_order(void)
{
  const task k = {.model = "decay", .strategy = "switch", .tol = 1e-6, .t_end = 1};

  make_reference(k.model, k.strategy, k.t_end);
  for (int i = 0; sal_petsc_methods[i]; ++i) {
    const sal_method *m = sal_petsc_methods[i];
    const char *select = strstr(m->engine->select, "-ts_type");
    const int dense = m->dense_order && m->dense_order < m->order ? m->dense_order : m->order;
    const int n = m->order > 5 ? 3 : 16;
    char choice[120];
    double coarse, fine;
    (void)snprintf(choice, sizeof choice, "%.*s", (int)(strstr(select, " -ts_rtol") - select),
                   select);
    char *adapt = strstr(choice, " -ts_adapt_type");
    if (adapt) *adapt = '\0';
    const double one = error_of(m, choice, n, &coarse), two = error_of(m, choice, 2 * n, &fine);
    expect_order(m->name, one, two, m->order);
    expect_order(m->name, coarse, fine, dense);
  }
}

/* ---- tolerances, records ------------------------------------------------------------------------ */

static void decay_is_as_accurate_as_asked(void)
{
  task k = {.model = "decay", .strategy = "switch", .tol = 1e-4, .t_end = 10};

  make_reference(k.model, k.strategy, k.t_end);
  for (int i = 0; sal_petsc_methods[i]; ++i) {
    const sal_method *m = sal_petsc_methods[i];
    k.tol = 1e-4;
    const sal_record loose = run_task(&k, m, NULL);
    k.tol = 1e-6;
    const sal_record strict = run_task(&k, m, NULL);
    const double *v = strict.value, error = v[SAL_METRIC_END_ERROR];
    CU_ASSERT_EQUAL(outcome(&strict), SAL_OUT_DONE);
    CU_ASSERT_EQUAL(v[SAL_METRIC_REASON], SAL_LIBRARY_NONE);
    CU_ASSERT_EQUAL(v[SAL_METRIC_T_REACHED], 10);
    CU_ASSERT_TRUE(isnan(v[SAL_METRIC_EVENTS]));
    CU_ASSERT_TRUE(error < 5e-6);
    CU_ASSERT_TRUE(error > 0);
    CU_ASSERT_TRUE(v[SAL_METRIC_STEPS] > loose.value[SAL_METRIC_STEPS]);
    CU_ASSERT_TRUE(v[SAL_METRIC_MAX_ERROR] < loose.value[SAL_METRIC_MAX_ERROR]);
    CU_ASSERT_EQUAL(v[SAL_METRIC_JACOBIANS] > 0, m->implicit);
    CU_ASSERT_EQUAL(v[SAL_METRIC_FACTORISATIONS] > 0, m->implicit);
    CU_ASSERT_TRUE(v[SAL_METRIC_SOLVES] >= v[SAL_METRIC_FACTORISATIONS]);
    CU_ASSERT_TRUE(v[SAL_METRIC_RHS] > v[SAL_METRIC_STEPS]);
  }
}

/* Dormand and Prince have 6 evaluations a step after the first one, whose size takes one as well; ra34pw2
 * has 4 solves with one factorisation. */
static void counts_are_exact(void)
{
  const task k = {.model = "decay", .strategy = "switch", .tol = 1e-6, .t_end = 10};

  make_reference(k.model, k.strategy, k.t_end);
  const sal_record dp = run_task(&k, named("petsc-rk5dp"), NULL);
  const double *v = dp.value;
  CU_ASSERT_EQUAL(v[SAL_METRIC_RHS], 6 * (v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED]) + 2);
  const sal_record rosw = run_task(&k, named("petsc-rosw-ra34pw2"), NULL);
  v = rosw.value;
  CU_ASSERT_EQUAL(v[SAL_METRIC_RHS], 4 * (v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED]) + 1);
  CU_ASSERT_EQUAL(v[SAL_METRIC_JACOBIANS], v[SAL_METRIC_STEPS] + v[SAL_METRIC_FAILED]);
  CU_ASSERT_EQUAL(v[SAL_METRIC_FACTORISATIONS], v[SAL_METRIC_JACOBIANS]);
  CU_ASSERT_EQUAL(v[SAL_METRIC_SOLVES], 4 * v[SAL_METRIC_JACOBIANS]);
}

/* Only dense output of the step's own order is as accurate inside as at the ends. */
static void dense_orders_are_the_librarys(void)
{
  const task k = {.model = "decay", .strategy = "switch", .tol = 1e-8, .t_end = 10};

  make_reference(k.model, k.strategy, k.t_end);
  for (int i = 0; sal_petsc_methods[i]; ++i) {
    const sal_method *m = sal_petsc_methods[i];
    const sal_record r = run_task(&k, m, NULL);
    const double ratio = r.value[SAL_METRIC_MAX_ERROR] / r.value[SAL_METRIC_END_ERROR];
    if (m->order > 2) CU_ASSERT_EQUAL(ratio > 300, m->dense_order == 2);
    if (m->order > 2 && (ratio > 300) != (m->dense_order == 2))
      fprintf(stderr, "%s: %g\n", m->name, ratio);
  }
}

/* ---- events ------------------------------------------------------------------------------------- */

static void events_are_met(void)
{
  static const struct {
    task task;
    const char *methods[5];
    double error;
  } runs[] = {{{"monopod", "event", 1e-6, 20, 0, 0}, {"petsc-rk5dp", "petsc-rosw-ra34pw2"}, 5e-5},
              {{"bouncing-ball", "event", 1e-6, 3, 0, 0},
               {"petsc-rk5dp", "petsc-rosw-ra34pw2", "petsc-arkimex-4", "petsc-bdf"},
               1e-5},
              /* the gap is steep: its zero lies between two times */
              {{"hopping-leg", "event", 1e-9, 2, 0, 0}, {"petsc-rk8vr"}, 2e-2},
              {{"vibro-impact", "event", 1e-6, 20, 0.2, 0},
               {"petsc-rk5dp", "petsc-rosw-ra34pw2", "petsc-arkimex-4"},
               1e-3}};

  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const task *k = &runs[i].task;
    const sal_record truth = make_reference(k->model, k->strategy, k->t_end);
    CU_ASSERT_TRUE(n_event(&truth) > 3);
    for (int j = 0; runs[i].methods[j]; ++j) {
      const sal_record r = run_task(k, named(runs[i].methods[j]), NULL);
      CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_DONE);
      CU_ASSERT_EQUAL(n_event(&r), n_event(&truth));
      CU_ASSERT_EQUAL(r.value[SAL_METRIC_RESTARTS], truth.value[SAL_METRIC_RESTARTS]);
      CU_ASSERT_TRUE(r.value[SAL_METRIC_MAX_ERROR] < runs[i].error);
      CU_ASSERT_TRUE(r.value[SAL_METRIC_MAX_ERROR] > 0);
      CU_ASSERT_TRUE(r.value[SAL_METRIC_FAILED] >= n_event(&truth)); /* steps rolled back */
      CU_ASSERT_TRUE(r.value[SAL_METRIC_GAPS] > r.value[SAL_METRIC_STEPS]);
      if (n_event(&r) != n_event(&truth) || !(r.value[SAL_METRIC_MAX_ERROR] < runs[i].error))
        fprintf(stderr, "%s %s: %d of %d, %g\n", k->model, runs[i].methods[j], n_event(&r),
                n_event(&truth), r.value[SAL_METRIC_MAX_ERROR]);
    }
  }
}

/* ---- options ------------------------------------------------------------------------------------ */

static void refuse(const char *options, const char *one, const char *two)
{
  sal_method *m = NULL;

  sal_err_clear();
  CU_ASSERT_EQUAL(sal_petsc_make("a.yaml:3", "mine", options, &m), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NULL(m);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "a.yaml:3: "));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), one));
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), two));
  sal_err_clear();
}

static void wrong_options_are_refused(void)
{
  refuse("-ts_type roswx", "'roswx'", "did you mean 'rosw'?");
  refuse("-ts_type rosw -ts_rosw_type sandu33", "'sandu33'", "did you mean 'sandu3'?");
  refuse("-ts_type rk -ts_rk_typ 5dp", "-ts_rk_typ", "did you mean '-ts_rk_type'?");
  refuse("-ts_type rk -foo 3", "-foo", "allowed: -ts_type, -ts_rk_type");
  refuse("-ts_type rk -ts_bdf_order 2 -ts_ssp_type rks2", "does not use", "-ts_bdf_order");
  refuse("-ts_type rk -ts_adapt_type best", "'best'", "allowed: none, basic");
  refuse("-ts_type irk -ts_irk_nstages 0", "-ts_irk_nstages: '0'", "from 1 to 12");
  refuse("-ts_type rk -ts_adapt_safety half", "'half'", "a number from 0.001 to 1");
  refuse("-ts_type rk -ts_adapt_safety 0.9x", "'0.9x'", "a number");
  refuse("-ts_type rk -ts_adapt_safety nan", "'nan'", "a number");
  refuse("-ts_type rk -ts_adapt_safety", "-ts_adapt_safety: ''", "a value");
  refuse("-ts_type rk -ts_adapt_clip 0.1,10,3", "'0.1,10,3'", "commas");
  refuse("-ts_type rk -ts_adapt_clip 0.1,", "'0.1,'", "commas");
  refuse("-ts_type bdf -ts_bdf_order 2.5", "'2.5'", "a whole number from 1 to 6");
  refuse("-ts_type rk -ts_adapt_always_accept maybe", "'maybe'", "true, false");
  refuse("bdf -ts_type bdf", "'bdf'", "-ts_type");
  refuse("-ts_type rk 5dp", "'5dp'", "-ts_type");
  refuse("-ts_type rk -ts_rtol 1e-3", "-ts_rtol", "rtol");
  refuse("-ts_type rk -ts_view", "-ts_view", "PETSC_OPTIONS");
  refuse("-ts_type discgrad", "discgrad", "energy");
  refuse("-ts_type euler", "euler", "-ts_dt");
  refuse("-ts_rk_type 5dp", "no -ts_type", "");
}

static void options_make_methods(void)
{
  const task k = {.model = "decay", .strategy = "switch", .tol = 1e-6, .t_end = 10};
  sal_method *m = NULL;
  const long before = sal_memory_live();

  make_reference(k.model, k.strategy, k.t_end);
  CU_ASSERT_EQUAL_FATAL(
      sal_petsc_make("a.yaml:3", "mine", "-ts_type rosw -ts_rosw_type ra34pw2", &m), SAL_OK);
  CU_ASSERT_STRING_EQUAL(m->name, "mine");
  CU_ASSERT_STRING_EQUAL(m->engine->type, "rosw ra34pw2");
  CU_ASSERT_PTR_NOT_NULL(strstr(m->engine->select, "-ts_rosw_type ra34pw2 -ts_rtol TOL"));
  const sal_record a = run_task(&k, m, NULL), b = run_task(&k, named("petsc-rosw-ra34pw2"), NULL);
  CU_ASSERT_EQUAL(memcmp(a.value, b.value, sizeof(double) * SAL_METRIC_SD), 0);
  sal_petsc_free(m);
  CU_ASSERT_EQUAL(sal_memory_live(), before);

  CU_ASSERT_EQUAL_FATAL(
      sal_petsc_make("a.yaml:3", "b4", "-ts_type bdf -ts_bdf_order 4 -ts_adapt_safety 0.8", &m),
      SAL_OK);
  CU_ASSERT_EQUAL(m->order, 4);
  const sal_record c = run_task(&k, m, NULL), d = run_task(&k, named("petsc-bdf"), NULL);
  CU_ASSERT_EQUAL(outcome(&c), SAL_OUT_DONE);
  CU_ASSERT_TRUE(c.value[SAL_METRIC_STEPS] < d.value[SAL_METRIC_STEPS]);
  sal_petsc_free(m);

  /* The same by other blanks, other capitals, a number with an exponent and a value that another one follows. */
  CU_ASSERT_EQUAL_FATAL(sal_petsc_make("a.yaml:3", "b4",
                                       "\t-ts_type\n BDF -ts_bdf_order 2 -ts_bdf_order 4 "
                                       "-ts_adapt_safety +8.0e-1  -ts_adapt_clip .1,10 ",
                                       &m),
                        SAL_OK);
  const sal_record e = run_task(&k, m, NULL);
  CU_ASSERT_EQUAL(memcmp(c.value, e.value, sizeof(double) * SAL_METRIC_SD), 0);
  sal_petsc_free(m);
}

/* ---- failures ----------------------------------------------------------------------------------- */

/* f of 1e308 at a rate of 1e9 is infinite. */
static void infinite_slopes_are_outcomes(void)
{
  sal_setup setup = config("decay", "dop853", "switch", 1e-6, 1);
  const double param[] = {1e9}, initial[] = {1e308};

  for (int i = 0; sal_petsc_methods[i]; ++i) {
    setup.method = sal_petsc_methods[i];
    const sal_record r = run_one(&setup, param, initial, NULL, NULL);
    CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_NOT_FINITE);
    CU_ASSERT_EQUAL(r.value[SAL_METRIC_T_REACHED], 0);
  }
}

static void failures_are_outcomes(void)
{
  task k = {.model = "monopod", .strategy = "event", .tol = 1e-6, .t_end = 20};
  sal_method *m = NULL;

  make_reference(k.model, k.strategy, k.t_end);
  const sal_record all = run_task(&k, named("petsc-rk5dp"), NULL);
  k.most_work = 0.5 * all.value[SAL_METRIC_RHS];
  const sal_record cut = run_task(&k, named("petsc-rk5dp"), NULL);
  CU_ASSERT_EQUAL(outcome(&cut), SAL_OUT_OVER_CUTOFF);
  CU_ASSERT_TRUE(cut.value[SAL_METRIC_RHS] > k.most_work);
  CU_ASSERT_TRUE(cut.value[SAL_METRIC_RHS] < k.most_work + 20);

  k.most_work = 0;
  CU_ASSERT_EQUAL_FATAL(sal_petsc_make("test", "m", "-ts_type rk -ts_max_reject 0", &m), SAL_OK);
  const sal_record rejected = run_task(&k, m, NULL);
  CU_ASSERT_EQUAL(outcome(&rejected), SAL_OUT_LIBRARY);
  CU_ASSERT_EQUAL(rejected.value[SAL_METRIC_REASON], SAL_LIBRARY_TS_REJECTED);
  CU_ASSERT_TRUE(rejected.value[SAL_METRIC_T_REACHED] > 0);
  sal_petsc_free(m);

  CU_ASSERT_EQUAL_FATAL(
      sal_petsc_make("test", "m", "-ts_type bdf -snes_max_it 1 -ts_max_snes_failures 1", &m),
      SAL_OK);
  const sal_record nonlinear = run_task(&k, m, NULL);
  CU_ASSERT_EQUAL(outcome(&nonlinear), SAL_OUT_LIBRARY);
  CU_ASSERT_EQUAL(nonlinear.value[SAL_METRIC_REASON], SAL_LIBRARY_TS_NONLINEAR);
  sal_petsc_free(m);
}

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  (void)argc, (void)argv;
  CU_TestInfo cases[] = {{"types have their order", types_have_their_order},
                         {"decay is as accurate as asked", decay_is_as_accurate_as_asked},
                         {"counts are exact", counts_are_exact},
                         {"dense orders are the library's", dense_orders_are_the_librarys},
                         {"events are met", events_are_met},
                         {"wrong options are refused", wrong_options_are_refused},
                         {"options make methods", options_make_methods},
                         {"failures are outcomes", failures_are_outcomes},
                         {"infinite slopes are outcomes", infinite_slopes_are_outcomes},
                         CU_TEST_INFO_NULL};
  const int failed = sal_test_run("petsc", NULL, cases, 1);
  int on = 0;

  sal_petsc_end();
  MPI_Initialized(&on);
  if (on) MPI_Finalize();
  return failed;
}
