/** The flows of the registered models against their equations, written down a second time, and
 *  against the laws of mechanics.
 */
#include "integrate.h"
#include "registry.h"
#include "sal_test.h"
#include <math.h>
#include <string.h>

enum { LITERAL, CLAMP };
enum { Y1, V1, Y2, V2 };
static const double c_of_m1 = 4 * M_PI * M_PI - 1.88;

/* b, m1, k, f, no damper in the leg, adhesion, its two constants (sal_model_fill); g, k, d */
static double hopper[] = {1951, 1.88, 22.8, 0.051, 0, 0, LITERAL, 0, 0};
static double ground[] = {1.3, 90, 2.5};

typedef struct {
  const char *model;
  double *param;
  const double y[4];
  bool held; /* the mode is frozen: closed */
} place;

/* The toe in flight, in stance, frozen in stance slightly above the ground, and pulling. */
static const place places[] = {
    {"monopod", hopper, {0.31, -0.2, 1.28, 0.4}, false},
    {"monopod", hopper, {-0.021, -0.17, 0.96, 0.1}, false},
    {"monopod", hopper, {-0.017, 0.11, 0.93, -0.3}, false},
    {"monopod", hopper, {0.003, 0.21, 1.01, 0.2}, true},
    {"monopod", hopper, {-0.02, 0.9, 1.1, 0.5}, false},
    {"linear-ground", ground, {0.4, -0.8}, false},
    {"linear-ground", ground, {-0.07, 0.6}, false},
    {"linear-ground", ground, {0.02, 0.7}, true},
};
enum { PLACES = sizeof places / sizeof *places, PULLING = 4 };

static void slope_at(const sal_model *m, const double param[], bool held, const double y[],
                     double dy[])
{
  sal_m closed = ~sal_none();
  double p[SAL_MAX_P];
  const sal_phase phase = {.p = p, .closed = &closed, .held = SAL_MASK(held)};

  sal_model_fill(m, param, p);
  m->w1->rhs(&phase, 0, y, dy);
}

static double force_on_toe(double adhesion, double y1, double v1, bool held)
{
  const double p[] = {hopper[0], hopper[1], hopper[2], hopper[3], 0, 0, adhesion, 0, 0};
  const double y[] = {y1, v1, y1 + 1, 0}; /* the leg at its free length */
  double dy[4];
  const sal_model *m = sal_registry_model("monopod");

  slope_at(m, p, held, y, dy);
  return -(dy[V1] + p[3]);
}

static void the_ground_force_is_that_of_equation_18(void)
{
  double pushed = 0, pulled = 0;

  for (double y1 = -0.06; y1 <= 0; y1 += 0.0025)
    for (double v1 = -0.9; v1 < 1.0; v1 += 0.1) {
      const double depth = pow(fabs(y1), 1.5);
      const double right = depth * (1951 * v1 - c_of_m1 * 22.8);
      const double found = force_on_toe(LITERAL, y1, v1, false);
      CU_ASSERT_DOUBLE_EQUAL(found, right, 1e-13 * (1 + depth * (1951 + c_of_m1 * 22.8)));
      CU_ASSERT_DOUBLE_EQUAL(force_on_toe(CLAMP, y1, v1, false), fmin(right, 0),
                             1e-13 * (1 + depth * (1951 + c_of_m1 * 22.8)));
      pushed = fmin(pushed, found);
      pulled = fmax(pulled, found);
    }
  CU_ASSERT(pushed < -10 && pulled > 10);
  CU_ASSERT_EQUAL(force_on_toe(LITERAL, 0.01, -0.5, false), 0);
}

/* A stage of a step in stance may lie above the ground; there the spring is odd. */
static void frozen_stance_goes_on_smoothly_above_the_ground(void)
{
  const double y1 = 0.003, v1 = 0.2, depth = pow(y1, 1.5);

  CU_ASSERT_DOUBLE_EQUAL(force_on_toe(LITERAL, y1, v1, true), depth * (1951 * v1 + c_of_m1 * 22.8),
                         1e-13);
  CU_ASSERT(force_on_toe(LITERAL, y1, v1, true) > 0.1);
  CU_ASSERT_DOUBLE_EQUAL(force_on_toe(CLAMP, y1, v1, true), 0, 1e-14);
  CU_ASSERT_DOUBLE_EQUAL(force_on_toe(LITERAL, y1, v1, false), 0, 1e-14);
}

