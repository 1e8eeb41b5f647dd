/** Friction in space: a box against closed forms, a tippe top against Jellett's invariant. */
#include "contact_cones.h"
#include "integrate.h"
#include "memory.h"
#include "model_file.h"
#include "provider.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const sal_provider sal_moreau_provider;

/* The preset run of a text in steps of h; state [n_mesh + 1][n_state]; y [n_state] its end. */
static int run_text(const char *text, double h, double end, int64_t n_mesh, double *state,
                    double y[])
{
  sal_model_file *file;
  sal_record record;

  CU_ASSERT_EQUAL_FATAL(sal_model_file_parse("rub.yaml", text, &file), SAL_OK);
  const sal_model *m = sal_model_file_model(file);
  const sal_setup setup = {.model = m,
                           .method = sal_moreau_provider.methods[0],
                           .strategy = sal_registry_strategy("capture"),
                           .rtol = h,
                           .atol = h,
                           .t_end = end,
                           .max_attempts = 1000000};
  sal_samples samples = {.n_mesh = n_mesh, .span = end, .state = state};
  double param[SAL_MAX_PARAM] = {0}, start[SAL_MAX_STATE];
  const sal_job job = {
      .param = param, .initial = start, .end = y, .samples = state ? &samples : NULL};
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  for (int i = 0; i < m->n_state; ++i) start[i] = m->state[i].preset;
  CU_ASSERT(m->rubs_in_space && m->motion != NULL);
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  sal_model_file_free(file);
  return (int)record.value[SAL_METRIC_OUTCOME];
}

/* A box on four corners that is pushed with a velocity on a plane where gravity is (pull, 0, -10). */
static void push_box(double pull, const double v[2], double mu, double h, double end, double y[])
{
  char text[2048];
  int at = snprintf(text, sizeof text,
                    "name: box\ngravity: [%.17g, 0, -10]\nindependent: [b_x, b_y, b_z, b_e1, b_e2, "
                    "b_e3]\nbodies:\n  - {name: b, mass: 2, inertia: [0.2, 0.3, 0.4, 0, 0, 0], "
                    "position: [0, 0, 0.2499999], velocity: [%.17g, %.17g, 0]}\ncontacts:\n",
                    pull, v[0], v[1]);

  for (int i = 0; i < 4; ++i)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: c%d, bodies: [ground, b], normal: [0, 0, 1], P_j: [%g, %g, -0.25], "
                   "law: {rigid: {restitution: 0}}, friction: {mu: %.17g}}\n",
                   i, i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, mu);
  CU_ASSERT_EQUAL(run_text(text, h, end, 0, NULL, y), SAL_OUT_DONE);
}

