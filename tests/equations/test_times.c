/** Times in the flow: every method stops where a comparison of t, a step of t or a contact by every(T) changes.
 *
 *  Right values are closed forms.
 */
#include "equation_text.h"
#include "kernels/run_one.h"

static sal_equation_model *parse(const char *text)
{
  sal_equation_model *made;

  if (sal_equation_model_parse("times.yaml", text, &made) != SAL_OK)
    fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  return made;
}

static sal_setup setup_of(const sal_equation_model *e, const sal_method *method,
                          const char *strategy, double tol, double t_end)
{
  return (sal_setup){.model = sal_equation_model_get(e),
                     .method = method,
                     .strategy = sal_registry_strategy(strategy),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .max_attempts = 10000000};
}

/* Runs it from the presets of the states; end [n_state]. */
static sal_record run(const sal_setup *u, const double param[], double end[])
{
  double initial[SAL_MAX_STATE];
  const sal_job job = {.param = param, .initial = initial, .end = end};
  sal_record r;

  for (int i = 0; i < u->model->n_state; ++i) initial[i] = u->model->state[i].preset;
  run_batch(u, 1, 1, &job, &r);
  return r;
}

static void expect(bool fine, const sal_setup *u, const sal_record *r, const char *what, int line)
{
  if (!fine)
    printf("\n    %s by %s, %s at %g: outcome %d at t = %.17g, %d events, %g restarts",
           u->model->name, u->method->name, u->strategy->name, u->rtol, outcome(r),
           r->value[SAL_METRIC_T_REACHED], n_event(r), r->value[SAL_METRIC_RESTARTS]);
  CU_assertImplementation(fine, (unsigned)line, what, __FILE__, "", CU_FALSE);
}
#define EXPECT(fine) expect(fine, &u, &r, #fine, __LINE__)
#define RESTARTS(r) ((int)(r).value[SAL_METRIC_RESTARTS])

static bool can_run(const sal_method *method, const sal_equation_model *e, double tol)
{
  return (tol > 1e-6 || is_frugal(method)) &&
         (!method->second_order || sal_model_is_second_order(sal_equation_model_get(e)));
}

/* ---- a pulse in a rest of 20 ---- */

static const char pulse[] = "equations: 1\nname: pulse\nspan: 100\n"
                            "parameters: {F: {preset: 1000}}\n"
                            "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
                            "flow:\n  x: v\n"
                            "  v: (F if t > 20 and t < 20.1 else 0) - x - 2 * v\n";

/* Both ends of it add -+ F (1 + s) e^-s; the largest value of x, 36.77, is at s = d e^d / (e^d - 1). */
static void a_pulse_is_met_by_every_method(void)
{
  static const char *const strategies[] = {"event", "switch"};
  const double d = 20.1 - 20, s = d / -expm1(-d), param[] = {1000};
  const double right = 1000 * ((1 + s - d) * exp(d - s) - (1 + s) * exp(-s));
  sal_equation_model *e = parse(pulse);
  double end[2];

  CU_ASSERT_DOUBLE_EQUAL(right, 36.77, 0.005);
  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int digit = 3; digit <= 10; ++digit)
      for (int k = 0; k < 2; ++k) {
        const sal_method *method = sal_registry_methods[i];
        const double tol = pow(10, -digit);
        if (!can_run(method, e, tol)) continue;
        const sal_setup u = setup_of(e, method, strategies[k], tol, 20 + s);
        const sal_record r = run(&u, param, end);
        EXPECT(outcome(&r) == SAL_OUT_DONE && RESTARTS(r) == 2 && n_event(&r) == 0);
        EXPECT(fabs(end[0] - right) < 200 * (method->embedded > 2 ? tol : cbrt(tol * tol)) * right);
      }
  sal_equation_model_free(e);
}

/* ---- clocks ---- */

static const char clocks[] =
    "equations: 1\nname: clocks\nparameters: {T: {preset: 0.3}, d: {preset: 0.1}}\n"
    "states:\n  x: {preset: 0}\n  y: {preset: 0}\n  z: {preset: 0}\n  back: {preset: 0}\n  ramp: "
    "{preset: 0}\n"
    "flow:\n  x: 1 if t % T < d else 0\n  y: t % T\n  z: floor(t / T)\n  back: (T / 3 - t) % T\n"
    "  ramp: max(0, min(t - T, d)) + abs(t - T)\n";

