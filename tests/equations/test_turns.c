/** Infinitely many impacts in a finite time of contacts that take turns: each run comes to rest, and ends.  And
 *  contacts that change together.
 */
#include "equation_text.h"
#include "kernels/run_one.h"
#include "plain_file.h"

enum { MOST_EVENTS = 300 };

static sal_equation_model *parse(const char *text)
{
  sal_equation_model *made;

  if (sal_equation_model_parse("turns.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static sal_setup setup_of(const sal_model *m, const sal_method *method, double tol, double t_end)
{
  return (sal_setup){.model = m,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .max_attempts = 200000};
}

/* Runs it; end [n_state], *last: the time of the last event. */
static sal_record run(const sal_setup *setup, const double param[], const double initial[],
                      double end[], double *last)
{
  static sal_event event[MOST_EVENTS];
  sal_events events = {.event = event, .capacity = MOST_EVENTS};
  const sal_job job = {.param = param, .initial = initial, .end = end, .events = &events};
  sal_record r;

  run_batch(setup, 1, 1, &job, &r);
  *last = events.n > 0 && events.n <= MOST_EVENTS ? event[events.n - 1].t : NAN;
  return r;
}

static void expect(bool fine, const sal_setup *u, const sal_record *r, const char *what, int line)
{
  if (!fine)
    printf("\n    %s by %s at %g: outcome %d at t = %.9g, %d events", u->model->name,
           u->method->name, u->rtol, outcome(r), r->value[SAL_METRIC_T_REACHED], n_event(r));
  CU_assertImplementation(fine, (unsigned)line, what, __FILE__, "", CU_FALSE);
}
#define EXPECT(fine) expect(fine, &u, &r, #fine, __LINE__)

/* A ball that falls onto a floor where n contacts are met in turn. */
static sal_equation_model *floor_of(int n, double restitution)
{
  char text[4096], rests[256] = "";
  int at = snprintf(text, sizeof text,
                    "equations: 1\nname: floor-of-%d\n"
                    "states: {y: {preset: 1}, v: {preset: 0, rate_of: y}}\n"
                    "discrete: {turn: {preset: 0}}\ncontacts:\n",
                    n);

  for (int k = 0; k < n; ++k) {
    at += snprintf(
        text + at, sizeof text - (size_t)at,
        "  c%d: {names: [hits-%d, leaves-%d], gap: y, while: turn == %d, stays: rests, "
        "release: 1,\n    closes: {y: 0, v: 0 if rests else -%.17g * v, turn: turn if rests "
        "else %d}}\n",
        k, k, k, k, restitution, (k + 1) % n);
    snprintf(rests + strlen(rests), sizeof rests - strlen(rests), "%sc%d", k ? " or " : "", k);
  }
  snprintf(text + at, sizeof text - (size_t)at,
           "flow:\n  y: 0 if %s else v\n  v: 0 if %s else -1\n", rests, rests);
  return parse(text);
}

static void a_ball_rests_however_many_contacts_take_turns(void)
{
  static const int turns[] = {1, 2, 3, 5, 8};
  static const double start[] = {1, 0, 0};
  const double rest = sqrt(2) * 1.6 / 0.4; /* closed form */
  double end[3], last;

  for (size_t i = 0; i < sizeof turns / sizeof *turns; ++i) {
    sal_equation_model *e = floor_of(turns[i], 0.6);
    for (int m = 0; sal_registry_methods[m]; ++m)
      for (int fine = 0; fine < 2; ++fine) {
        const double tol = fine ? 1e-6 : 1e-3;
        const sal_setup u =
            setup_of(sal_equation_model_get(e), sal_registry_methods[m], tol, 2 * rest);
        const sal_record r = run(&u, NULL, start, end, &last);
        EXPECT(outcome(&r) == SAL_OUT_DONE && r.value[SAL_METRIC_ZENO] == 1);
        EXPECT(n_event(&r) > 10 && n_event(&r) < MOST_EVENTS);
        /* a first step of order 1 is a straight line, which shows no flight */
        const double late = sal_registry_methods[m]->min_order == 1 ? 2 : 0.5;
        EXPECT(fabs(last - rest) < late * sqrt(tol) * rest && end[0] == 0 && end[1] == 0);
      }
    sal_equation_model_free(e);
  }
}

/* Lower than the tolerance resolves, for ever. */
static void a_ball_that_loses_nothing_does_not_rest(void)
{
  static const double start[] = {2e-3, 0, 0};
  sal_equation_model *e = floor_of(1, 1);
  const sal_setup u = setup_of(sal_equation_model_get(e), sal_registry_method("ode45"), 1e-3, 6);
  double end[3], last;
  const sal_record r = run(&u, NULL, start, end, &last);

  EXPECT(outcome(&r) == SAL_OUT_DONE && r.value[SAL_METRIC_ZENO] == 0);
  EXPECT(n_event(&r) == 47); /* one at sqrt(4e-3), and then every 2 sqrt(4e-3) */
  sal_equation_model_free(e);
}

/* A wheel of spokes that rocks to and fro between two of them. */
static void a_wheel_of_spokes_rocks_to_rest(void)
{
  static const char text[] =
      "equations: 1\nname: spokes\nstates: {a: {preset: -0.2}, w: {preset: 0.5, rate_of: a}}\n"
      "let: {next: 0.08 + pi / 8, last: 0.08 - pi / 8}\ncontacts:\n"
      "  ahead: {names: [step, unstep], gap: next - a, while: w > 0, stays: rests, release: 1,\n"
      "    closes: {a: a if rests else last, w: 0 if rests else w * cos(pi / 4)}}\n"
      "  past: {names: [back, unback], gap: a - last, while: w < 0, stays: rests, release: 1,\n"
      "    closes: {a: a if rests else next, w: 0 if rests else w * cos(pi / 4)}}\n"
      "flow:\n  a: 0 if ahead or past else w\n  w: 0 if ahead or past else 9.81 * sin(a)\n";
  static const double start[] = {-0.2, 0.5};
  sal_equation_model *e = parse(text);
  double end[2], last;

  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int i = 0; i < 4; ++i)
      for (int late = 0; late < 2; ++late) {
        const double t_end = 2.082 + 0.5 * late;
        const double tol = (const double[]){1e-3, 1e-4, 1e-5, 1e-6}[i];
        const sal_setup u =
            setup_of(sal_equation_model_get(e), sal_registry_methods[m], tol, t_end);
        const sal_record r = run(&u, NULL, start, end, &last);
        EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 10 && n_event(&r) < 100);
        if (t_end < 2.5) continue;
        EXPECT(fabs(last - 2.082047) < 20 * sqrt(tol) && end[1] == 0);
        EXPECT(r.value[SAL_METRIC_ZENO] == 1);
      }
  sal_equation_model_free(e);
}

/* Flights of two corners, of which errors of ode113 fed every second one. */
static void the_rocking_block_stops_rattling(void)
{
  static const double param[][5] = {{2, 0.236719, 0.572949, 0.0903125, 1.30121},
                                    {2, 0.283594, 0.562402, 0.146562, 5.68459}};
  static const double start[] = {0.1, 0, 1};
  char *text;
  double end[3], last;

  CU_ASSERT_EQUAL_FATAL(
      sal_text_file_read(SAL_SWEEPS "/models/rocking-block.yaml", "a model", &text), SAL_OK);
  sal_equation_model *e = parse(text);
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int i = 0; i < 2; ++i) {
      const sal_setup u = setup_of(sal_equation_model_get(e), sal_registry_methods[m], 1e-6, 10);
      const sal_record r = run(&u, param[i], start, end, &last);
      EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 10 && n_event(&r) < 60);
      EXPECT(end[0] == 0 && end[1] == 0);
    }
  sal_equation_model_free(e);
  sal_free(text);
}

