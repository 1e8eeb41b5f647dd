/** Errors of fixed steps, and the slope of their logarithms. */
#include "solver_orders.h"
#include "base.h"
#include "integrate.h"
#include "providers.h"
#include "registry.h"
#include "scalar_math.h"

/* u = e^(sin t), w = 1 / (2 + t), mixed: full Jacobian, not linear, and f depends on t. */
static const char smooth_text[] = "equations: 1\n"
                                  "name: two-rates\n"
                                  "states: {x: {preset: 2.5}, z: {preset: 1.5}}\n"
                                  "let: {u: x - z, w: 2 * z - x}\n"
                                  "flow: {x: 2 * u * cos(t) - w * w, z: u * cos(t) - w * w}\n";

enum { MOST = 4000, FIRST = 12, WINDOW = 9, LEAST = 5, EVENTS = 7, STATE = 2 * (2 * MOST + 1) };
static const double smooth_span = 16, impact_span = 12;
static const double impact_param[] = {1, 10, 0.2}, impact_initial[] = {1, 0};

/** Settings of all runs. */
typedef struct {
  const sal_method *method;
  const sal_model *smooth;
  void *work;
  double *state; /* [STATE] */
  sal_event right[EVENTS], found[EVENTS];
  double states[2][EVENTS * 2 * 2]; /* of right and of found */
} bench;

static sal_setup fixed_steps(const sal_model *model, const sal_method *method, double span,
                             int n_step)
{
  return (sal_setup){.model = model,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = 1e-13,
                     .atol = 1e-13,
                     .t_end = span,
                     .max_step = span,
                     .fixed_step = n_step > 0 ? span / n_step : 0,
                     .jacobian = SAL_JACOBIAN_ANALYTIC};
}

static bool integrate(const bench *b, const sal_setup *setup, sal_job *job)
{
  sal_record out;

  sal_integrate(setup, 1, 1, job, &out, b->work);
  return (int)out.value[SAL_METRIC_OUTCOME] == SAL_OUT_DONE;
}

/* Largest error at the ends of steps, or in their middle; NaN of a run that failed. */
static double smooth_error(const bench *b, int n_step, bool between)
{
  const int n = 2 * n_step;
  const double initial[] = {2.5, 1.5}, none[] = {0};
  const sal_setup setup = fixed_steps(b->smooth, b->method, smooth_span, n_step);
  sal_samples samples = {.n_mesh = n, .state = b->state};
  sal_job job = {.param = none, .initial = initial, .samples = &samples};
  double worst = 0;

  if (!integrate(b, &setup, &job)) return NAN;
  for (int j = between; j <= n; j += 2) {
    const double t = smooth_span * j / n, u = sal_scalar_exp(sal_scalar_sin(t)), w = 1 / (2 + t);
    const double *y = b->state + 2 * (size_t)j;
    worst = fmax(worst, fabs(y[0] - (2 * u + w)));
    worst = fmax(worst, fabs(y[1] - (u + w)));
  }
  return worst;
}

static bool bounce(const bench *b, const sal_method *method, int n_step, sal_event event[],
                   double state[])
{
  const sal_setup setup =
      fixed_steps(sal_registry_model("linear-ground"), method, impact_span, n_step);
  sal_events log = {.event = event, .capacity = EVENTS, .state = state, .n_state = 2};
  sal_job job = {.param = impact_param, .initial = impact_initial, .events = &log};

  return integrate(b, &setup, &job) && log.n == EVENTS;
}

/* Largest error of the times of events, and of the speeds there. */
static double impact_error(bench *b, int n_step)
{
  double worst = 0;

  if (!bounce(b, b->method, n_step, b->found, b->states[1])) return NAN;
  for (int i = 0; i < EVENTS; ++i) {
    worst = fmax(worst, fabs(b->found[i].t - b->right[i].t));
    worst = fmax(worst, fabs(b->found[i].y[1] - b->right[i].y[1]));
  }
  return worst;
}

static double error_of(bench *b, sal_solver_problem problem, int n_step)
{
  return problem == SAL_SOLVER_ACROSS ? impact_error(b, n_step)
                                      : smooth_error(b, n_step, problem == SAL_SOLVER_BETWEEN);
}

static double slope_of(int n, const double x[], const double y[])
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;

  for (int i = 0; i < n; ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* Steps grow finer by 2^(1/4) until the error reaches rounding; the last nine count. */
static void measure(bench *b, sal_solver_problem problem, sal_solver_order *out)
{
  double x[WINDOW] = {0}, y[WINDOW] = {0};
  int step[WINDOW] = {0}, n = 0;

  for (int finer = 0;; ++finer) {
    const int n_step = (int)(FIRST * sal_scalar_exp2(finer / 4.0) + 0.5);
    if (n_step > MOST) break;
    const double error = error_of(b, problem, n_step);
    if (!isfinite(error)) continue;
    if (error < 1e-11) break;
    if (n == WINDOW)
      for (int i = 0; i + 1 < WINDOW; ++i) x[i] = x[i + 1], y[i] = y[i + 1], step[i] = step[i + 1];
    n -= n == WINDOW;
    x[n] = -sal_scalar_log(n_step);
    y[n] = sal_scalar_log(error);
    step[n++] = n_step;
  }
  out->measured = n < LEAST ? NAN : slope_of(n, x, y);
  out->steps[0] = step[0];
  out->steps[1] = n > 0 ? step[n - 1] : 0;
}

static sal_err measure_all(bench *b, sal_solver_order out[])
{
  static const char *const words[] = {"smooth", "between", "impacts"};
  const sal_method *exact = sal_registry_method("dop853");
  sal_setup setup = fixed_steps(b->smooth, b->method, smooth_span, 1);
  size_t bytes = sal_integrate_bytes(&setup, 1);

  setup.model = sal_registry_model("linear-ground");
  for (int i = 0; i < 2; ++i, setup.method = exact)
    if (sal_integrate_bytes(&setup, 1) > bytes) bytes = sal_integrate_bytes(&setup, 1);
  SAL_OWN void *work = sal_alloc(bytes, 1);
  SAL_OWN double *state = sal_alloc(STATE, sizeof *state);
  if (!work || !state) return sal_fail(SAL_ERR_MEMORY, "no memory for the orders of a solver");
  b->work = work;
  b->state = state;
  const bool known = bounce(b, exact, 0, b->right, b->states[0]);
  for (int i = 0; i < SAL_N_SOLVER_ORDER; ++i) {
    out[i] = (sal_solver_order){.what = words[i], .stated = b->method->order, .measured = NAN};
    if (i == SAL_SOLVER_BETWEEN && b->method->dense_order) out[i].stated = b->method->dense_order;
    if (known || i != SAL_SOLVER_ACROSS) measure(b, (sal_solver_problem)i, &out[i]);
  }
  return SAL_OK;
}

sal_err sal_solver_orders(const sal_method *method, sal_solver_order out[SAL_N_SOLVER_ORDER])
{
  sal_provided *smooth;

  SAL_TRY(sal_provided_parse(SAL_PROVIDES_MODELS, "a smooth problem", smooth_text, &smooth));
  bench b = {.method = method, .smooth = smooth->model};
  const sal_err err = measure_all(&b, out);
  sal_provided_free(smooth);
  return err;
}
