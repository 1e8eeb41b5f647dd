/** Contacts with laws and springs that act on one side, against closed forms and equations by hand.
 */
#include "differences.h"
#include "equation_model.h"
#include "force.h"
#include "kernels/run_one.h"
#include "model_text.h"

enum { MOST_EVENTS = 200, FINE = 3000 };
static double at_events[MOST_EVENTS * 2 * SAL_MAX_STATE]; /* of the last run */

static const double pi = 3.14159265358979323846;

static sal_model_file *mass_on(const char *rest)
{
  char text[2048];

  snprintf(
      text, sizeof text,
      "name: mass\nspan: 2\nparameters: {m: {preset: 2, allowed: [0.1, 10]}, k: {preset: 50}, e: "
      "{preset: 0.5}}\nbodies:\n  - {name: ball, kind: particle, mass: m, position: 1, "
      "velocity: -3}\n%s",
      rest);
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

/* A run from the preset; its events into log, its last state into y. */
static int run_from(const sal_model *m, const double param[], const char *method,
                    const char *strategy, double tol, double t_end, double y[], sal_event log[])
{
  sal_setup u = config("monopod", method, strategy, tol, t_end);
  sal_events events = {
      .event = log, .capacity = MOST_EVENTS, .state = at_events, .n_state = m->n_state};
  double end[2 * SAL_MAX_STATE];
  sal_samples samples = {.n_mesh = 1, .state = end};

  u.model = m;
  const sal_record out = run_one(&u, param, y, &samples, &events);
  CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
  memcpy(y, end + m->n_state, (size_t)m->n_state * sizeof *y);
  return (int)events.n;
}

/* Half a period of an oscillator, and as long as the elastic impact of two balls (Hertz): without loss the mass comes
 * back at its speed.  Time in contact of p^x: sqrt(pi) Gamma(a) / Gamma(a + 1/2) 2 a / ... with a = 1 / (x + 1). */
static double time_in_contact(double m, double k, double v, double x)
{
  const double a = 1 / (x + 1), depth = pow((x + 1) * m * v * v / (2 * k), a);

  return 2 * depth / v * sqrt(pi) * tgamma(1 + a) / tgamma(0.5 + a);
}

static void compliant_contacts_have_their_closed_forms(void)
{
  static const double exponents[] = {1, 1.5, 3};
  static sal_event log[MOST_EVENTS];

  for (int i = 0; i < 3; ++i) {
    char text[300];
    double param[3], y[2];
    snprintf(text, sizeof text,
             "contacts:\n  - {name: floor, bodies: [ground, ball], normal: [0, 0, 2], P_j: [0, 0, "
             "-0.25], law: {compliant: {k: k, exponent: %g}}}\n",
             exponents[i]);
    sal_model_file *file = mass_on(text);
    const sal_model *m = sal_model_file_model(file);
    preset(m, param, y);
    CU_ASSERT_FALSE(m->resets);
    CU_ASSERT_EQUAL_FATAL(run_from(m, param, "dop853", "event", 1e-12, 2, y, log), 2);
    CU_ASSERT_DOUBLE_EQUAL(log[0].t, 0.25, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(log[1].t - log[0].t, time_in_contact(2, 50, 3, exponents[i]), 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(y[1], 3, 1e-10);
    if (i == 0) CU_ASSERT_DOUBLE_EQUAL(log[1].t - log[0].t, pi / 5, 1e-10);
    sal_model_file_free(file);
  }
}

/* A line between two balls pushes like a plane: two particles over each other as one reduced mass. */
static void two_points_push_apart(void)
{
  static sal_event log[MOST_EVENTS];
  sal_model_file *file = parse_model(
      "name: balls\nbodies:\n"
      "  - {name: low, kind: planar, mass: 3, inertia: 1, position: [0, 0], velocity: [0.4, 1]}\n"
      "  - {name: high, kind: planar, mass: 6, inertia: 1, position: [0.6, 0.8], velocity: [0.4, "
      "1]}\n"
      "contacts:\n  - {name: skin, bodies: [low, high], length: 0.5, law: {compliant: {k: "
      "200}}}\n");
  const sal_model *m = sal_model_file_model(file);
  double y[12], p[1];

  preset(m, p, y);
  y[6 + 3] -= 0.6 * 2, y[6 + 4] -= 0.8 * 2; /* high comes at 2 along the line */
  CU_ASSERT_EQUAL_FATAL(run_from(m, p, "dop853", "event", 1e-12, 1, y, log), 2);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, 0.25, 1e-11);
  CU_ASSERT_DOUBLE_EQUAL(log[1].t - log[0].t, pi / sqrt(200 / 2.), 1e-10);
  CU_ASSERT_DOUBLE_EQUAL((y[9] - y[6]) * 0.6 + (y[10] - y[7]) * 0.8, 2, 1e-10);
  sal_model_file_free(file);
}

/* The exact flight and half oscillation of a spring that only pushes, or pulls; with a damper a force of the other sign
 * would follow, which is 0. */
static void one_sided_springs_have_their_closed_forms(void)
{
  static sal_event log[MOST_EVENTS];
  static const char *const strategies[] = {"event", "switch"};
  double param[3], y[2], f[2];
  bool closed[1] = {false};

  for (int pull = 0; pull < 2; ++pull) {
    char text[200];
    snprintf(
        text, sizeof text,
        "springs:\n  - {name: stop, type: axis, bodies: [ground, ball], k: k, l0: %g, only: %s, "
        "closes: touches, opens: leaves}\n",
        pull ? 2. : 0.5, pull ? "pull" : "push");
    sal_model_file *file = mass_on(text);
    const sal_model *m = sal_model_file_model(file);
    CU_ASSERT_STRING_EQUAL(m->contact[0].closes, "touches");
    for (int s = 0; s < 2; ++s) {
      preset(m, param, y);
      if (pull) y[1] = 3;
      const double way = pull ? 1 : 0.5;
      const int n = run_from(m, param, "dop853", strategies[s], 1e-12, 1.5, y, log);
      if (s == 0) {
        CU_ASSERT_EQUAL_FATAL(n, 2);
        CU_ASSERT_DOUBLE_EQUAL(log[0].t, way / 3, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(log[1].t, way / 3 + pi / 5, 1e-10);
      }
      const double end =
          (pull ? 2 - 3 * (1.5 - pi / 5 - way / 3) : 0.5 + 3 * (1.5 - pi / 5 - way / 3));
      CU_ASSERT_DOUBLE_EQUAL(y[0], end, s ? 1e-7 : 1e-10);
      CU_ASSERT_DOUBLE_EQUAL(y[1], pull ? -3 : 3, s ? 1e-7 : 1e-10);
    }
    sal_model_file_free(file);
  }
  sal_model_file *file =
      mass_on("springs:\n  - {name: stop, type: axis, bodies: [ground, ball], k: 50, "
              "c: 10, l0: 0.5, only: push}\n");
  const sal_model *m = sal_model_file_model(file);
  preset(m, param, y);
  sal_model_field(m, param, closed, 0, (double[]){0.6, -3}, f);
  CU_ASSERT(f[1] == 0);
  closed[0] = true;
  sal_model_field(m, param, closed, 0, (double[]){0.4, -3}, f);
  CU_ASSERT_DOUBLE_EQUAL(f[1], (50 * 0.1 + 30) / 2, 1e-13);
  sal_model_field(m, param, closed, 0, (double[]){0.4, 1}, f); /* the damper would pull */
  CU_ASSERT(f[1] == 0);
  sal_model_file_free(file);
}

/* The free stop of the quarter car exerts no force: the same bits as a car without one. */
static void a_free_stop_exerts_no_force(void)
{
  static char text[MODEL_TEXT];
  sal_model_file *file = read_model("quarter-car.yaml");
  const sal_model *m = sal_model_file_model(file);
  strcpy(text, sal_model_file_text(file));
  *strstr(text, "\ncontacts:") = '\0';
  sal_model_file *bare = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(bare);
  unsigned seed = 11;
  double param[SAL_MAX_PARAM], y[4], f[4], g[4];
  int free = 0, pressed = 0;

  preset(m, param, y);
  CU_ASSERT_EQUAL(m->n_guard, 2);
  for (int i = 0; i < 200; ++i) {
    const double axle = 0.3 + 0.1 * draw(&seed), gap = 0.1 * draw(&seed);
    const double at[4] = {axle, axle + 0.25 + gap, draw(&seed), draw(&seed)};
    const bool closed[2] = {gap <= 0, axle <= 0.3}, without[1] = {axle <= 0.3};
    sal_model_field(m, param, closed, 0, at, f);
    sal_model_field(sal_model_file_model(bare), param, without, 0, at, g);
    const bool same = memcmp(f, g, sizeof f) == 0;
    CU_ASSERT_EQUAL(same, gap > 0);
    if (!same) {
      const double push = pow(-gap, 1.5) * fmax(0, 1e6 - 1e5 * (at[3] - at[2]));
      CU_ASSERT_DOUBLE_EQUAL(f[3] - g[3], push / 300, 1e-9 * (1 + push));
      CU_ASSERT_DOUBLE_EQUAL(f[2] - g[2], -push / 40, 1e-9 * (1 + push));
    }
    ++*(gap > 0 ? &free : &pressed);
  }
  CU_ASSERT(free > 50 && pressed > 50);
  sal_model_file_free(bare);
  sal_model_file_free(file);
}

static double energy_of_car(const double y[4])
{
  const double s = y[1] - y[0] - 0.5, tyre = fmin(0, y[0] - 0.3), p = fmax(0, 0.25 - (y[1] - y[0]));

  return 20 * y[2] * y[2] + 150 * y[3] * y[3] + 9.81 * (40 * y[0] + 300 * y[1]) + 1e4 * s * s +
         1e5 * tyre * tyre + 1e6 * pow(p, 2.5) / 2.5;
}

static double energy_of_cart(const double p[], const double y[4])
{
  const double c = cos(y[1]), s = sin(y[1]), v = y[2] - 0.5 * c * y[3], w = -0.5 * s * y[3];

  return p[0] / 2 * y[2] * y[2] + p[1] / 2 * (v * v + w * w) + p[2] / 2 * y[3] * y[3] +
         p[1] * 9.81 * 0.5 * c + p[3] / 2 * y[0] * y[0];
}

static void energy_never_rises(void)
{
  static const char *const names[] = {"quarter-car.yaml", "cart-pole.yaml"};
  static double state[FINE + 1][4];
  static sal_event log[MOST_EVENTS];

  for (int i = 0; i < 2; ++i) {
    sal_model_file *file = read_model(names[i]);
    const sal_model *m = sal_model_file_model(file);
    sal_setup u = config("monopod", "dop853", "event", 1e-11, m->span);
    sal_samples samples = {.n_mesh = FINE, .state = state[0]};
    sal_events events = {
        .event = log, .capacity = MOST_EVENTS, .state = at_events, .n_state = m->n_state};
    double p[SAL_MAX_PARAM], y[4], before = INFINITY, first = 0;
    CU_ASSERT_PTR_NULL(sal_model_file_note(file));
    preset(m, p, y);
    u.model = m;
    const sal_record out = run_one(&u, p, y, &samples, &events);
    CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
    CU_ASSERT(events.n >= 5);
    for (int k = 0; k <= FINE; ++k) {
      const double E = i ? energy_of_cart(p, state[k]) : energy_of_car(state[k]);
      CU_ASSERT(E <= before + (i ? 1e-9 : 1e-7));
      if (k == 0) first = E;
      before = E;
    }
    CU_ASSERT(before < 0.9 * first);
    for (int k = 0; i == 1 && k < events.n && k < MOST_EVENTS; ++k)
      CU_ASSERT(energy_of_cart(p, log[k].y) <= energy_of_cart(p, log[k].ahead) + 1e-10);
    sal_model_file_free(file);
  }
}

/* The tip's speed from the wall is e times that towards it, and what is along the wall keeps its momentum. */
static void rigid_contacts_restore_exactly(void)
{
  sal_model_file *file = read_model("cart-pole.yaml");
  const sal_model *m = sal_model_file_model(file);
  unsigned seed = 4;
  double p[SAL_MAX_PARAM], y[4], was[4], gap[1];
  int n = 0;

  preset(m, p, y);
  CU_ASSERT(m->resets);
  for (int i = 0; i < 200; ++i) {
    bool closed[1] = {true};
    p[5] = i % 10 == 0 ? 0 : 0.5 + 0.5 * draw(&seed);
    y[1] = draw(&seed), y[0] = 0.4 + sin(y[1]) + 1e-13 * draw(&seed);
    y[2] = 3 * draw(&seed), y[3] = 3 * draw(&seed);
    const double c = cos(y[1]), before = -y[2] + c * y[3];
    if (before > -0.01) continue;
    ++n;
    memcpy(was, y, sizeof y);
    sal_model_jump(m, p, 0, closed, 0, y);
    const double after = -y[2] + c * y[3];
    /* it is put onto the wall first */
    CU_ASSERT_DOUBLE_EQUAL(after, -p[5] * before, 1e-12 * (1 + fabs(y[2]) + fabs(y[3])));
    CU_ASSERT_DOUBLE_EQUAL(y[1], was[1], 1e-12);
    if (!closed[0]) {
      sal_model_gaps(m, p, 0, y, gap);
      CU_ASSERT(gap[0] >= 0 && gap[0] < 1e-13);
    }
    /* M dv = G' L of two numbers: one is free */
    const double dv = y[2] - was[2], dw = y[3] - was[3],
                 L = -((p[0] + p[1]) * dv - p[1] * 0.5 * c * dw);
    CU_ASSERT(L > 0);
    CU_ASSERT_DOUBLE_EQUAL((p[1] * 0.25 + p[2]) * dw - p[1] * 0.5 * c * dv, c * L, 1e-12);
    CU_ASSERT(energy_of_cart(p, y) <= energy_of_cart(p, was) + 1e-11);
  }
  CU_ASSERT(n > 50);
  sal_model_file_free(file);
}

/* A level bar that lies on one end and falls on the other one: the first end is thrown up where the bar does not turn
 * easily (J > m d^2), and is pressed down where it does. */
static void the_other_end_leaves_or_stays(void)
{
  sal_model_file *file = parse_model(
      "name: bar\ngravity: [0, -9.81]\nparameters: {J: {preset: 0.3, allowed: [0.01, 10]}, e: "
      "{preset: 0, allowed: [0, 1]}}\n"
      "bodies:\n  - {name: bar, kind: planar, mass: 1, inertia: J, position: [0, 0]}\n"
      "contacts:\n  - {name: left, bodies: [ground, bar], normal: [0, 1], P_j: [-1, 0], law: "
      "{rigid: "
      "{restitution: e}}}\n"
      "  - {name: right, bodies: [ground, bar], normal: [0, 1], P_j: [1, 0], law: {rigid: "
      "{restitution: e}}}\n");
  const sal_model *m = sal_model_file_model(file);
  unsigned seed = 9;
  int left = 0;

  for (int i = 0; i < 60; ++i) {
    const double p[] = {1 + 0.9 * draw(&seed), i % 2 ? 0.5 + 0.4 * draw(&seed) : 0};
    double y[] = {0, 0, 0, 0.3, -1, -1}, gap[2]; /* the left end rests: v - w d = 0 */
    bool closed[] = {true, true};
    if (fabs(p[0] - 1) < 0.01) continue;
    sal_model_jump(m, p, 1, closed, 0, y);
    CU_ASSERT_EQUAL(closed[1], p[1] == 0);
    CU_ASSERT_EQUAL(closed[0], p[0] < 1);
    CU_ASSERT_DOUBLE_EQUAL(y[4] + y[5], p[1] * 2, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(y[4] - y[5], p[0] < 1 ? 0 : (1 + p[1]) * 2 * (p[0] - 1) / (1 + p[0]),
                           1e-14);
    CU_ASSERT(y[3] == 0.3);
    CU_ASSERT(y[4] * y[4] + p[0] * y[5] * y[5] <= (1 + p[0]) * (1 + 1e-14));
    sal_model_gaps(m, p, 0, y, gap);
    for (int k = 0; k < 2; ++k) CU_ASSERT(closed[k] ? fabs(gap[k]) < 1e-14 : gap[k] >= 0);
    left += closed[0];
  }
  CU_ASSERT(left > 10 && left < 50);
  /* at rest each end carries half of the weight, and the gap of a closed contact is minus that */
  const double p[] = {0.3, 0.5}, y[6] = {0}, slope[6] = {0};
  const bool both[] = {true, true};
  double gap[2], rate[2];
  sal_model_rates(m, p, both, 0, y, slope, gap, rate);
  for (int k = 0; k < 2; ++k) CU_ASSERT_DOUBLE_EQUAL(gap[k], -9.81 / 2, 1e-13);
  sal_model_file_free(file);
}

/* A bar on three points shares its weight among them; of one that a joint holds, what follows from others carries nothing. */
static void a_contact_that_says_nothing_new_is_no_harm(void)
{
  sal_model_file *file = parse_model(
      "name: bar\ngravity: [0, -10]\nbodies:\n"
      "  - {name: bar, kind: planar, mass: 3, inertia: 1, position: [0, 0.5]}\n"
      "contacts:\n  - {name: left, bodies: [ground, bar], normal: [0, 1], P_j: [-1, 0], law: "
      "{rigid: {}}}\n"
      "  - {name: right, bodies: [ground, bar], normal: [0, 1], P_j: [1, 0], law: {rigid: {}}}\n"
      "  - {name: middle, bodies: [ground, bar], normal: [0, 1], law: {rigid: {}}}\n");
  const sal_model *m = sal_model_file_model(file);
  static sal_event log[MOST_EVENTS];
  const bool all[3] = {true, true, true};
  double y[6], f[6], gap[3], rate[3], p[1];

  preset(m, p, y);
  y[1] = 0;
  sal_model_field(m, p, all, 0, y, f);
  CU_ASSERT(fabs(f[4]) < 1e-12 && fabs(f[5]) < 1e-12);
  sal_model_rates(m, p, all, 0, y, f, gap, rate);
  for (int k = 0; k < 3; ++k) {
    CU_ASSERT_DOUBLE_EQUAL(gap[k], -10, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(rate[k], 0, 1e-6);
  }
  preset(m, p, y);
  const int n = run_from(m, p, "ode45", "event", 1e-8, 1, y, log);
  CU_ASSERT(n >= 2 && n < 10);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, sqrt(0.1), 1e-9);
  CU_ASSERT(fabs(y[1]) < 1e-12 && fabs(y[4]) < 1e-12 && fabs(y[2]) < 1e-12);
  sal_model_file_free(file);
}

/* Two balls: momentum stays, and the speed along the line of centres is e times that before. */
static void two_balls_rebound(void)
{
  sal_model_file *file = parse_model(
      "name: balls\nparameters: {e: {preset: 0.7, allowed: [0, 1]}}\nbodies:\n"
      "  - {name: low, kind: planar, mass: 3, inertia: 1, position: [0, 0], velocity: [0.5, 0]}\n"
      "  - {name: high, kind: planar, mass: 5, inertia: 1, position: [0.6, 0.8], velocity: [-0.6, "
      "-0.8]}\n"
      "contacts:\n  - {name: skin, bodies: [low, high], length: 0.5, law: {rigid: {restitution: "
      "e}}}\n");
  const sal_model *m = sal_model_file_model(file);
  static sal_event log[MOST_EVENTS];
  double y[12], p[1], d[2];

  preset(m, p, y);
  CU_ASSERT_EQUAL_FATAL(run_from(m, p, "ode45", "event", 1e-9, 1, y, log), 1);
  const double *a = log[0].ahead, *b = log[0].y;
  for (int i = 0; i < 2; ++i) d[i] = (a[3 + i] - a[i]) / 0.5;
  CU_ASSERT_DOUBLE_EQUAL(hypot(d[0], d[1]), 1, 1e-12);
  const double before = (a[9] - a[6]) * d[0] + (a[10] - a[7]) * d[1];
  const double after = (b[9] - b[6]) * d[0] + (b[10] - b[7]) * d[1];
  CU_ASSERT(before < -1);
  CU_ASSERT_DOUBLE_EQUAL(after, -0.7 * before, 1e-12);
  for (int i = 0; i < 2; ++i)
    CU_ASSERT_DOUBLE_EQUAL(3 * a[6 + i] + 5 * a[9 + i], 3 * b[6 + i] + 5 * b[9 + i], 1e-13);
  CU_ASSERT(a[8] == b[8] && a[11] == b[11]);
  sal_model_file_free(file);
}

/* The same system in equations, by hand. */
static const char by_hand[] =
    "equations: 1\nname: cart-pole-text\nspan: 4\nparameters:\n"
    "  M: {preset: 1}\n  m: {preset: 0.3}\n  J: {preset: 0.025}\n  k: {preset: 5}\n  c: {preset: "
    "0.2}\n"
    "  e: {preset: 0.6}\n"
    "states:\n  x: {preset: 0}\n  th: {preset: 0}\n  v: {preset: 0.25, rate_of: x}\n  w: {preset: "
    "-0.5, rate_of: th}\n"
    "let:\n  A: M + m\n  B: -0.5 * m * cos(th)\n  C: m * 0.25 + J\n  D: A * C - B * B\n"
    "  h1: -k * x - c * v - m * 0.5 * sin(th) * w^2\n  h2: m * 9.81 * 0.5 * sin(th)\n"
    "  f1: (C * h1 - B * h2) / D\n  f2: (A * h2 - B * h1) / D\n"
    "  g: cos(th)\n  i1: (-C - B * g) / D\n  i2: (A * g + B) / D\n  Q: -i1 + g * i2\n"
    "  G: -v + g * w\n  L: (f1 - g * f2 + sin(th) * w^2) / Q\n"
    "  held: wall\n  P: -(1 + (0 if rests else e)) * G / Q\n"
    "contacts:\n  wall: {names: [impact, release], gap: 0.4 - x + sin(th), release: L,\n"
    "    closes: {v: v + i1 * P, w: w + i2 * P}, stays: rests or e == 0}\n"
    "flow: {x: v, th: w, v: f1 + (i1 * L if wall else 0), w: f2 + (i2 * L if wall else 0)}\n";

static void a_cart_pole_moves_as_by_hand(void)
{
  static sal_event log[2][MOST_EVENTS];
  sal_model_file *file = read_model("cart-pole.yaml");
  sal_equation_model *e;
  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("hand.yaml", by_hand, &e), SAL_OK);
  const sal_model *m[2] = {sal_model_file_model(file), sal_equation_model_get(e)};

  for (int loss = 0; loss < 2; ++loss) { /* with rebounds until it rests; without any */
    double p[SAL_MAX_PARAM], y[2][4];
    int n[2];
    preset(m[0], p, y[0]);
    if (loss) p[5] = 0;
    memcpy(y[1], y[0], sizeof *y);
    for (int i = 0; i < 2; ++i) n[i] = run_from(m[i], p, "dop853", "event", 1e-12, 4, y[i], log[i]);
    CU_ASSERT(n[0] > (loss ? 1 : 10));
    for (int k = 0; k < 4; ++k) CU_ASSERT_DOUBLE_EQUAL(y[0][k], y[1][k], 1e-9);
    for (int k = 0; k < n[0] && k < 4; ++k) {
      CU_ASSERT_DOUBLE_EQUAL(log[0][k].t, log[1][k].t, 1e-9);
      CU_ASSERT_EQUAL(log[0][k].closes, log[1][k].closes);
    }
  }
  sal_equation_model_free(e);
  sal_model_file_free(file);
}

SAL_TEST_MAIN("contact law", NULL,
              {"compliant contacts", compliant_contacts_have_their_closed_forms},
              {"two points", two_points_push_apart},
              {"one-sided springs", one_sided_springs_have_their_closed_forms},
              {"a free stop", a_free_stop_exerts_no_force},
              {"energy never rises", energy_never_rises},
              {"restitution", rigid_contacts_restore_exactly},
              {"two ends", the_other_end_leaves_or_stays}, {"two balls", two_balls_rebound},
              {"three feet", a_contact_that_says_nothing_new_is_no_harm},
              {"cart and pole by hand", a_cart_pole_moves_as_by_hand})