/* Flights that errors feed are far lower than the tolerance here, at up to 30 times its rate. */
static void the_rocking_block_stops_rattling_at_tight_tolerances(void)
{
  static const struct {
    double param[5], tol;
    const char *method;
  } runs[] = {
      {{2, 0.20503572418332225, 0.5544386618960228, 0.09678903489972021, 10.116858783688253},
       1e-7,
       "ode113"},
      {{2, 0.2822134917145898, 0.7889853754717742, 0.028655345306223268, 1.6701524614533594},
       1e-7,
       "ode23s"},
      {{2, 0.4851185377824456, 0.7107496920052102, 0.1640692043309189, 1.5353795725557244},
       1e-8,
       "ode23tb"},
      {{2, 0.2822134917145898, 0.7889853754717742, 0.028655345306223268, 1.6701524614533594},
       1e-10,
       "ode113"}};
  static const double start[] = {0.1, 0, 1};
  char *text;
  double end[3], last;

  CU_ASSERT_EQUAL_FATAL(
      sal_text_file_read(SAL_SWEEPS "/models/rocking-block.yaml", "a model", &text), SAL_OK);
  sal_equation_model *e = parse(text);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    const sal_setup u =
        setup_of(sal_equation_model_get(e), sal_registry_method(runs[i].method), runs[i].tol, 10);
    const sal_record r = run(&u, runs[i].param, start, end, &last);
    EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 10 && n_event(&r) < 120);
  }
  sal_equation_model_free(e);
  sal_free(text);
}