/* Polynomials between stops: exact but for rounding, whatever the tolerance, by methods of order 2. */
static void clocks_are_polynomials_between_stops(void)
{
  const double T = 0.3, d = 0.1, t = 2, rest = t - 6 * T, param[] = {T, d};
  /* (T / 3 - t) % T falls from T / 3, and from T to 0 after t = T / 3, 4 T / 3, .. */
  const double last = t - 6 * T - T / 3;
  const double right[] = {6 * d + d, 3 * T * T + rest * rest / 2, 15 * T + 6 * rest,
                          T * T / 18 + 6 * T * T / 2 + T * last - last * last / 2,
                          d * d / 2 + d * (t - T - d) + (T * T + (t - T) * (t - T)) / 2};
  sal_equation_model *e = parse(clocks);
  double end[5];

  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int digit = 3; digit <= 9; digit += 3) {
      const sal_method *method = sal_registry_methods[i];
      if (!can_run(method, e, pow(10, -digit))) continue;
      const sal_setup u = setup_of(e, method, "event", pow(10, -digit), t);
      const sal_record r = run(&u, param, end);
      /* 6 ticks, 7 ends of pulses, one of which is that of the ramp, 7 ticks of back, where pulses end */
      EXPECT(outcome(&r) == SAL_OUT_DONE && RESTARTS(r) == 13);
      const double bound = method->min_order > 1 ? 1e-12 : 100 * u.rtol;
      for (int k = 0; k < 5; ++k) EXPECT(fabs(end[k] - right[k]) < bound);
    }
  sal_equation_model_free(e);
}

/* Ends that are parameters, rates of either sign or 0, and shifts of t that rounding spoils. */
static const char windows[] =
    "equations: 1\nname: windows\nparameters:\n  a: {preset: 1}\n  b: {preset: 2}\n  w: {preset: "
    "1}\nstates:\n  x: {preset: 0}\n  y: {preset: 0}\n  z: {preset: 0}\nflow:\n"
    "  x: window(t, a, b)\n  y: 1 if w * t + a > b + w else 0\n  z: (t + a) % (b - a)\n";

static double integral_of_modulo(double from, double to, double T)
{
  const double n = floor(from / T), m = floor(to / T);

  return (m - n) * T * T / 2 + pow(to - m * T, 2) / 2 - pow(from - n * T, 2) / 2;
}

static void ends_of_windows_are_parameters_of_cells(void)
{
  enum { N = 37 };
  static double param[N][3], initial[N][3], end[3][N][3];
  static sal_record record[3][N];
  sal_equation_model *e = parse(windows);

  for (int w = 0; w < 3; ++w) {
    const int width = w == 0 ? 1 : 4 * w;
    const sal_setup u = setup_of(e, sal_registry_method("ode45"), "event", 1e-5, 4);
    sal_job job[N];
    for (int i = 0; i < N; ++i) {
      param[i][0] = 0.1 * i - 0.5;
      param[i][1] = param[i][0] + (i % 5) * 0.3 + 0.1;
      param[i][2] = i % 3 - 1;
      job[i] = (sal_job){.param = param[i], .initial = initial[i], .end = end[w][i]};
    }
    run_batch(&u, width <= sal_integrate_widest() ? width : 1, N, job, record[w]);
    CU_ASSERT(memcmp(end[w], end[0], sizeof end[0]) == 0);
    CU_ASSERT(memcmp(record[w], record[0], sizeof record[0]) == 0);
  }
  for (int i = 0; i < N; ++i) {
    const double a = param[i][0], b = param[i][1], w = param[i][2];
    const double from = fmin(fmax(a, 0), 4), to = fmin(fmax(b, 0), 4);
    const double at = w != 0 ? fmin(fmax((b + w - a) / w, 0), 4) : 0;
    CU_ASSERT_DOUBLE_EQUAL(end[0][i][0], to - from, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(end[0][i][1], w > 0 ? 4 - at : w < 0 ? at : 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(end[0][i][2], integral_of_modulo(a, 4 + a, b - a), 1e-11);
  }
  sal_equation_model_free(e);
}

/* Rounding puts ticks on either side of the times that they stand for, at t = 0 too: each is passed once. */
static void shifted_clocks_tick_once(void)
{
  static const double shift[] = {0.3, 0.7, -0.6, 1e3, -12345.6};

  for (size_t i = 0; i < sizeof shift / sizeof *shift; ++i) {
    char text[256];
    double end[2];
    snprintf(text, sizeof text,
             "equations: 1\nname: shifted\nstates: {x: {preset: 0}, n: {preset: 0}}\n"
             "flow:\n  x: (t + %.17g) %% 0.1\n  n: floor((t + %.17g) / 0.1)\n",
             shift[i], shift[i]);
    sal_equation_model *e = parse(text);
    const sal_setup u = setup_of(e, sal_registry_method("ode45"), "event", 1e-3, 0.96);
    const sal_record r = run(&u, NULL, end);
    const double noise = 1e-12 * fmax(fabs(shift[i]), 1);
    EXPECT(outcome(&r) == SAL_OUT_DONE && RESTARTS(r) == 9);
    EXPECT(fabs(end[0] - (9 * 0.005 + 0.0018)) < noise);
    EXPECT(fabs(end[1] - (9.6 * shift[i] + 3.6 + 9 * 0.06)) < 10 * noise);
    sal_equation_model_free(e);
  }
}

/* ---- every(T) ---- */

static const char kicks[] =
    "equations: 1\nname: kicks\nparameters: {T: {preset: 0.7}, p: {preset: 1}}\n"
    "states: {x: {preset: 1}, v: {preset: 0, rate_of: x}}\ndiscrete: {n: {preset: 0}}\n"
    "contacts:\n  every: {names: [kick, back], gap: every(T), closes: {v: v + p, n: n + 1}}\n"
    "  third: {names: [count, uncount], gap: every(3 * T), closes: {n: n + 100}}\n"
    "flow:\n  x: v\n  v: -x\n";

/* x - i v turns by e^it; a kick takes i p from it. */
static void right_after_kicks(double T, double p, double t, int n, double end[2])
{
  double re = cos(t), im = sin(t);

  for (int k = 1; k <= n; ++k) {
    re += p * sin(t - k * T);
    im -= p * cos(t - k * T);
  }
  end[0] = re;
  end[1] = -im;
}

static void a_kicked_oscillator_is_kicked_at_each_time(void)
{
  static const struct {
    double t_end;
    int n, third;
  } ends[] = {{10, 14, 4}, {0.7 * 9, 9, 3}, {0.7, 1, 0}, {0.6, 0, 0}};
  const double param[] = {0.7, 0.25};
  sal_equation_model *e = parse(kicks);
  double end[3], right[2];

  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int digit = 3; digit <= 9; digit += 2)
      for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k) {
        const sal_method *method = sal_registry_methods[i];
        const double tol = pow(10, -digit), t_end = ends[k].t_end;
        const int n = ends[k].n, both = n + ends[k].third;
        if (!can_run(method, e, tol)) continue;
        const sal_setup u = setup_of(e, method, "event", tol, t_end);
        const sal_record r = run(&u, param, end);
        right_after_kicks(param[0], param[1], t_end, n, right);
        EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == both);
        EXPECT(RESTARTS(r) == n - (t_end == n * param[0])); /* nothing begins at the end */
        EXPECT(end[2] == n + 100 * ends[k].third);
        const double bound = 1e3 * (method->embedded > 2 ? tol : cbrt(tol * tol));
        EXPECT(fabs(end[0] - right[0]) < bound && fabs(end[1] - right[1]) < bound);
      }
  sal_equation_model_free(e);
}

