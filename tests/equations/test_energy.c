/** Models by their energies: equations of motion, impacts and friction against those worked out by hand.
 */
#include "energy_text.h"
#include "plain_file.h"

/* ---- the hopper of sweeps/models: its bodies one by one, which springs and the ground push ---- */

enum { MASS, INERTIA, FOOT, HIP, K, L0, C, THRUST, G, N_HOPPER };
enum { Z, PH, Q1, Q2, VZ, W, U1, U2, N_STATE };
enum { FOOT1, FOOT2, EXTENDS1, EXTENDS2, N_GUARD };

static void hopper_by_hand(const double p[], const double y[], const bool closed[], double dy[])
{
  const double reach = p[HIP] * cos(y[PH]), fall = p[HIP] * sin(y[PH]) * y[W] * y[W];
  double push[2], foot[2];

  for (int i = 0; i < 2; ++i) {
    push[i] = -p[K] * (y[Q1 + i] - p[L0]) - p[C] * y[U1 + i];
    if (closed[FOOT1 + i] && closed[EXTENDS1 + i]) push[i] += p[THRUST];
    foot[i] = closed[FOOT1 + i] ? 0 : -push[i] / p[FOOT] - p[G];
  }
  for (int i = 0; i < 4; ++i) dy[i] = y[VZ + i];
  dy[VZ] = (push[0] + push[1]) / p[MASS] - p[G];
  dy[W] = reach * (push[0] - push[1]) / p[INERTIA];
  dy[U1] = dy[VZ] + reach * dy[W] - fall - foot[0];
  dy[U2] = dy[VZ] - reach * dy[W] + fall - foot[1];
}

static sal_equation_model *read_hopper(void)
{
  char *text;

  CU_ASSERT_EQUAL_FATAL(
      sal_text_file_read(SAL_SWEEPS "/models/two-legged-hopper.yaml", "a model", &text), SAL_OK);
  sal_equation_model *e = parse(text);
  sal_free(text);
  return e;
}

static void draw_hopper(const sal_model *m, double p[], double y[], bool closed[])
{
  for (int i = 0; i < m->n_param; ++i) p[i] = chance(m->param[i].lo, m->param[i].hi);
  for (int i = 0; i < 4; ++i) y[i] = chance(m->state[i].lo, m->state[i].hi);
  y[PH] = chance(-0.5, 0.5);
  for (int i = VZ; i < N_STATE; ++i) y[i] = chance(-3, 3);
  for (int k = 0; k < N_GUARD; ++k) closed[k] = chance(0, 1) < 0.5;
}

static void test_hopper_moves_as_by_hand(void)
{
  sal_equation_model *e = read_hopper();
  const sal_model *m = sal_equation_model_get(e);
  double moved = 0;

  CU_ASSERT_EQUAL_FATAL(m->n_param, N_HOPPER);
  for (int i = 0; i < 500; ++i) {
    double p[N_HOPPER], y[N_STATE], f[N_STATE], hand[N_STATE];
    bool closed[N_GUARD];
    draw_hopper(m, p, y, closed);
    sal_model_field(m, p, closed, 0, y, f);
    hopper_by_hand(p, y, closed, hand);
    for (int k = 0; k < N_STATE; ++k) CU_ASSERT(near(f[k], hand[k], 300));
    moved = fmax(moved, fabs(f[W]));
  }
  CU_ASSERT(moved > 100);
  sal_equation_model_free(e);
}

static double foot_height(const double p[], const double y[], int i)
{
  return y[Z] + (i ? -1 : 1) * p[HIP] * sin(y[PH]) - y[Q1 + i];
}
static double foot_speed(const double p[], const double y[], int i)
{
  return y[VZ] + (i ? -1 : 1) * p[HIP] * cos(y[PH]) * y[W] - y[U1 + i];
}