static void check_jacobian(const place *at)
{
  const sal_model *m = sal_registry_model(at->model);
  const int n = m->n_state;
  sal_m closed = ~sal_none();
  const sal_phase phase = {.p = at->param, .closed = &closed, .held = SAL_MASK(at->held)};
  double J[16], largest = 0;

  m->w1->jac(&phase, 0, at->y, J);
  for (int j = 0; j < n; ++j) {
    double y[4], above[4], below[4];
    const double d = 1e-6;
    for (int i = 0; i < n; ++i) y[i] = at->y[i];
    y[j] = at->y[j] + d;
    slope_at(m, at->param, at->held, y, above);
    y[j] = at->y[j] - d;
    slope_at(m, at->param, at->held, y, below);
    for (int i = 0; i < n; ++i) {
      CU_ASSERT_DOUBLE_EQUAL(J[i * n + j], (above[i] - below[i]) / (2 * d), 3e-6);
      largest = fmax(largest, fabs(J[i * n + j]));
    }
  }
  CU_ASSERT(largest >= 1);
}

static void the_jacobian_is_the_derivative_of_the_flow(void)
{
  for (int adhesion = LITERAL; adhesion <= CLAMP; ++adhesion) {
    hopper[6] = adhesion;
    for (int i = 0; i < PLACES; ++i) check_jacobian(&places[i]);
  }
  hopper[6] = LITERAL;
}

/* Contact is in the Jacobian where it acts, and only there. */
static void the_jacobian_sees_the_contact(void)
{
  double flight[16], stance[16], clamped[16], J[16];
  const sal_model *m = sal_registry_model("monopod");
  double clamp[] = {1951, 1.88, 22.8, 0.051, 0, 0, CLAMP, 0, 0};

  sal_model_jacobian(m, hopper, 0, places[0].y, false, flight);
  sal_model_jacobian(m, hopper, 0, places[1].y, false, stance);
  CU_ASSERT_EQUAL(flight[V1 * 4 + V1], 0);
  CU_ASSERT(stance[V1 * 4 + V1] < -1 && stance[V1 * 4 + Y1] < flight[V1 * 4 + Y1] - 10);
  sal_model_jacobian(m, clamp, 0, places[PULLING].y, false, clamped);
  sal_model_jacobian(m, hopper, 0, places[PULLING].y, false, J);
  CU_ASSERT_EQUAL(clamped[V1 * 4 + V1], 0);
  CU_ASSERT(J[V1 * 4 + V1] < -1);
  sal_model_jacobian(m, hopper, 0, places[3].y, false, J);
  CU_ASSERT_EQUAL(J[V1 * 4 + V1], 0);
  sal_model_jacobian(m, hopper, 0, places[3].y, true, J);
  CU_ASSERT(J[V1 * 4 + V1] < -0.1);
}

/* E = m1 v1^2 / 2 + c v2^2 / 2 + m1 c e^2 / 2 + f (m1 y1 + c y2) + m1 U, with U the potential of
 * the elastic ground; dE/dt is what the damper takes. */
static void energy_is_lost_to_the_damper_alone(void)
{
  const double b = hopper[0], m1 = hopper[1], k = hopper[2], f = hopper[3], c = c_of_m1;
  double worst = 0, taken = 0, flow = 0;

  for (int i = 0; i < 5; ++i) {
    const double *y = places[i].y, e = y[Y1] - y[Y2] + 1, depth = pow(fabs(y[Y1]), 1.5);
    const bool closed = places[i].held || y[Y1] <= 0;
    double dy[4];
    slope_at(sal_registry_model("monopod"), hopper, places[i].held, y, dy);
    const double elastic = closed ? copysign(c * k * depth, y[Y1]) : 0;
    const double loss = closed ? m1 * b * depth * y[V1] * y[V1] : 0;
    const double kinetic = m1 * y[V1] * dy[V1] + c * y[V2] * dy[V2];
    const double stored =
        m1 * c * e * (y[V1] - y[V2]) + f * (m1 * y[V1] + c * y[V2]) + m1 * elastic * y[V1];
    worst = fmax(worst, fabs(kinetic + stored + loss));
    taken = fmax(taken, loss);
    flow = fmax(flow, fabs(kinetic));
  }
  CU_ASSERT(worst < 1e-12);
  CU_ASSERT(taken > 0.1 && flow > 0.1);
}

