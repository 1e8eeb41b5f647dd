/** No method of another library goes through a floor and returns `done`.  Every model whose jumps reset the
 *  state, over its whole run and into chatter, by every engine: where a run is done, each gap is on the side
 *  of its mode, within its rounding at the end and within the error of the steps on the way.
 *
 *  A run that comes to the end has to come to the end that the reference has, where contacts rest.
 */
#include "compatibility.h"
#include "gap_grain.h"
#include "model_point.h"
#include "providers.h"
#include "registry.h"
#include "run_one.h"
#include "sal_test.h"
#include <string.h>

enum { MESH = 200, BOUND = 1000 /* error / tolerance that is let pass */ };

/* Chatter, rest and release, again and again; the largest error of an end is then that of the rest. */
static const struct {
  const char *model;
  double t_end;
  struct {
    const char *name;
    double value;
  } set[3];
  bool rests; /* at the end, so that all come to the same one */
} chatter[] = {{"bouncing-ball", 8, {{0}}, true},
               {"bouncing-ball", 10, {{"e", 0.5}}, true},
               {"shaking-table", 10, {{0}}, true},
               {"vibro-impact", 20, {{"w", 0.5}, {"a", 3}, {"e", 0.3}}, true}};

typedef struct {
  const sal_model *model;
  double t_end;
  bool rests;
  double param[SAL_MAX_PARAM + SAL_MAX_OPTION], start[SAL_MAX_STATE], end[SAL_MAX_STATE];
} trajectory;

static double state[(MESH + 1) * SAL_MAX_STATE];
static uint8_t first_closed[MESH + 1];

/* How far the gaps are beyond their rounding on the wrong side of the mode. */
static double depth_at_end(const trajectory *c, const bool closed[], const double y[])
{
  double deepest = 0, gap[SAL_MAX_CONTACT] = {0}, gap_noise[SAL_MAX_CONTACT] = {0};

  gap_grain_measure(c->model, c->param, closed, c->t_end, y, gap, gap_noise);
  for (int k = 0; k < c->model->n_guard; ++k)
    deepest = fmax(deepest, (closed[k] ? gap[k] : -gap[k]) - gap_noise[k]);
  return deepest;
}

static double distance(const sal_model *m, const double a[], const double b[])
{
  double most = 0;

  for (int i = 0; i < m->n_state; ++i) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* How far the state on the mesh is below the first surface, where that is open. */
static double depth_on_mesh(const trajectory *c)
{
  const bool open[SAL_MAX_CONTACT] = {false};
  double still[SAL_MAX_STATE] = {0}, deepest = 0;
  double gap[SAL_MAX_CONTACT] = {0}, rate[SAL_MAX_CONTACT] = {0};

  for (int j = 0; j <= MESH; ++j) {
    sal_model_rates(c->model, c->param, open, c->t_end * j / MESH,
                    &state[(size_t)j * (size_t)c->model->n_state], still, gap, rate);
    if (!first_closed[j]) deepest = fmax(deepest, -gap[0]);
  }
  return deepest;
}

static sal_record run(const sal_setup *u, const trajectory *c, double end[], bool closed[])
{
  sal_samples samples = {.n_mesh = MESH, .state = state, .closed = first_closed};
  const sal_job job = {.param = c->param,
                       .initial = c->start,
                       .samples = &samples,
                       .end = end,
                       .end_closed = closed};
  sal_record out;

  run_batch(u, 1, 1, &job, &out);
  return out;
}

static sal_setup setup_of(const trajectory *c, const sal_method *method, double tolerance)
{
  sal_setup u = config(c->model->name, "dop853", "event", tolerance, c->t_end);

  u.method = method;
  u.jacobian = SAL_JACOBIAN_ANALYTIC;
  u.every_contact = true;
  return u;
}

static void begin(trajectory *c, const sal_model *m)
{
  memset(c, 0, sizeof *c);
  c->model = m;
  c->t_end = m->span;
  for (int i = 0; i < m->n_param; ++i) c->param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) c->start[i] = m->state[i].preset;
}