/* On a level plane it goes straight on in any direction, v^2 / (2 mu g), and does not turn. */
static void test_a_box_in_any_direction(void)
{
  for (int k = 0; k < 7; ++k) {
    const double angle = 0.3 + 0.9 * k, v[2] = {2 * cos(angle), 2 * sin(angle)};
    double y[SAL_MAX_STATE];
    push_box(0, v, 0.25, 1e-2, 1.5, y);
    CU_ASSERT_DOUBLE_EQUAL(y[0], 0.8 * cos(angle), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(y[1], 0.8 * sin(angle), 1e-8);
    for (int i = 3; i < 12; ++i) CU_ASSERT(fabs(y[i]) < 1e-8);
  }
}

/* Where a point stops on an inclined plane: with s = tan(psi / 2) of the angle psi between its velocity and the line of
 * fall, dv/dt = a cos(psi) - mu n and v dpsi/dt = -a sin(psi) give v = C s^k / sin(psi), k = mu n / a, and so the way. */
static void stop_on_incline(double a, double k, const double v[2], double way[2])
{
  const double speed = sqrt(v[0] * v[0] + v[1] * v[1]), psi = acos(v[0] / speed);
  const double s = tan(psi / 2), C = speed * sin(psi) / pow(s, k);

  way[0] = C * C / a / 4 * (pow(s, 2 * k - 2) / (2 * k - 2) - pow(s, 2 * k + 2) / (2 * k + 2));
  way[1] = C * C / a / 2 * (pow(s, 2 * k - 1) / (2 * k - 1) + pow(s, 2 * k + 1) / (2 * k + 1));
}

/* Order 1, as friction has the direction of the end of a step; then it stays. */
static void test_a_box_on_an_inclined_plane(void)
{
  static const double angles[3] = {0.6, 1.7, 2.6};

  for (int k = 0; k < 3; ++k) {
    const double v[2] = {2 * cos(angles[k]), 2 * sin(angles[k])};
    double way[2], error[2];
    stop_on_incline(3, 0.6 * 10 / 3, v, way);
    for (int fine = 0; fine < 2; ++fine) {
      double y[SAL_MAX_STATE];
      push_box(3, v, 0.6, fine ? 2.5e-3 : 1e-2, 1.5, y);
      error[fine] = hypot(y[0] - way[0], y[1] - way[1]);
      for (int i = 3; i < 12; ++i) CU_ASSERT(fabs(y[i]) < 1e-8);
    }
    CU_ASSERT(hypot(way[0], way[1]) > 0.2);
    CU_ASSERT(error[0] < 4e-3 && error[1] > 1e-5);
    CU_ASSERT(error[0] / error[1] > 3.7 && error[0] / error[1] < 4.3);
  }
}

/* ---- the tippe top --------------------------------------------------------------------------- */

enum { FREE = 6, STATES = 3 * FREE + 1, MESH = 200, END = 4 };
static const double off = 0.2, inertia[2] = {0.4, 0.42};

/* Energy, Jellett's invariant and the height of the axis at a sample; e [4] is that of the sample before. */
static void measure(const double y[], double e[4], double out[3])
{
  double q[7] = {0}, qd[7] = {0}, w[3], square = 1, rate = 0;
  bool given[7] = {false};
  int last = 0;

  for (int j = 0; j < FREE; ++j) {
    const int c = (int)y[2 * FREE + j];
    q[c] = y[j];
    qd[c] = y[FREE + j];
    given[c] = true;
  }
  for (int c = 3; c < 7; ++c) {
    if (!given[c]) last = c;
    square -= q[c] * q[c];
    rate -= q[c] * qd[c];
  }
  q[last] = copysign(sqrt(square), e[last - 3]);
  qd[last] = rate / q[last];
  memcpy(e, q + 3, 4 * sizeof *e);
  const double *r = qd + 3;
  w[0] = 2 * (-e[1] * r[0] + e[0] * r[1] + e[3] * r[2] - e[2] * r[3]);
  w[1] = 2 * (-e[2] * r[0] - e[3] * r[1] + e[0] * r[2] + e[1] * r[3]);
  w[2] = 2 * (-e[3] * r[0] + e[2] * r[1] - e[1] * r[2] + e[0] * r[3]);
  const double up[3] = {2 * (e[1] * e[3] - e[0] * e[2]), 2 * (e[2] * e[3] + e[0] * e[1]),
                        2 * (e[0] * e[0] + e[3] * e[3]) - 1}; /* the vertical in the top's frame */
  const double spin = inertia[1] * w[2];
  out[0] = (qd[0] * qd[0] + qd[1] * qd[1] + qd[2] * qd[2]) / 2 + q[2] +
           (inertia[0] * (w[0] * w[0] + w[1] * w[1]) + spin * w[2]) / 2;
  out[1] = inertia[0] * (up[0] * w[0] + up[1] * w[1]) + up[2] * spin - off * spin;
  out[2] = up[2];
}

/* From a tilt of 0.6, with this friction and step; state [MESH + 1][STATES]. */
static void spin_top(double mu, double h, double state[], double e[4])
{
  const double half = 0.3, Omega = 8, y[] = {cos(half), sin(half), 0, 0};
  double end[SAL_MAX_STATE];
  char text[1024];

  memcpy(e, y, sizeof y);
  snprintf(text, sizeof text,
           "name: top\npartition: adaptive\ngravity: [0, 0, -1]\nbodies:\n  - {name: b, mass: 1, "
           "inertia: [%g, %g, %g, 0, 0, 0], position: [0, 0, %.17g], euler: [%.17g, %.17g, 0, 0], "
           "euler_rate: [0, 0, %.17g, %.17g]}\ncontacts:\n  - {name: c, bodies: [ground, b], "
           "normal: [0, 0, 1], P_j: [0, 0, %g], radius: 1, law: {rigid: {restitution: 0}}, "
           "friction: {mu: %g}}\n",
           inertia[0], inertia[0], inertia[1], 1 - off * cos(2 * half), e[0], e[1],
           -Omega / 2 * e[1], Omega / 2 * e[0], off, mu);
  CU_ASSERT_EQUAL_FATAL(run_text(text, h, END, MESH, state, end), SAL_OUT_DONE);
}

/* The largest change of Jellett's invariant, the largest gain of energy between samples, its loss, and the change of tilt. */
static void watch_top(double mu, double h, double out[4])
{
  static double state[(MESH + 1) * STATES];
  double e[4], was[3], now[3];

  spin_top(mu, h, state, e);
  measure(state, e, was);
  const double first[3] = {was[0], was[1], was[2]};
  memset(out, 0, 4 * sizeof *out);
  for (int i = 1; i <= MESH; ++i) {
    measure(state + i * STATES, e, now);
    out[0] = fmax(out[0], fabs(now[1] - first[1]));
    out[1] = fmax(out[1], now[0] - was[0]);
    out[3] = fmax(out[3], fabs(now[2] - first[2]));
    memcpy(was, now, sizeof was);
  }
  out[2] = first[0] - now[0];
}

/* A sphere whose centre of mass is below its middle: whatever its friction L . (R n - a e) stays (Jellett 1872; Cohen, Am. J.
 * Phys. 45 (1977) 12); energy falls while it slides.  Without friction both stay to order 2. */
static void test_a_tippe_top(void)
{
  double rubs[4], smooth[2][4];

  watch_top(0.3, 1e-3, rubs);
  CU_ASSERT(rubs[0] < 5e-4 && rubs[1] == 0);
  CU_ASSERT(rubs[2] > 3 && rubs[3] > 0.1);
  for (int k = 0; k < 2; ++k) watch_top(0, k ? 2e-3 : 4e-3, smooth[k]);
  CU_ASSERT(smooth[0][0] < 6e-3 && smooth[1][0] > 1e-5);
  CU_ASSERT(smooth[0][0] / smooth[1][0] > 3.7 && smooth[0][0] / smooth[1][0] < 4.3);
  CU_ASSERT(fabs(smooth[0][2]) < 0.06 && fabs(smooth[1][2]) < 0.015);
}

/* A ball that is pushed slides, and rolls with 5/7 of its speed after 2 v / (7 mu g). */
static void test_a_ball_slides_and_rolls(void)
{
  for (int k = 0; k < 3; ++k) {
    const double angle = 0.4 + 2 * k, v[2] = {2 * cos(angle), 2 * sin(angle)};
    const double t = 2 * 2 / (7 * 0.2 * 10), end = 1.5 * t;
    const double far = 2 * t - 0.2 * 10 * t * t / 2 + 5. / 7 * 2 * (end - t);
    double y[SAL_MAX_STATE];
    char text[1024];
    snprintf(text, sizeof text,
             "name: ball\npartition: adaptive\ngravity: [0, 0, -10]\nbodies:\n  - {name: b, mass: "
             "3, inertia: [0.3, 0.3, 0.3, 0, 0, 0], position: [0, 0, 0.4999999], velocity: [%.17g, "
             "%.17g, 0]}\ncontacts:\n  - {name: c, bodies: [ground, b], normal: [0, 0, 2], radius: "
             "0.5, law: {rigid: {restitution: 0}}, friction: {mu: 0.2}}\n",
             v[0], v[1]);
    CU_ASSERT_EQUAL(run_text(text, 1e-3, end, 0, NULL, y), SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(y[FREE], 5. / 7 * v[0], 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(y[FREE + 1], 5. / 7 * v[1], 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(hypot(y[0], y[1]), far, 1e-3);
  }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void test_what_is_refused(void)
{
  static const struct {
    const char *contact, *sentence;
  } cases[] = {
      {"normal: [0, 0, 1], law: {rigid: {}}, friction: {mu: -1}", "mu of friction is at least 0"},
      {"normal: [0, 0, 1], law: {rigid: {}}, friction: {mu: 0.3, static: 0.4}", "static"},
      {"normal: [0, 0, 1], law: {compliant: {k: 1}}, friction: {mu: 0.3}", "of a rigid contact"},
      {"length: 1, law: {rigid: {}}, radius: 0.1", "radius goes with 'normal'"},
      {"normal: [0, 0, 1], law: {rigid: {}}, radius: 0", "a number above 0 is expected"}};

  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char text[1024];
    sal_model_file *file = NULL;
    snprintf(text, sizeof text,
             "name: b\nbodies:\n  - {name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0], position: [0, "
             "0, 2]}\ncontacts:\n  - {name: c, bodies: [ground, b], %s}\n",
             cases[i].contact);
    CU_ASSERT_EQUAL(sal_model_file_parse("b.yaml", text, &file), SAL_ERR_INPUT);
    CU_ASSERT(strstr(sal_err_message(), cases[i].sentence) != NULL);
    sal_err_clear();
  }
}

SAL_TEST_MAIN("friction in space", NULL, {"a box in any direction", test_a_box_in_any_direction},
              {"a box on an inclined plane", test_a_box_on_an_inclined_plane},
              {"a tippe top", test_a_tippe_top},
              {"a ball slides and rolls", test_a_ball_slides_and_rolls},
              {"refusals", test_what_is_refused})