static void every_model_rests_where_it_says(void)
{
  double dy[SAL_MAX_STATE], y[SAL_MAX_STATE], largest = 0;

  for (int i = 0; i < 2; ++i) {
    const sal_model *m = sal_registry_model(i ? "linear-ground" : "monopod");
    const double *p = i ? ground : hopper;
    bool closed;
    CU_ASSERT_FATAL(m->equilibrium(m->inner, p, SAL_EQUILIBRIUM_TRUE, y));
    sal_model_rhs(m, p, 0, y, dy);
    sal_model_mode(m, p, 0, y, &closed);
    CU_ASSERT(closed && y[0] < -1e-4);
    for (int j = 0; j < m->n_state; ++j) CU_ASSERT_DOUBLE_EQUAL(dy[j], 0, 1e-13);
  }
  CU_ASSERT(sal_registry_model("monopod")->equilibrium(NULL, hopper, SAL_EQUILIBRIUM_PUBLISHED, y));
  sal_model_rhs(sal_registry_model("monopod"), hopper, 0, y, dy);
  for (int j = 0; j < 4; ++j) largest = fmax(largest, fabs(dy[j]));
  CU_ASSERT(largest > 0.1);
}

static void the_linear_ground_is_a_spring_and_a_damper(void)
{
  const sal_model *m = sal_registry_model("linear-ground");
  double dy[2];

  slope_at(m, ground, false, (double[]){0.4, -0.8}, dy);
  CU_ASSERT(dy[0] == -0.8 && dy[1] == -1.3);
  slope_at(m, ground, false, (double[]){-0.07, 0.6}, dy);
  CU_ASSERT(dy[0] == 0.6);
  CU_ASSERT_DOUBLE_EQUAL(dy[1], -1.3 + 90 * 0.07 - 2.5 * 0.6, 1e-15);
  CU_ASSERT(dy[1] > 3);
}

static void a_jump_leaves_a_gap_of_exactly_zero(void)
{
  for (int i = 0; i < 2; ++i) {
    const sal_model *m = sal_registry_model(i ? "linear-ground" : "monopod");
    double y[4] = {1e-9, -0.5, 0.7, 0.3}, gap, rate, dy[4];
    sal_m closed = 0;
    sal_phase phase = {.p = i ? ground : hopper, .closed = &closed, .held = ~sal_none()};
    m->w1->jump(&phase, 0, sal_none(), 0, y);
    CU_ASSERT_EQUAL(y[0], 1e-9);
    m->w1->jump(&phase, 0, ~sal_none(), 0, y);
    m->w1->rhs(&phase, 0, y, dy);
    m->w1->guard(&phase, 0, y, dy, &gap, &rate);
    CU_ASSERT(gap == 0 && rate == -0.5 && y[1] == -0.5);
  }
}

/* The timed function is f, in every lane. */
static void f_that_is_timed_is_f(void)
{
  static const int widths[] = {1, 4, 8};
  const double y[4] = {-0.02, -0.3, 0.9, 0.7};
  const sal_model *m = sal_registry_model("monopod");

  for (int i = 0; i < 3 && widths[i] <= sal_integrate_widest(); ++i)
    for (int closed = 0; closed < 2; ++closed) {
      const bool mode[1] = {closed != 0};
      double once[4], again[4] = {0};
      sal_model_field(m, hopper, mode, 0, y, once);
      sal_integrate_field(m, widths[i], hopper, mode, 3, y, again);
      CU_ASSERT(memcmp(once, again, sizeof once) == 0);
      sal_integrate_field(m, widths[i], hopper, (bool[]){!closed}, 3, y, again);
      CU_ASSERT(memcmp(once, again, sizeof once) != 0);
    }
}

SAL_TEST_MAIN(
    "models", NULL, {"f that is timed is f", f_that_is_timed_is_f},
    {"the ground force is that of equation (18)", the_ground_force_is_that_of_equation_18},
    {"frozen stance goes on smoothly above the ground",
     frozen_stance_goes_on_smoothly_above_the_ground},
    {"the Jacobian is the derivative of the flow", the_jacobian_is_the_derivative_of_the_flow},
    {"the Jacobian sees the contact", the_jacobian_sees_the_contact},
    {"energy is lost to the damper alone", energy_is_lost_to_the_damper_alone},
    {"every model rests at its equilibrium", every_model_rests_where_it_says},
    {"the linear ground is a spring and a damper", the_linear_ground_is_a_spring_and_a_damper},
    {"a jump leaves a gap of exactly zero", a_jump_leaves_a_gap_of_exactly_zero})
