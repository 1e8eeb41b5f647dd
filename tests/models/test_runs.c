/** Properties of every run of every model in the registry: the order of the method inside a mode,
 *  the same end with events as without where nothing is reset, and an invariant that drifts with the
 *  tolerance.  The same bits at every width: kernels/test_company.c.
 */
#include "flow_draw.h"
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

static void expect(bool fine, const sal_setup *u, const char *what, int line)
{
  if (!fine)
    printf("\n    %s, %s, %s: %s", u->model->name, u->strategy->name, u->method->name, what);
  CU_assertImplementation(fine, (unsigned)line, what, __FILE__, "", CU_FALSE);
}
#define EXPECT(fine, setup) expect(fine, setup, #fine, __LINE__)

static bool go_together(const sal_setup *u)
{
  return sal_strategy_drives(u->strategy, u->method) &&
         sal_strategy_meets_jumps(u->strategy, u->model) && sal_method_solves(u->method, u->model);
}

/* Presets; contacts that are counted by a parameter as few as tests have. */
static void preset(const sal_model *m, double param[], double initial[])
{
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_option; ++i) param[m->n_param + i] = 0;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
}

static double distance(const sal_model *m, const double a[], const double b[])
{
  double far = 0;

  for (int i = 0; i < sal_model_continuous(m); ++i)
    far = fmax(far, fabs(a[i] - b[i]) / (1 + fabs(b[i])));
  return far;
}

/* ---- random runs ---------------------------------------------------------------------------- */

enum { JOBS = 13 };

static double param[JOBS][SAL_MAX_P], initial[JOBS][SAL_MAX_STATE];
static int most_contacts;

/* Presets, points of the default ranges, and points far outside: some of them blow up beside their
 * neighbours. */
static void draw_jobs(const sal_model *m)
{
  flow_stream s = flow_draw_stream(m->name);

  preset(m, param[0], initial[0]);
  if (m->counted_by) param[0][m->counted_by - 1] = flow_draw_guards(m);
  most_contacts = flow_draw_guards(m);
  for (int i = 1; i < JOBS; ++i) {
    const double size = pow(10, flow_draw_uniform(&s, 1, 8));
    const double far = i % 3 ? 1 : flow_draw_uniform(&s, 0, 1) < 0.7 ? -size : size;
    const flow_point at = flow_draw_point(&s, m, flow_draw_guards(m));
    memcpy(param[i], at.param, sizeof param[i]);
    for (int k = 0; k < m->n_state; ++k)
      initial[i][k] = k < sal_model_continuous(m) ? far * at.y[k] : m->state[k].preset;
  }
}

/* ---- the order of every method inside a mode ------------------------------------------------ */

/* The end of n fixed steps from the preset through the first mode; false when it was left. */
static bool end_of_steps(sal_setup *u, int max_order, int n, const double y[], double end[])
{
  double p[SAL_MAX_P], start[SAL_MAX_STATE];
  sal_record out;
  const sal_job job = {.param = p, .initial = start, .end = end};

  preset(u->model, p, start);
  memcpy(start, y, sizeof start);
  u->fixed_step = n > 0 ? u->t_end / n : 0;
  u->max_step = u->t_end;
  u->max_order = max_order;
  run_batch(u, 1, 1, &job, &out);
  return outcome(&out) == SAL_OUT_DONE && n_event(&out) == 0;
}

/* How long a run stays in the mode it begins in, of the model's span. */
static double first_mode(const sal_model *m, const double y[])
{
  double p[SAL_MAX_P], start[SAL_MAX_STATE];
  sal_event event[1] = {0};
  sal_events log = {.event = event, .capacity = 1};
  const sal_setup u = {.model = m,
                       .method = sal_registry_method("dop853"),
                       .strategy = sal_registry_strategy("event"),
                       .rtol = 1e-8,
                       .atol = 1e-8,
                       .t_end = m->span,
                       .max_attempts = 20000};

  preset(m, p, start);
  run_one(&u, p, y, NULL, &log);
  return log.n > 0 ? event[0].t : m->span;
}

/* Halves the steps until the error comes between two bounds, and once more: it must have fallen as
 * the order predicts, or be below what rounding leaves.  Returns whether there was an error to see. */
static bool check_order(sal_setup *u, int max_order, int theory, const double y[])
{
  static const double rough = 1e-3, fine = 3e-12;
  double right[SAL_MAX_STATE], end[SAL_MAX_STATE], coarse = INFINITY;
  const sal_method *method = u->method;

  u->method = sal_registry_method("dop853");
  EXPECT(end_of_steps(u, 0, 0, y, right), u);
  u->method = method;
  for (int n = 2; n <= 1 << 14; n *= 2) {
    if (!end_of_steps(u, max_order, n, y, end)) continue;
    const double error = distance(u->model, end, right);
    if (error < fine) return false;
    if (coarse < rough && error < coarse / pow(2, theory - 0.7)) return true;
    coarse = error;
  }
  const bool falls_as_the_order_says = false;
  EXPECT(falls_as_the_order_says, u);
  return false;
}