/* The foot stops, the other one and the body go on; it stays where the leg pushes it down. */
static void test_hopper_lands_as_by_hand(void)
{
  sal_equation_model *e = read_hopper();
  const sal_model *m = sal_equation_model_get(e);
  int stayed = 0, left = 0;

  for (int i = 0; i < 500; ++i) {
    double p[N_HOPPER], y[N_STATE], was[N_STATE];
    bool closed[N_GUARD];
    const int foot = i % 2, other = 1 - foot;
    draw_hopper(m, p, y, closed);
    y[Q1 + foot] += foot_height(p, y, foot);
    y[U1 + foot] += 2 * fmax(foot_speed(p, y, foot), 0); /* it comes down */
    closed[FOOT1 + foot] = true;
    closed[FOOT1 + other] = false;
    memcpy(was, y, sizeof y);
    sal_model_jump(m, p, foot, closed, 0, y);
    CU_ASSERT(fabs(foot_speed(p, y, foot)) < 1e-13);
    CU_ASSERT(near(foot_speed(p, y, other), foot_speed(p, was, other), 3));
    CU_ASSERT(near(y[VZ], was[VZ], 3));
    CU_ASSERT(near(y[W], was[W], 3));
    const bool extends = y[U1 + foot] > 0;
    CU_ASSERT_EQUAL(closed[EXTENDS1 + foot], extends);
    const double push = -p[K] * (y[Q1 + foot] - p[L0]) - p[C] * y[U1 + foot] +
                        (extends ? p[THRUST] : 0) + p[FOOT] * p[G];
    CU_ASSERT_EQUAL(closed[FOOT1 + foot], push >= 0);
    CU_ASSERT(fabs(foot_height(p, y, foot)) < 1e-14);
    CU_ASSERT_EQUAL(foot_height(p, y, foot) > 0, push < 0);
    ++*(push >= 0 ? &stayed : &left);
  }
  CU_ASSERT(stayed > 50 && left > 50);
  sal_equation_model_free(e);
}

/* ---- no contacts ---- */

static void test_cart_pole_has_its_closed_form(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: cart\nparameters: {M: {preset: 2}, m: {preset: 0.5}, l: {preset: 0.7}}\n"
      "coordinates: {x: {preset: 0, rate: u}, a: {preset: 1, rate: {name: w, preset: 2}}}\n"
      "kinetic: M / 2 * u^2 + m / 2 * ((u + l * cos(a) * w)^2 + (l * sin(a) * w)^2)\n"
      "potential: -m * 9.81 * l * cos(a) + 3 * x * sin(t)\nforces: {x: -0.3 * u}\n");
  const sal_model *m = sal_equation_model_get(e);
  double p[] = {2, 0.5, 0.7};

  CU_ASSERT_EQUAL(m->velocity[0], 3);
  CU_ASSERT_EQUAL(m->state[3].preset, 2);
  CU_ASSERT_PTR_NULL(m->mechanical);
  for (int i = 0; i < 200; ++i) {
    const double t = chance(0, 10),
                 y[] = {chance(-1, 1), chance(-3, 3), chance(-2, 2), chance(-5, 5)};
    const double c = cos(y[1]), s = sin(y[1]), push = -3 * sin(t) - 0.3 * y[2];
    const double u =
        (push + p[1] * p[2] * s * y[3] * y[3] + p[1] * 9.81 * s * c) / (p[0] + p[1] * s * s);
    double f[4];
    sal_model_rhs(m, p, t, y, f);
    CU_ASSERT(f[0] == y[2] && f[1] == y[3]);
    CU_ASSERT(near(f[2], u, 10));
    CU_ASSERT(near(f[3], -(9.81 * s + c * u) / p[2], 30));
  }
  sal_equation_model_free(e);
}

/* Kinetic energy may depend on time: a pendulum whose pivot moves up and down by A cos(W t) has the acceleration
 * -(g - A W^2 cos(W t)) sin(a) / l, and on a pivot that moves along by b t^2 / 2 -(g sin(a) + b cos(a)) / l. */
static void test_frames_that_move_with_time(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: pivot\nparameters: {A: {preset: 0.1}, W: {preset: 9}, b: {preset: 3}}\n"
      "coordinates: {a: {preset: 1, rate: {name: w, preset: 2}}}\n"
      "kinetic: ((0.7 * w * cos(a) + b * t)^2 + (0.7 * w * sin(a) - A * W * sin(W * t))^2) / 2\n"
      "potential: 9.81 * (A * cos(W * t) - 0.7 * cos(a))\n");
  const sal_model *m = sal_equation_model_get(e);
  double most = 0;

  CU_ASSERT_PTR_NULL(m->mechanical);
  CU_ASSERT_PTR_NULL(m->kinetic);
  for (int i = 0; i < 200; ++i) {
    const double p[] = {chance(0, 1), chance(1, 10), chance(-5, 5)}, t = chance(0, 10);
    const double y[] = {chance(-3, 3), chance(-5, 5)};
    const double up = p[0] * p[1] * p[1] * cos(p[1] * t);
    double f[2];
    sal_model_rhs(m, p, t, y, f);
    CU_ASSERT_EQUAL(f[0], y[1]);
    CU_ASSERT(near(f[1], -((9.81 - up) * sin(y[0]) + p[2] * cos(y[0])) / 0.7, 300));
    most = fmax(most, fabs(up * sin(y[0])));
  }
  CU_ASSERT(most > 10);
  sal_equation_model_free(e);
}