/* Until a foot lands nothing moves the legs, so marks of their speeds cross by rounding together with the
 * touchdown, whose impact takes them away from 0. */
static void marks_that_a_touchdown_moves_are_met_after_it(void)
{
  static const double param[] = {60, 4, 6, 0.3, 7500, 1, 40, 300, 9.81};
  static const double height[] = {1.07391977953737,
                                  1.05599502491244}; /* dop853 at 1e-12, radau5 at 1e-10 */
  static const char *const names[] = {"ode45", "dop853", "radau5"};
  char *text;
  double end[2][8], last;

  CU_ASSERT_EQUAL_FATAL(
      sal_text_file_read(SAL_SWEEPS "/models/two-legged-hopper.yaml", "a model", &text), SAL_OK);
  sal_equation_model *e = parse(text);
  for (int i = 0; i < 6; ++i) {
    const sal_setup u =
        setup_of(sal_equation_model_get(e), sal_registry_method(names[i % 3]), 1e-8, 5);
    for (int side = 0; side < 2; ++side) {
      const double pitch = i < 3 ? 0.01 : 0.12, start[8] = {1.1, side ? -pitch : pitch, 1, 1};
      const sal_record r = run(&u, param, start, end[side], &last);
      EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) > 100);
      EXPECT(fabs(end[side][0] - height[i / 3]) < 2e-5);
    }
    CU_ASSERT_DOUBLE_EQUAL(end[0][1], -end[1][1], 1e-8);
    CU_ASSERT(fabs(end[0][1]) > 0.1);
  }
  sal_equation_model_free(e);
  sal_free(text);
}

SAL_TEST_MAIN("contacts that take turns", NULL,
              {"a ball rests however many contacts take turns",
               a_ball_rests_however_many_contacts_take_turns},
              {"a ball that loses nothing does not rest", a_ball_that_loses_nothing_does_not_rest},
              {"a wheel of spokes rocks to rest", a_wheel_of_spokes_rocks_to_rest},
              {"the rocking block stops rattling", the_rocking_block_stops_rattling},
              {"the rocking block stops rattling at tight tolerances",
               the_rocking_block_stops_rattling_at_tight_tolerances},
              {"marks that a touchdown moves are met after it",
               marks_that_a_touchdown_moves_are_met_after_it})