/* Fixed steps longer than a period, and zones: a timed contact fires at its times alone, and never rests. */
static void projections_leave_timed_contacts_alone(void)
{
  const double param[] = {0.7, 0.25};
  sal_equation_model *e = parse(kicks);
  double end[3];

  for (int i = 0; sal_registry_strategies[i]; ++i) {
    const sal_strategy *s = sal_registry_strategies[i];
    if (!s->held) continue;
    for (int big = 0; big < 2; ++big) {
      sal_setup u = setup_of(e, sal_registry_method("ode45"), s->name, 1e-6, 10);
      u.zone = 5e-4;
      u.zone_in_time = true;
      u.fixed_step = s->fixed ? (big ? 1 : 0.01) : 0;
      const sal_record r = run(&u, param, end);
      EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 18 && end[2] == 414);
    }
  }
  sal_equation_model_free(e);
}

/* ---- contacts at stops ---- */

/* A force that leaps above friction releases a contact there, to the last digit. */
static void a_leap_of_a_force_releases_a_contact(void)
{
  sal_equation_model *e =
      parse("equations: 1\nname: leap\nparameters: {a: {preset: 1.3}}\n"
            "states: {x: {preset: 0}, v: {preset: 0, rate_of: x}}\n"
            "let: {F: 3 if t >= a else 0.5}\n"
            "contacts:\n  grip: {names: [sticks, slides], kind: friction, gap: v,\n"
            "    release: 1 - abs(F), closes: {v: 0}, opens: {v: 0}}\n"
            "flow:\n  x: 0 if grip else v\n  v: 0 if grip else F - 1\n");
  double end[2];

  for (int i = 0; sal_registry_methods[i]; ++i) {
    const double param[] = {1.3};
    if (!can_run(sal_registry_methods[i], e, 1e-4)) continue;
    const sal_setup u = setup_of(e, sal_registry_methods[i], "event", 1e-4, 2);
    const sal_record r = run(&u, param, end);
    EXPECT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 1);
    const double bound = u.method->min_order > 1 ? 1e-12 : 100 * u.rtol;
    EXPECT(fabs(end[0] - 0.49) < bound && fabs(end[1] - 1.4) < 1e-12);
  }
  sal_equation_model_free(e);
}

