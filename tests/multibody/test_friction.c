/** Friction of compliant contacts: sliding, sticking and breaking away in closed form; exact derivatives of all laws.
 */
#include "differences.h"
#include "kernels/run_one.h"
#include "model_text.h"

enum { MOST_EVENTS = 40 };
static double at_events[MOST_EVENTS * 2 * SAL_MAX_STATE]; /* of the last run */

static const double g = 10;

/* A block of mass 2 at the depth that carries it, 2 g / 1e4, on a plane along [c, s], with what else there is. */
static sal_model_file *block_on(double c, double s, const char *velocity, const char *more)
{
  char text[2048];
  const double depth = 2 * g * c / 1e4;

  snprintf(
      text, sizeof text,
      "name: block\ngravity: [0, -10]\nparameters: {mu: {preset: 0.2, allowed: [0, 2]}}\n"
      "bodies:\n  - {name: block, kind: planar, mass: 2, inertia: 1, position: [%.17g, %.17g], "
      "velocity: %s}\n%s"
      "contacts:\n  - {name: floor, bodies: [ground, block], normal: [%.17g, %.17g], law: "
      "{compliant: {k: 1e4, c: 1e3}},\n     friction: {mu: mu, static: 1.5 * mu}}\n",
      s * depth, -c * depth, velocity, more, -s, c);
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

/* The start's sense of slip is multiplied by 1, or by -1 for a wrong one. */
static int run_told(const sal_model_file *file, double mu, double t_end, double told, double y[],
                    sal_event log[])
{
  const sal_model *m = sal_model_file_model(file);
  sal_setup u = config("monopod", "dop853", "event", 1e-11, t_end);
  sal_events events = {
      .event = log, .capacity = MOST_EVENTS, .state = at_events, .n_state = m->n_state};
  double end[2 * SAL_MAX_STATE], param[2];
  sal_samples samples = {.n_mesh = 1, .state = end};

  preset(m, param, y);
  param[0] = mu;
  y[m->n_state - 1] *= told;
  u.model = m;
  const sal_record out = run_one(&u, param, y, &samples, &events);
  CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
  memcpy(y, end + m->n_state, (size_t)m->n_state * sizeof *y);
  return (int)events.n;
}

static int run_block(const sal_model_file *file, double mu, double t_end, double y[],
                     sal_event log[])
{
  return run_told(file, mu, t_end, 1, y, log);
}

/* v - mu g t until it stops, and there it stays. */
static void a_block_slides_and_stops(void)
{
  static sal_event log[MOST_EVENTS];

  for (int back = 0; back < 2; ++back) {
    sal_model_file *file = block_on(1, 0, back ? "[-3, 0]" : "[3, 0]", "");
    const sal_model *m = sal_model_file_model(file);
    double y[SAL_MAX_STATE];
    CU_ASSERT_EQUAL(m->n_discrete, 1);
    CU_ASSERT_STRING_EQUAL(m->state[6].name, "floor_sense");
    const int n = run_block(file, 0.2, 4, y, log);
    CU_ASSERT_EQUAL_FATAL(n, 1);
    CU_ASSERT_EQUAL(log[0].guard, 1);
    CU_ASSERT_DOUBLE_EQUAL(log[0].t, 3 / (0.2 * g), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[0], (back ? -1 : 1) * 9 / (2 * 0.2 * g), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[3], 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(y[1], -2 * g / 1e4, 1e-12);
    const double end = y[0];
    run_told(file, 0.2, 4, -1, y, log);
    CU_ASSERT_DOUBLE_EQUAL(y[0], end, 1e-9);
    sal_model_file_free(file);
  }
}

/* It falls on the ground sliding, and leaves it: friction takes mu of the impulse of the ground, and sticks no more. */
static void a_block_that_bounces_loses_speed(void)
{
  static sal_event log[MOST_EVENTS];
  sal_model_file *file = block_on(1, 0, "[5, 2]", "");
  double y[SAL_MAX_STATE];
  const int n = run_block(file, 0.2, 0.5, y, log);

  CU_ASSERT_FATAL(n >= 3);
  CU_ASSERT(log[0].guard == 0 && !log[0].closes && log[1].closes && !log[2].closes);
  const double *a = log[1].y, *b = log[2].y, T = log[2].t - log[1].t;
  CU_ASSERT(b[4] > 0.5 && a[4] < -0.5);
  CU_ASSERT_DOUBLE_EQUAL(b[3] - a[3], -0.2 * (b[4] - a[4] + g * T), 1e-9);
  sal_model_file_free(file);
  /* slow, it sticks to the ground, but not in the air */
  file = block_on(1, 0, "[0.01, 2]", "");
  const int m = run_block(file, 0.2, 2, y, log);
  bool on = true, sticks = false, stuck = false;
  for (int k = 0; k < m; ++k) {
    if (log[k].guard == 0) on = log[k].closes, sticks = sticks && on;
    if (log[k].guard == 1) {
      CU_ASSERT(on);
      sticks = log[k].closes;
    }
    stuck = stuck || sticks;
  }
  CU_ASSERT(m >= 3 && stuck);
  CU_ASSERT_DOUBLE_EQUAL(y[3], 0, 1e-12);
  sal_model_file_free(file);
}

/* At rest on a slope it stays below the angle of friction, and beyond it slides at g (s - mu c). */
static void a_slope_holds_or_not(void)
{
  static sal_event log[MOST_EVENTS];
  sal_model_file *file = block_on(0.8, 0.6, "[0, 0]", "");
  double y[SAL_MAX_STATE];

  /* where it breaks away, it slides down */
  const sal_model *m = sal_model_file_model(file);
  bool closed[2] = {true, false};
  double p[2];
  preset(m, p, y);
  sal_model_jump(m, p, 1, closed, 0, y);
  CU_ASSERT(closed[0] && !closed[1] && y[6] == -1);
  CU_ASSERT(y[3] * 0.8 + y[4] * 0.6 <= 0);
  run_block(file, 0.51, 1, y, log); /* tan = 0.75 = 1.5 * 0.5 */
  CU_ASSERT_DOUBLE_EQUAL(hypot(y[3], y[4]), 0, 1e-10);
  run_block(file, 0.49, 1, y, log);
  CU_ASSERT_DOUBLE_EQUAL(y[3] * 0.8 + y[4] * 0.6, -g * (0.6 - 0.49 * 0.8), 1e-8);
  CU_ASSERT_DOUBLE_EQUAL(y[4] * 0.8 - y[3] * 0.6, 0, 1e-8);
  sal_model_file_free(file);
}

/* Pulled by a spring whose other end moves on at speed 0.5: it breaks away where k v t is static m g. */
static void a_pulled_block_breaks_away(void)
{
  static sal_event log[MOST_EVENTS];
  sal_model_file *file = block_on(
      1, 0, "[0, 0]",
      "  - {name: hand, kind: planar, mass: 1e12, inertia: 1, position: [1, 0], velocity: [0.5, "
      "0]}\n"
      "joints:\n  - {name: rail, type: slider, bodies: [ground, hand], f_i: [0, 1], h_j: [1, 0]}\n"
      "springs:\n  - {name: pull, type: axis, axis: x, bodies: [block, hand], k: 20, l0: 1}\n"
      "independent: [block_x, block_y, block_theta, hand_x]\n");
  double y[SAL_MAX_STATE];
  const int n = run_block(file, 0.2, 2.5, y, log);

  CU_ASSERT(n >= 2 && n < 10);
  CU_ASSERT(log[0].guard == 1 && !log[0].closes);
  CU_ASSERT_DOUBLE_EQUAL(log[0].t, 0.3 * 2 * g / (20 * 0.5), 1e-9);
  CU_ASSERT(log[1].guard == 1 && log[1].closes);
  /* u = x - 0.5 t: u'' = -10 u - mu g with u(0) = -0.3, u' = -0.5; it sticks again where u' = -0.5 */
  const double w = sqrt(10), a = -0.3 + 0.2, b = -0.5 / w, phase = 2 * atan2(-a, -b);
  CU_ASSERT_DOUBLE_EQUAL(log[1].t - log[0].t, (2 * 3.14159265358979323846 - phase) / w, 1e-8);
  sal_model_file_free(file);
}

/* f, J, gaps and rates of one model at one point. */
typedef struct {
  const sal_model *m;
  double param[SAL_MAX_P], y[SAL_MAX_STATE];
  bool closed[8];
} point;

/* Jacobian of the accelerations in the point's mode; J [n / 2][n]. */
static void jacobian_at(const sal_model_file *file, const point *at, double J[])
{
  const int n = sal_model_continuous(at->m), half = n / 2;
  solver s = open_solver(file);

  CU_ASSERT_FATAL(sal_reduced_move(s.r, at->y, at->y + half));
  sal_reduced_enter(s.r, at->closed);
  sal_reduced_slide(s.r, at->y + n);
  CU_ASSERT_FATAL(sal_reduced_linearize(s.r));
  for (int i = 0; i < half; ++i)
    for (int j = 0; j < n; ++j) J[i * n + j] = s.r->J[j * (half + s.r->n_c) + i];
  close_solver(&s);
}

static void check_derivatives(const sal_model_file *file, const point *at, double h)
{
  const int n = sal_model_continuous(at->m);
  static double J[SAL_MAX_DENSE * SAL_MAX_DENSE];
  double most = 0, most_rate = 0;

  jacobian_at(file, at, J);
  for (int j = 0; j < n; ++j) {
    double f[6][SAL_MAX_STATE], gap[6][8], slope[SAL_MAX_STATE] = {0}, here[8], rate[8];
    for (int i = 0; i < 6; ++i) {
      double y[SAL_MAX_STATE], none[8];
      memcpy(y, at->y, sizeof y);
      y[j] += sixth_order_at[i] * h;
      sal_model_field(at->m, at->param, at->closed, 0, y, f[i]);
      sal_model_rates(at->m, at->param, at->closed, 0, y, slope, gap[i], none);
    }
    slope[j] = 1;
    sal_model_rates(at->m, at->param, at->closed, 0, at->y, slope, here, rate);
    for (int i = 0; i < n / 2; ++i) {
      const int a = n / 2 + i;
      const double d[6] = {f[0][a], f[1][a], f[2][a], f[3][a], f[4][a], f[5][a]};
      CU_ASSERT_DOUBLE_EQUAL(J[i * n + j], sixth_order(d, h), 1e-6 * (1 + fabs(J[i * n + j])));
      most = fmax(most, fabs(J[i * n + j]));
    }
    for (int k = 0; k < at->m->n_guard; ++k) {
      const double d[6] = {gap[0][k], gap[1][k], gap[2][k], gap[3][k], gap[4][k], gap[5][k]};
      CU_ASSERT_DOUBLE_EQUAL(rate[k], sixth_order(d, h), 1e-6 * (1 + fabs(rate[k])));
      most_rate = fmax(most_rate, fabs(rate[k]));
    }
  }
  CU_ASSERT(most > 1 && most_rate > 0.1);
}

/* A rod on the ground and a rod on it: damped, curved, sliding and held, in contact with plane and point. */
static const char rods[] =
    "name: rods\ngravity: [0, -10]\nbodies:\n"
    "  - {name: a, kind: planar, mass: 2, inertia: 0.3, position: [0, 0.2], angle: 0.4}\n"
    "  - {name: b, kind: planar, mass: 1, inertia: 0.1, position: [0.1, 0.6], angle: -0.3}\n"
    "contacts:\n"
    "  - {name: floor, bodies: [ground, a], normal: [0.1, 1], P_j: [-0.5, -0.05], law: {compliant: "
    "{k: "
    "300, c: 60, exponent: 1.5}}, friction: {mu: 0.3}}\n"
    "  - {name: top, bodies: [a, b], P_i: [0, 0.05], normal: [0.2, 1], P_j: [0.4, -0.2], law: "
    "{compliant: {k: 200, c: 30, exponent: 2}}, friction: {mu: 0.4, static: 0.5}}\n"
    "  - {name: skin, bodies: [a, b], length: 0.7, law: {compliant: {k: 100, c: 20}}}\n"
    "  - {name: wall, bodies: [ground, b], P_i: [0.7, 0], normal: [-1, 0.3], P_j: [0.2, 0], law: "
    "{rigid: {}}}\n"
    "  - {name: hard, bodies: [a, b], length: 0.3, P_j: [0.1, 0], law: {rigid: {restitution: "
    "0.5}}}\n"
    "springs:\n  - {name: cord, bodies: [ground, b], P_i: [0, -1], k: 10, c: 1, l0: 0.9, only: "
    "pull}\n";

/* The same on rigid ground, and against each other. */
static const char hard_rods[] =
    "name: rods\ngravity: [0, -10]\nbodies:\n"
    "  - {name: a, kind: planar, mass: 2, inertia: 0.3, position: [0, 0.2], angle: 0.4}\n"
    "  - {name: b, kind: planar, mass: 1, inertia: 0.1, position: [0.1, 0.6], angle: -0.3}\n"
    "contacts:\n"
    "  - {name: floor, bodies: [ground, a], normal: [0.1, 1], P_j: [-0.5, -0.05], law: {rigid: "
    "{}}, "
    "friction: {mu: 0.3}}\n"
    "  - {name: top, bodies: [a, b], P_i: [0, 0.05], normal: [0.2, 1], P_j: [0.4, -0.2], law: "
    "{rigid: {}}, friction: {mu: 0.4, static: 0.5}}\n";

static void derivatives_of_rigid_friction_are_exact(void)
{
  sal_model_file *file = parse_model(hard_rods);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  point at = {.m = sal_model_file_model(file)};
  unsigned seed = 5;

  CU_ASSERT_EQUAL_FATAL(at.m->n_guard, 4);
  for (int mode = 0; mode < 32; ++mode) {
    preset(at.m, at.param, at.y);
    for (int i = 0; i < 12; ++i) at.y[i] += (i < 6 ? 0.02 : 0.5) * draw(&seed);
    at.y[12] = mode % 3 ? 1 : -1, at.y[13] = mode % 5 ? -1 : 1;
    for (int k = 0; k < 4; ++k) at.closed[k] = k % 2 == 0;
    at.closed[1] = mode & 1, at.closed[3] = mode & 2;
    check_derivatives(file, &at, 1e-4);
  }
  sal_model_file_free(file);
}

static void derivatives_are_exact(void)
{
  sal_model_file *file = parse_model(rods);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  point at = {.m = sal_model_file_model(file)};
  unsigned seed = 3;

  CU_ASSERT_EQUAL(at.m->n_guard, 8);
  CU_ASSERT_EQUAL(at.m->n_state, 14);
  for (int mode = 0; mode < 32; ++mode) {
    preset(at.m, at.param, at.y);
    for (int i = 0; i < 12; ++i) at.y[i] += (i < 6 ? 0.02 : 0.5) * draw(&seed);
    at.y[12] = mode % 3 ? 1 : -1, at.y[13] = mode % 5 ? -1 : 1;
    /* floor, floor sticks, top, top sticks, skin, wall, hard, cord */
    for (int k = 0; k < 8; ++k) at.closed[k] = true;
    at.closed[1] = mode & 1, at.closed[3] = mode & 2, at.closed[5] = mode & 4,
    at.closed[6] = mode & 8;
    at.closed[4] = mode & 16;
    check_derivatives(file, &at, 1e-4);
  }
  sal_model_file_free(file);
}

/* The law of Hunt and Crossley never pulls: it is 0 where the bodies part faster than k / c. */
static void a_contact_never_pulls(void)
{
  sal_model_file *file = block_on(1, 0, "[0, 0]", "");
  const sal_model *m = sal_model_file_model(file);
  const double param[1] = {0.2};
  const bool closed[2] = {true, false};
  double f[6];

  for (int i = 0; i < 40; ++i) {
    const double v = i - 20, p = 0.01, y[7] = {0, -p, 0, 1, v, 0, 1};
    const double N = p * fmax(0, 1e4 - 1e3 * v);
    sal_model_field(m, param, closed, 0, y, f);
    CU_ASSERT_DOUBLE_EQUAL(f[4], N / 2 - g, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(f[3], -0.2 * N / 2, 1e-12);
  }
  sal_model_file_free(file);
}

/* A disc of radius 1/2 that is pushed slides, with friction at its rim, until it rolls: v - mu g t, R w = -2 mu g t, after v / (3 mu g). */
static void a_disc_rolls(void)
{
  static sal_event log[MOST_EVENTS];
  static const char *const laws[] = {"rigid: {restitution: 0}", "compliant: {k: 1e4, c: 1e3}"};

  for (int soft = 0; soft < 2; ++soft) {
    char text[1024];
    double y[SAL_MAX_STATE];
    snprintf(
        text, sizeof text,
        "name: disc\ngravity: [0, -10]\nparameters: {mu: {preset: 0.2, allowed: [0, 2]}}\n"
        "bodies:\n  - {name: disc, kind: planar, mass: 2, inertia: 0.25, position: [0, %.17g], "
        "velocity: [3, 0]}\ncontacts:\n  - {name: floor, bodies: [ground, disc], normal: [0, 1], "
        "radius: 0.5, law: {%s}, friction: {mu: mu}}\n",
        0.5 - soft * 2 * g / 1e4, laws[soft]);
    sal_model_file *file = parse_model(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const int n = run_block(file, 0.2, 2, y, log);
    CU_ASSERT_EQUAL_FATAL(n, 1);
    CU_ASSERT_DOUBLE_EQUAL(log[0].t, 0.5, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[3], 2, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[5], -4, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(y[0], 1.25 + 2 * 1.5, 1e-9);
    sal_model_file_free(file);
  }
}

SAL_TEST_MAIN("friction", NULL, {"slides and stops", a_block_slides_and_stops},
              {"bounces", a_block_that_bounces_loses_speed}, {"on a slope", a_slope_holds_or_not},
              {"breaks away", a_pulled_block_breaks_away},
              {"exact derivatives", derivatives_are_exact},
              {"and of rigid friction", derivatives_of_rigid_friction_are_exact},
              {"never pulls", a_contact_never_pulls}, {"rolls", a_disc_rolls})
