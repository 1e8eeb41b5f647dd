/** Contacts that a force releases while gap, rate and force are all 0: every method with `event`.
 *
 *  Values are closed forms, or by SciPy's DOP853 at 1e-13 with bracketed roots.  SALTUS_TEST_LONG=1 takes
 *  every tolerance from 1e-3 to 1e-10.
 */
#include "equation_text.h"
#include "kernels/run_one.h"

/* A block on a belt; friction at rest is friction in motion, or falls with the speed where vs > 0. */
static const char belt[] =
    "equations: 1\nname: belt\nparameters: {s: {preset: 1}, vs: {preset: 0.3}}\n"
    "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
    "discrete: {sense: {preset: -1, values: [-1, 1]}}\n"
    "contacts:\n  grip:\n    names: [sticks, slides]\n    kind: friction\n    gap: sense * (v - "
    "0.2)\n"
    "    release: s - abs(x)\n"
    "    closes: {v: 0.2, sense: -sign(x) if abs(x) > s else sense}\n"
    "    opens: {v: 0.2, sense: -sign(x)}\n    stays: abs(x) <= s\n"
    "flow:\n  x: 0.2 if grip else v\n"
    "  v: 0 if grip else -x - sense * (s / (1 + abs(v - 0.2) / vs) if vs > 0 else s)\n";

/* A driven wheel and a load, which overruns it. */
static const char wheels[] =
    "equations: 1\nname: wheels\nparameters: {d: {preset: 0.5}}\nlongest_step: 0.6\n"
    "states: {w1: {preset: 0}, w2: {preset: 0.5}}\n"
    "let:\n  drive: 4 * sin(1.3 * t)\n  both: (drive - d * w2) / 3\n  mean: (w1 + 2 * w2) / 3\n"
    "contacts:\n  ring:\n    names: [locks, overruns]\n    gap: w2 - w1\n    release: drive - "
    "both\n"
    "    closes: {w1: mean, w2: mean}\n    opens: {w1: w2}\n"
    "flow:\n  w1: both if ring else drive\n  w2: both if ring else -d * w2 / 2\n";

/* A source charges a capacitor through an ideal diode; a resistor discharges it. */
static const char rectifier[] =
    "equations: 1\nname: rectifier\nparameters: {R: {preset: 2}}\nlongest_step: 0.4\n"
    "states: {u: {preset: 1}}\n"
    "let:\n  source: 3 * sin(1.9 * t)\n  slope: 1.9 * (3 * cos(1.9 * t))\n"
    "contacts:\n  diode:\n    names: [conducts, blocks]\n    gap: u - source\n"
    "    release: 0.7 * slope + source / R\n    closes: {u: source}\n    opens: {u: source}\n"
    "flow:\n  u: slope if diode else -u / (R * 0.7)\n";

/* A capsule on a floor with dry friction, moved by a mass inside that knocks against a soft stop. */
static const char capsule[] =
    "equations: 1\nname: capsule\nparameters: {a: {preset: 1.6}}\nlongest_step: 0.8\n"
    "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}, X: {preset: 0}, V: {preset: 0, rate_of: "
    "X}}\n"
    "discrete: {sense: {preset: 1, values: [-1, 1]}}\n"
    "let:\n  drive: a * cos(0.95 * t)\n  knock: 15 * (x - X - 0.02) if stop else 0\n"
    "  spring: (X - x) + 0.1 * (V - v)\n  pull: knock - ((X - x) - 0.1 * v) - drive\n"
    "contacts:\n  stop: {names: [knocks, leaves], gap: 0.02 - (x - X)}\n"
    "  floor:\n    names: [sticks, slides]\n    kind: friction\n    gap: sense * V\n"
    "    release: 1 - abs(pull)\n    opens: {V: 0, sense: sign(pull)}\n"
    "    closes: {V: 0, sense: sign(pull) if abs(pull) > 1 else sense}\n    stays: abs(pull) <= 1\n"
    "flow:\n  x: v\n  v: drive + spring - knock\n  X: 0 if floor else V\n"
    "  V: 0 if floor else (knock - spring - drive - sense) / 5\n";

static const struct {
  const char *text;
  double param[2], t_end;
  int state, n_event; /* 0: a surface is grazed again and again */
  double is;
} systems[] = {{belt, {0.6, 0}, 30, 0, 0, 0.79835876639197},
               {belt, {1, 0.3}, 30, 0, 6, 1.090141289153074},
               {wheels, {0.5}, 20, 1, 8, 0.1227635546269},
               {rectifier, {2}, 20, 0, 13, 0.889105736128156},
               {capsule, {1.6}, 60, 2, 66, 1.52859914023}};

enum { SYSTEMS = sizeof systems / sizeof *systems };
static sal_equation_model *model[SYSTEMS];

static sal_equation_model *parse(const char *text)
{
  sal_equation_model *made;

  if (sal_equation_model_parse("release.yaml", text, &made) != SAL_OK) {
    fprintf(stderr, "%s\n", sal_err_message());
    abort();
  }
  return made;
}

static int open_models(void)
{
  for (int c = 0; c < SYSTEMS; ++c) model[c] = parse(systems[c].text);
  return 0;
}

static void initial_of(const sal_model *m, double y[])
{
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
}

static sal_setup setup_of(const sal_model *m, const sal_method *method, double tol, double t_end)
{
  return (sal_setup){.model = m,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .max_attempts = 10000000};
}