/* In a frame that turns steadily the energy that stays the same is Jacobi's, not T + V: a bead on a hoop that turns. */
static void test_a_frame_that_turns_has_jacobis_integral(void)
{
  sal_equation_model *e = parse("equations: 1\nname: hoop\nparameters: {W: {preset: 6}}\n"
                                "coordinates: {a: {preset: 1, rate: w}}\n"
                                "kinetic: (w^2 + W^2 * sin(a)^2) / 2\npotential: -9.81 * cos(a)\n");
  const sal_model *m = sal_equation_model_get(e);

  CU_ASSERT_PTR_NOT_NULL_FATAL(m->mechanical);
  for (int i = 0; i < 200; ++i) {
    const double p[] = {chance(1, 10)}, y[] = {chance(-3, 3), chance(-5, 5)};
    const double turns = p[0] * sin(y[0]), all = m->mechanical(m->inner, p, y, NULL);
    double f[2];
    CU_ASSERT(near(all, (y[1] * y[1] - turns * turns) / 2 - 9.81 * cos(y[0]), 100));
    sal_model_rhs(m, p, 0, y,
                  f); /* its rate along the motion: w f + (9.81 sin(a) - W^2 sin(a) cos(a)) w */
    CU_ASSERT(fabs(y[1] * (f[1] + 9.81 * sin(y[0]) - p[0] * turns * cos(y[0]))) < 1e-11);
  }
  sal_equation_model_free(e);
}

/* States beside the coordinates have their flow in the text. */
static void test_other_states_stand_beside(void)
{
  sal_equation_model *e = parse("equations: 1\nname: motor\n"
                                "coordinates: {x: {preset: 1, unit: m, rate: v}}\n"
                                "states: {i: {preset: 2}, j: {preset: 0, rate_of: i}}\ntime: s\n"
                                "kinetic: 2 * v^2\nforces: {x: 8 * i}\nflow: {i: j, j: -v}\n");
  const sal_model *m = sal_equation_model_get(e);
  const double y[] = {1, 3, 2, 5};
  double f[4];

  sal_model_rhs(m, NULL, 0, y, f);
  CU_ASSERT(f[0] == 3 && f[1] == 4 && f[2] == 5 && f[3] == -3);
  CU_ASSERT_EQUAL(m->velocity[0], 2);
  CU_ASSERT_EQUAL(m->velocity[2], 4);
  CU_ASSERT_STRING_EQUAL(m->state[1].unit, "m/s");
  sal_equation_model_free(e);
}

/* Parameters that make a mass 0 or negative are refused where a run begins; one that depends on states is not known there. */
static void test_masses_of_parameters_are_above_0(void)
{
  for (int n = 2; n <= 12; n += 10) {
    static char text[256];
    snprintf(text, sizeof text,
             "equations: 1\nname: masses\nparameters: {m: {preset: 1}}\ncounts: {n: {preset: %d}}\n"
             "coordinates: {q: {for: i in 1..n, preset: 1, rate: v}}\n"
             "kinetic: sum(i in 1..n - 1, v(i)^2) + m * v(n)^2\n",
             n);
    sal_equation_model *e = parse(text);
    const sal_model *m = sal_equation_model_get(e);
    const double good[] = {n, 0.5}, none[] = {n, 0}, bad[] = {n, -1};
    CU_ASSERT_PTR_NULL(sal_model_flaw(m, good));
    CU_ASSERT(sal_model_flaw(m, none) && strstr(sal_model_flaw(m, none), "mass"));
    CU_ASSERT(sal_model_flaw(m, bad) && strstr(sal_model_flaw(m, bad), "mass"));
    sal_equation_model_free(e);
  }
}

/* ---- what is refused ---- */