/* A method that takes steps of tolerance^(1/2) or less is asked for less. */
static int tolerances_of(const sal_method *method, double tolerance[])
{
  tolerance[0] = 1e-4;
  tolerance[1] = 1e-7;
  return method->order > 2 || method->embedded ? 2 : 1;
}

typedef struct {
  int runs, done;
} tally;

static void try_method(const trajectory *c, const sal_method *method, double tolerance, tally *n)
{
  const sal_setup u = setup_of(c, method, tolerance);
  double end[SAL_MAX_STATE];
  bool closed[SAL_MAX_CONTACT];
  char text[SAL_COMPATIBILITY_TEXT];

  if (sal_compatibility_flaw(&u, text)) return;
  const sal_record r = run(&u, c, end, closed);
  const bool done = outcome(&r) == SAL_OUT_DONE;
  const double deep = done ? depth_at_end(c, closed, end) : 0;
  const double on_mesh = done && method->dense_order != 2 ? depth_on_mesh(c) : 0;
  const double error = distance(c->model, end, c->end);
  const bool right = done && error < BOUND * tolerance;
  n->runs += 1;
  n->done += done;
  CU_ASSERT(deep <= 0);
  CU_ASSERT(on_mesh < BOUND * tolerance);
  CU_ASSERT((outcome(&r) == SAL_OUT_MISSED) == (r.value[SAL_METRIC_UNMET] > 0));
  CU_ASSERT(right || !c->rests);
  if (deep > 0 || !(on_mesh < BOUND * tolerance) || (c->rests && !right))
    fprintf(stderr,
            "\n    %s on %s to %g at %g: %s, %g below at the end, %g on the way, error %g\n",
            method->name, c->model->name, c->t_end, tolerance,
            sal_metric_outcomes[outcome(&r)].label, deep, on_mesh, error);
}

static tally try_all(trajectory *c)
{
  tally n = {0};
  double tolerance[2];
  bool closed[SAL_MAX_CONTACT];
  const sal_setup u = setup_of(c, sal_registry_reference(c->model), 1e-12);

  const sal_record r = run(&u, c, c->end, closed);
  CU_ASSERT(sal_metric_finished(outcome(&r)));
  for (int i = 0; sal_method_names_at(i); ++i) {
    const sal_method *method = sal_method_names_at(i);
    if (!method->engine) continue;
    for (int j = tolerances_of(method, tolerance); j-- > 0;)
      try_method(c, method, tolerance[j], &n);
  }
  return n;
}

static void done_means_on_the_right_side(void)
{
  trajectory c;
  int models = 0;

  for (const sal_model *const *m = sal_registry_models; *m; ++m) {
    if (!(*m)->resets || (*m)->n_guard > SAL_MAX_CONTACT) continue;
    begin(&c, *m);
    const tally n = try_all(&c);
    CU_ASSERT(2 * n.done >= n.runs);
    ++models;
  }
  CU_ASSERT(models >= 5);
}

static void chatter_comes_to_its_end(void)
{
  for (size_t i = 0; i < sizeof chatter / sizeof *chatter; ++i) {
    trajectory c;
    begin(&c, sal_registry_model(chatter[i].model));
    c.t_end = chatter[i].t_end;
    c.rests = chatter[i].rests;
    for (int p = 0; p < c.model->n_param; ++p)
      for (int s = 0; s < 3 && chatter[i].set[s].name; ++s)
        if (strcmp(c.model->param[p].name, chatter[i].set[s].name) == 0)
          c.param[p] = chatter[i].set[s].value;
    (void)try_all(&c);
  }
  sal_providers_finalize();
}

SAL_TEST_MAIN("floor", NULL, {"done means on the right side", done_means_on_the_right_side},
              {"chatter comes to its end", chatter_comes_to_its_end})