static void every_method_has_its_order_inside_a_mode(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m) {
    int seen = 0;
    for (int i = 0; sal_registry_models[i]; ++i) {
      const sal_method *method = sal_registry_methods[m];
      const int max_order = method->min_order < method->order ? 2 : 0;
      sal_setup u = {.model = sal_registry_models[i],
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-13,
                     .atol = 1e-13,
                     .jacobian = SAL_JACOBIAN_DIFFERENCES};
      double p[SAL_MAX_P], y[SAL_MAX_STATE];
      if (!go_together(&u)) continue;
      preset(u.model, p, y);
      u.t_end = 0.9 * first_mode(u.model, y);
      if (u.t_end > 0) seen += check_order(&u, max_order, max_order ? max_order : method->order, y);
    }
    CU_ASSERT(seen >= 1);
  }
}

/* ---- switch beside event -------------------------------------------------------------------- */

static void without_resets_events_change_nothing(void)
{
  for (int i = 0; sal_registry_models[i]; ++i) {
    const sal_model *m = sal_registry_models[i];
    double p[SAL_MAX_P], y[SAL_MAX_STATE], end[2][SAL_MAX_STATE];
    sal_record out[2];
    if (m->resets) continue;
    preset(m, p, y);
    sal_setup u = {.model = m, .rtol = 1e-9, .atol = 1e-9, .t_end = m->span};
    u.method = sal_registry_method("ode45");
    for (int k = 0; k < 2; ++k) {
      const sal_job job = {.param = p, .initial = y, .end = end[k]};
      u.strategy = sal_registry_strategy(k ? "switch" : "event");
      run_batch(&u, 1, 1, &job, &out[k]);
    }
    EXPECT(outcome(&out[0]) == SAL_OUT_DONE && outcome(&out[1]) == SAL_OUT_DONE, &u);
    EXPECT(distance(m, end[0], end[1]) < 1e-5, &u);
    EXPECT(distance(m, end[0], y) > 1e-3, &u);
    EXPECT(m->n_guard == 0 || (n_event(&out[0]) > 0 && distance(m, end[0], end[1]) > 0), &u);
  }
}

/* ---- jumps and invariants ------------------------------------------------------------------- */

/* Random points, every method: no jump leaves its gap on the wrong side, and none sets off others
 * for ever. */
static void jumps_leave_gaps_on_their_side(void)
{
  for (int i = 0; sal_registry_models[i]; ++i) {
    sal_job job[JOBS];
    sal_record record[JOBS];
    int events = 0;
    draw_jobs(sal_registry_models[i]);
    for (int k = 0; k < JOBS; ++k) job[k] = (sal_job){.param = param[k], .initial = initial[k]};
    for (int m = 0; sal_registry_methods[m]; ++m) {
      const sal_setup u = {.model = sal_registry_models[i],
                           .method = sal_registry_methods[m],
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-6,
                           .atol = 1e-6,
                           .t_end = fmin(sal_registry_models[i]->span, 10),
                           .n_guard = most_contacts,
                           .max_attempts = 20000};
      if (!go_together(&u)) continue;
      run_batch(&u, 1, JOBS, job, record);
      for (int k = 0; k < JOBS; ++k) {
        EXPECT(outcome(&record[k]) != SAL_OUT_BAD_JUMP, &u);
        if (k % 3 == 0 && k > 0) continue; /* far outside what the model is for */
        EXPECT(outcome(&record[k]) != SAL_OUT_STUCK, &u);
        events += n_event(&record[k]);
      }
    }
    CU_ASSERT(events > 0 || sal_registry_models[i]->n_guard == 0);
  }
}

static double drift(const sal_model *m, const sal_method *method, double tol)
{
  double p[SAL_MAX_P], y[SAL_MAX_STATE];
  const sal_setup u = {.model = m,
                       .method = method,
                       .strategy = sal_registry_strategy("event"),
                       .rtol = tol,
                       .atol = tol,
                       .t_end = fmin(m->span, 10)};

  preset(m, p, y);
  return run_one(&u, p, y, NULL, NULL).value[SAL_METRIC_ENERGY_DRIFT];
}

static void the_invariant_drifts_with_the_tolerance(void)
{
  for (int i = 0; sal_registry_models[i]; ++i)
    for (int m = 0; sal_registry_methods[m]; ++m) {
      const sal_model *model = sal_registry_models[i];
      if (!sal_method_solves(sal_registry_methods[m], model)) continue;
      const double loose = drift(model, sal_registry_methods[m], 1e-4);
      const double tight = drift(model, sal_registry_methods[m], 1e-8);
      const double power = pow(1e-4, 2.0 / 3);
      CU_ASSERT((isnan(loose) && isnan(tight)) ||
                (tight < 10 * power * loose + 1e-13 && loose < 0.1));
      CU_ASSERT(model->energy || isnan(loose));
    }
}

SAL_TEST_MAIN("runs of all models", NULL,
              {"every method has its order inside a mode",
               every_method_has_its_order_inside_a_mode},
              {"without resets events change nothing", without_resets_events_change_nothing},
              {"jumps leave gaps on their side", jumps_leave_gaps_on_their_side},
              {"the invariant drifts with the tolerance", the_invariant_drifts_with_the_tolerance})