static double end_of(const sal_setup *setup, const double param[], int state, sal_record *record)
{
  double initial[SAL_MAX_STATE], end[SAL_MAX_STATE];
  const sal_job job = {.param = param, .initial = initial, .end = end};

  initial_of(setup->model, initial);
  run_batch(setup, 1, 1, &job, record);
  return end[state];
}

static void meet(int c, const sal_method *method, double tol)
{
  const sal_model *m = sal_equation_model_get(model[c]);
  const sal_setup setup = setup_of(m, method, tol, systems[c].t_end);
  /* estimates of low order let errors of them grow */
  const double bound = method->embedded > 3 ? 1e4 * tol : 10 * cbrt(tol * tol);
  sal_record r;
  const double error = fabs(end_of(&setup, systems[c].param, systems[c].state, &r) - systems[c].is);
  const bool fine = outcome(&r) == SAL_OUT_DONE && error < bound;
  const bool right = tol > 1e-5 || !systems[c].n_event || n_event(&r) == systems[c].n_event;

  if (!fine || !right)
    printf("\n    %s, %s at %g: outcome %d at t = %.9g, error %.3g, %d events", m->name,
           method->name, tol, outcome(&r), r.value[SAL_METRIC_T_REACHED], error, n_event(&r));
  CU_ASSERT(fine && right);
}

static void every_method_goes_on_from_a_release(void)
{
  const bool all = getenv("SALTUS_TEST_LONG") != NULL;

  for (int i = 0; sal_registry_methods[i]; ++i) {
    const sal_method *method = sal_registry_methods[i];
    for (int c = 0; c < SYSTEMS; ++c)
      for (int digit = 3; digit <= 10; digit += all ? 1 : 3)
        if (sal_model_is_second_order(sal_equation_model_get(model[c])) || !method->second_order)
          if (all || digit < 7 || is_frugal(method)) meet(c, method, pow(10, -digit));
  }
}

/* Rounding is another one for each length of the run, which sets its first and longest steps. */
static void a_release_does_not_depend_on_the_length_of_the_run(void)
{
  static const char *const names[] = {"dop853", "radau5", "ode45"};
  const sal_model *m = sal_equation_model_get(model[1]);
  sal_record r;

  for (int i = 0; i < 3; ++i)
    for (double t_end = 17.4; t_end < 21; t_end += 0.2) {
      const sal_setup setup = setup_of(m, sal_registry_method(names[i]), 1e-7, t_end);
      const double x = end_of(&setup, systems[1].param, 0, &r);
      CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 4);
      CU_ASSERT(x > -1 && x < 1.5);
    }
}

/* A contact that its force releases and the flow drives back has no mode that is right. */
static void what_is_driven_back_is_stuck(void)
{
  sal_equation_model *e = parse("equations: 1\nname: back\nstates: {x: {preset: 1}}\n"
                                "contacts:\n  c:\n    names: [closes, opens]\n    gap: x\n"
                                "    release: 2 - t\n    closes: {x: 0}\n"
                                "flow:\n  x: 0 if c else -1\n");
  const sal_setup setup =
      setup_of(sal_equation_model_get(e), sal_registry_method("dop853"), 1e-6, 3);
  sal_record r;

  end_of(&setup, NULL, 0, &r);
  CU_ASSERT_EQUAL(outcome(&r), SAL_OUT_STUCK);
  CU_ASSERT_DOUBLE_EQUAL(r.value[SAL_METRIC_T_REACHED], 2, 1e-9);
  sal_equation_model_free(e);
}

static void lanes_have_the_same_bits(void)
{
  enum { N = 13 };
  static double param[N][2], initial[N][SAL_MAX_STATE], end[3][N][SAL_MAX_STATE];
  static sal_record record[3][N];
  const sal_model *m = sal_equation_model_get(model[2]);

  for (int w = 0; w < 3; ++w) {
    const int width = w == 0 ? 1 : 4 * w;
    sal_job job[N];
    for (int i = 0; i < N; ++i) {
      param[i][0] = 0.4 + 0.02 * i;
      initial_of(m, initial[i]);
      job[i] = (sal_job){.param = param[i], .initial = initial[i], .end = end[w][i]};
    }
    const sal_setup setup = setup_of(m, sal_registry_method("dop853"), 1e-7, 20);
    run_batch(&setup, width <= sal_integrate_widest() ? width : 1, N, job, record[w]);
    CU_ASSERT(memcmp(end[w], end[0], sizeof end[0]) == 0);
    for (int i = 0; i < N; ++i)
      CU_ASSERT(memcmp(&record[w][i], &record[0][i], sizeof record[0][i]) == 0);
  }
  CU_ASSERT(end[0][0][1] > 0.01 && end[0][0][1] != end[0][1][1]);
}

static void close_models(void)
{
  for (int c = 0; c < SYSTEMS; ++c) sal_equation_model_free(model[c]);
}

SAL_TEST_MAIN("release", open_models,
              {"every method goes on from a release", every_method_goes_on_from_a_release},
              {"a release does not depend on the length of the run",
               a_release_does_not_depend_on_the_length_of_the_run},
              {"what is driven back is stuck", what_is_driven_back_is_stuck},
              {"lanes have the same bits", lanes_have_the_same_bits},
              {"models are freed", close_models})