static const struct {
  const char *from, *to, *says;
} wrong[] = {
    {"potential: m", "potential: u * m", "rod.yaml:6: potential: it must not depend on rates"},
    {"J / 2 * w^2", "J / 2 * w^3", "quadratic function of the rates"},
    {"J / 2 * w^2", "J / 2 * (w - w)", "rod.yaml:5: kinetic: at the preset the mass of a is 0"},
    {"+ J / 2", "- J / 2", "the mass of a is -0.1"},
    {"kinetic:", "knetic:", "did you mean 'kinetic'?"},
    {"restitution: e}", "restitution: 1.5}", "a restitution lies between 0 and 1"},
    {"restitution: e}", "restitution: u}", "restitution: it must not depend on states"},
    {"restitution: e}", "restitutoin: e}", "did you mean 'restitution'?"},
    {"rigid:", "rigit:", "did you mean 'rigid'?"},
    {"{rigid: {restitution: e}}", "rigid", "law: a single value; expected: a mapping"},
    {"gap: y -", "gap: y - v +", "gap: it must not depend on rates"},
    {"along: x", "along: u + x", "along: it must not depend on rates"},
    {", mu: mu", "", "required key 'mu' is missing"},
    {"mu: mu", "mu: -1", "mu is at least 0"},
    {"mu: mu", "mu: mu, static: mu / 2", "static at least mu"},
    {"rate: w", "rate: u", "rate 'u': there is a rate of that name"},
    {", rate: w}", "}", "a: required key 'rate' is missing"},
    {"contacts:", "flow: {x: 1}\ncontacts:", "flow: x has its flow from the energies"},
    {"contacts:", "forces: {u: 1}\ncontacts:", "forces: u is not a coordinate"},
    {"contacts:", "forces: {q: 1}\ncontacts:", "unknown state 'q'"},
    {"coordinates", "states", "unknown key of state x 'rate'"},
};

static void test_wrong_texts_are_refused(void)
{
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[sizeof rod + 64];
    const char *at = strstr(rod, wrong[i].from);
    sal_equation_model *made;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - rod), rod, wrong[i].to,
             at + strlen(wrong[i].from));
    sal_err_clear();
    CU_ASSERT_NOT_EQUAL(sal_equation_model_parse("rod.yaml", text, &made), SAL_OK);
    CU_ASSERT_PTR_NULL(made);
    if (!strstr(sal_err_message(), wrong[i].says))
      fprintf(stderr, "%s\n  lacks: %s\n", sal_err_message(), wrong[i].says);
    CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), wrong[i].says));
  }
}

static void expect_refusal(const char *text, const char *message)
{
  sal_equation_model *made;

  sal_err_clear();
  CU_ASSERT_NOT_EQUAL_FATAL(sal_equation_model_parse("many.yaml", text, &made), SAL_OK);
  if (!strstr(sal_err_message(), message)) fprintf(stderr, "%s\n", sal_err_message());
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), message));
}

static void test_bounds_are_refused(void)
{
  expect_refusal("equations: 1\nname: many\ncounts: {n: {preset: 513}}\ncoordinates:\n"
                 "  q: {for: i in 1..n, preset: 0, rate: v}\nkinetic: v(1)^2\n",
                 "coordinates: 513 of them; allowed: 1 to 512");
  expect_refusal("equations: 1\nname: many\ncounts: {n: {preset: 257}}\n"
                 "coordinates: {q: {preset: 0, rate: v}}\nkinetic: v^2\ncontacts:\n"
                 "  c: {for: i in 1..n, names: [a, b], gap: q + i, law: {rigid: {}}, friction: "
                 "{names: [c, d], mu: 1, along: q}}\n",
                 "more than 512");
  expect_refusal(
      "equations: 1\nname: many\ncounts: {n: {preset: 9}}\n"
      "coordinates: {q: {for: i in 1..n, preset: 1, rate: v}}\n"
      "kinetic: sum(i in 1..n, v(i)^2)\ncontacts:\n"
      "  c: {names: [a, b], gap: q(1), law: {rigid: {}}}\n  s: {names: [d, e], gap: q(2)}\n",
      "contacts without a law need at most 8 coordinates and 8 contacts, each with "
      "friction counted twice; there are 9 and 2");
  expect_refusal("equations: 1\nname: many\ncounts: {n: {preset: 9}}\n"
                 "coordinates: {q: {for: i in 1..n, preset: 1, rate: v}}\n"
                 "kinetic: sum(i in 1..n - 1, v(i)^2) + 0 * v(n)^2\n",
                 "many.yaml:5: kinetic: at the preset the mass of q(9) is 0");
}

SAL_TEST_MAIN("models by energies", NULL, {"hopper, in motion", test_hopper_moves_as_by_hand},
              {"hopper, landing", test_hopper_lands_as_by_hand},
              {"cart and pole", test_cart_pole_has_its_closed_form},
              {"frames that move", test_frames_that_move_with_time},
              {"a frame that turns", test_a_frame_that_turns_has_jacobis_integral},
              {"other states", test_other_states_stand_beside},
              {"masses of parameters", test_masses_of_parameters_are_above_0},
              {"refusals", test_wrong_texts_are_refused}, {"bounds", test_bounds_are_refused})
