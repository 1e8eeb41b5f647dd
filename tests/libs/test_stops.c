/** Times in the flow: integrators of other libraries are driven from stop to stop.
 *
 *  Right values are closed forms.
 */
#include "compatibility.h"
#include "providers.h"
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"

/* A pulse in a rest of 20: both ends add -+ F (1 + s) e^-s, and the largest value of x, 36.77, is at
 * s = d e^d / (e^d - 1) after the first one. */
static const char pulse[] =
    "equations: 1\nname: pulse\nspan: 100\nparameters: {F: {preset: 1000}}\n"
    "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
    "flow:\n  x: v\n  v: (F if t > 20 and t < 20.1 else 0) - x - 2 * v\n";

/* x' = v, v' = -x, and v leaps by p at T, 2 T, ..; at 2 T, 4 T, .. another contact fires, too. */
static const char kicks[] =
    "equations: 1\nname: kicks\nparameters: {T: {preset: 0.7}, p: {preset: 0.25}}\n"
    "states: {x: {preset: 1}, v: {preset: 0, rate_of: x}}\ndiscrete: {n: {preset: 0}}\n"
    "contacts:\n  kick: {names: [kick, back], gap: every(T), closes: {v: v + p}}\n"
    "  count: {names: [count, uncount], gap: every(2 * T), closes: {n: n + 1}}\n"
    "flow:\n  x: v\n  v: -x\n";

/* A force that leaps above dry friction at t = 1.3. */
static const char leap[] = "equations: 1\nname: leap\nparameters: {a: {preset: 1.3}}\n"
                           "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
                           "let: {F: 3 if t >= a else 0.5}\n"
                           "contacts:\n  grip: {names: [sticks, slides], kind: friction, gap: v,\n"
                           "    release: 1 - abs(F), closes: {v: 0}, opens: {v: 0}}\n"
                           "flow:\n  x: 0 if grip else v\n  v: 0 if grip else F - 1\n";

static const struct {
  const char *text, *strategy;
  double t_end;
  int restarts, events;
} systems[] = {{pulse, "switch", 0, 2, 0},
               {pulse, "event", 0, 2, 0},
               {kicks, "event", 5, 7, 10},
               {leap, "event", 2, -1, 1}};

static double right_of(const char *text, double t)
{
  const double d = 20.1 - 20, s = t - 20;
  double x = cos(t);

  if (text == pulse) return 1000 * ((1 + s - d) * exp(d - s) - (1 + s) * exp(-s));
  if (text == leap) return (t - 1.3) * (t - 1.3);
  for (int k = 1; k * 0.7 < t; ++k) x += 0.25 * sin(t - k * 0.7);
  return x;
}

static void meet(const sal_model *m, size_t c, const sal_method *method, double tol)
{
  const double d = 20.1 - 20, t_end = systems[c].t_end > 0 ? systems[c].t_end : 20 + d / -expm1(-d);
  const double right = right_of(systems[c].text, t_end);
  double param[SAL_MAX_PARAM], initial[SAL_MAX_STATE], end[SAL_MAX_STATE];
  const sal_job job = {.param = param, .initial = initial, .end = end};
  sal_setup u = config("decay", "dop853", systems[c].strategy, tol, t_end);
  char flaw[SAL_COMPATIBILITY_TEXT];
  sal_record r;

  u.model = m;
  u.method = method;
  u.max_attempts = 2000000;
  if (sal_compatibility_flaw(&u, flaw)) return;
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) initial[i] = m->state[i].preset;
  run_batch(&u, 1, 1, &job, &r);
  const int restarts = (int)r.value[SAL_METRIC_RESTARTS];
  const double size = fmax(fabs(right), 1), bound = method->order > 2 ? 1e4 * tol : cbrt(tol);
  const bool good = outcome(&r) == SAL_OUT_DONE && n_event(&r) == systems[c].events &&
                    (systems[c].restarts < 0 || restarts == systems[c].restarts) &&
                    fabs(end[0] - right) < bound * size;
  CU_ASSERT(good);
  if (!good)
    printf("\n    %s by %s, %s at %g: outcome %d at t = %.17g, %d events, %d restarts, error %g",
           m->name, method->name, systems[c].strategy, tol, outcome(&r),
           r.value[SAL_METRIC_T_REACHED], n_event(&r), restarts, end[0] - right);
}

static void libraries_meet_stops(void)
{
  for (size_t c = 0; c < sizeof systems / sizeof *systems; ++c) {
    sal_provided *p;
    int libraries = 0;
    if (sal_provided_parse(SAL_PROVIDES_MODELS, "stops.yaml", systems[c].text, &p) != SAL_OK)
      CU_FAIL_FATAL("no model");
    for (int i = 0; sal_method_names_at(i); ++i) {
      const sal_method *method = sal_method_names_at(i);
      if (!method->engine || method->engine->replays) continue;
      ++libraries;
      for (int digit = 3; digit <= (method->order > 2 ? 10 : 6); ++digit)
        meet(p->model, c, method, pow(10, -digit));
    }
    printf("%d methods ", libraries);
    sal_provided_free(p);
  }
  sal_providers_finalize();
}

SAL_TEST_MAIN("stops", NULL, {"libraries meet stops", libraries_meet_stops})