/* ---- words ---- */

static void new_words_are_names_where_no_parenthesis_follows(void)
{
  sal_equation_model *e =
      parse("equations: 1\nname: words\nparameters: {window: {preset: 2}}\n"
            "states: {floor: {preset: 0.5}, every: {preset: 0}}\n"
            "flow:\n  floor: window * every + floor(2.7 - every) + floor\n  every: floor\n");
  const double param[] = {2}, y[] = {0.5, 4};
  double dy[2];

  sal_model_rhs(sal_equation_model_get(e), param, 0, y, dy);
  CU_ASSERT_EQUAL(dy[0], 8 - 2 + 0.5);
  CU_ASSERT_PTR_NULL(sal_equation_model_get(e)->next_stop);
  sal_equation_model_free(e);
}

static void modulo_and_floor_are_those_of_python(void)
{
  static const struct {
    const char *text;
    double x, value;
  } cases[] = {{"x % a", 5.5, 1.5},      {"x % a", -0.5, 1.5},       {"x % b", 1, -2},
               {"x % b", -1, -1},        {"floor(x)", -2.5, -3},     {"floor(x)", 2.5, 2},
               {"floor(x)", -4, -4},     {"floor(x)", 1e300, 1e300}, {"7 % 4 * 2 + x", 0, 6},
               {"-x % a", 0.5, 1.5},     {"x + 7 % 4 ^ 1", 0, 3},    {"window(x, b, a)", -3, 1},
               {"window(x, b, a)", 2, 0}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    sal_equation_model *e = equation_of(cases[i].text, "");
    CU_ASSERT_PTR_NOT_NULL_FATAL(e);
    CU_ASSERT_EQUAL(slope_of(e, 0, cases[i].x, 0), cases[i].value);
    sal_equation_model_free(e);
  }
}

static void what_is_wrong_is_refused_in_a_sentence(void)
{
  static const struct {
    const char *gap, *flow, *says;
  } wrong[] = {
      {"every(0)", "0", "every(T): T is 0; it has to be above 0"},
      {"every(x)", "0", "every(T): T is made of numbers and parameters alone"},
      {"every(t)", "0", "every(T): T is made of numbers and parameters alone"},
      {"every(1) + x", "0", "every(T) is the gap of a contact, and stands there alone"},
      {"x", "every(1)", "every(T) is the gap of a contact, and stands there alone"},
      {"every(1), release: 1", "0", "a contact whose gap is every(T) only fires"},
      {"every(1), stays: true", "0", "a contact whose gap is every(T) only fires"},
      {"every(b)", "0", "the gap of ticks is nan at the preset"},
      {"x", "window(t, 1)", "window takes 3 operands, not 2"},
      {"x", "floor()", "floor takes 1 operand, not 0"},
      {"x", "x % (t > 1)", "a condition, true or false"},
  };

  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[512];
    sal_equation_model *e;
    snprintf(text, sizeof text,
             "equations: 1\nname: wrong\nparameters: {b: {preset: 0}}\nstates: {x: {preset: 0.5}}\n"
             "contacts:\n  c: {names: [ticks, back], gap: %s}\nflow:\n  x: %s\n",
             wrong[i].gap, wrong[i].flow);
    sal_err_clear();
    CU_ASSERT_NOT_EQUAL(sal_equation_model_parse("w.yaml", text, &e), SAL_OK);
    const bool said = strstr(sal_err_message(), wrong[i].says) != NULL;
    CU_ASSERT(said);
    if (!said) fprintf(stderr, "%s, %s: %s\n", wrong[i].gap, wrong[i].flow, sal_err_message());
    sal_equation_model_free(e);
  }
}

SAL_TEST_MAIN("times", NULL, {"a pulse is met by every method", a_pulse_is_met_by_every_method},
              {"clocks are polynomials between stops", clocks_are_polynomials_between_stops},
              {"ends of windows are parameters of cells", ends_of_windows_are_parameters_of_cells},
              {"shifted clocks tick once", shifted_clocks_tick_once},
              {"a kicked oscillator is kicked at each time",
               a_kicked_oscillator_is_kicked_at_each_time},
              {"projections leave timed contacts alone", projections_leave_timed_contacts_alone},
              {"a leap of a force releases a contact", a_leap_of_a_force_releases_a_contact},
              {"new words are names where no parenthesis follows",
               new_words_are_names_where_no_parenthesis_follows},
              {"modulo and floor are those of Python", modulo_and_floor_are_those_of_python},
              {"what is wrong is refused in a sentence", what_is_wrong_is_refused_in_a_sentence})
