/** Contacts with laws: impacts, multipliers, friction and soft ground against those worked out by hand.
 */
#include "energy_text.h"

/** The rod's tip: rows of its height and of what slides, and the masses. */
typedef struct {
  double normal[3], along[3], inverse[3], turn[2];
} tip;

static tip tip_of(const double p[], const double y[])
{
  const double c = 0.6 * cos(y[2]), s = 0.6 * sin(y[2]), ww = y[5] * y[5];

  return (tip){{0, 1, -c}, {1, 0, s}, {1 / p[2], 1 / p[2], 1 / p[3]}, {s * ww, c * ww}};
}

static double product(const tip *of, const double a[], const double b[])
{
  return a[0] * of->inverse[0] * b[0] + a[1] * of->inverse[1] * b[1] + a[2] * of->inverse[2] * b[2];
}

static double rate(const double row[], const double y[])
{
  return row[0] * y[3] + row[1] * y[4] + row[2] * y[5];
}

static void draw_rod(double p[], double y[])
{
  p[0] = chance(0, 1), p[1] = chance(0, 0.4), p[2] = chance(1, 3), p[3] = chance(0.1, 0.3);
  y[0] = chance(-1, 1), y[2] = chance(0.2, 1.2), y[1] = 0.6 * sin(y[2]);
  for (int i = 3; i < 6; ++i) y[i] = chance(-2, 2);
  y[6] = 1;
}

/* Sliding: (G - mu sense T)' N with one N that keeps the tip down.  Sticking: both rows. */
static void test_friction_moves_a_rod_as_by_hand(void)
{
  sal_equation_model *e = parse(rod);
  const sal_model *m = sal_equation_model_get(e);

  CU_ASSERT_EQUAL_FATAL(m->n_guard, 2);
  CU_ASSERT_EQUAL_FATAL(m->n_discrete, 1);
  for (int i = 0; i < 300; ++i) {
    double p[4], y[7], f[7], N, F;
    draw_rod(p, y);
    const tip at = tip_of(p, y);
    const bool sticks = i % 2, closed[] = {true, sticks};
    const double nn = product(&at, at.normal, at.normal), nt = product(&at, at.normal, at.along),
                 tt = product(&at, at.along, at.along), sink = 9.81 - at.turn[0], slip = at.turn[1];
    y[6] = rate(at.along, y) < 0 ? -1 : 1;
    if (sticks) {
      N = (sink * tt + slip * nt) / (nn * tt - nt * nt);
      F = -(slip * nn + sink * nt) / (nn * tt - nt * nt);
    } else {
      N = sink / (nn - p[1] * y[6] * nt);
      F = -p[1] * y[6] * N;
    }
    sal_model_field(m, p, closed, 0, y, f);
    for (int k = 0; k < 3; ++k)
      CU_ASSERT(near(f[3 + k],
                     at.inverse[k] * (at.normal[k] * N + at.along[k] * F) - (k == 1) * 9.81, 100));
  }
  sal_equation_model_free(e);
}

static double kinetic(const double p[], const double y[])
{
  return p[2] / 2 * (y[3] * y[3] + y[4] * y[4]) + p[3] / 2 * y[5] * y[5];
}

/* Newton's law for the normal rate; the tip sticks where that takes an impulse in the cone of friction, else friction is
 * against the slip after the impact.  No plastic impact brings energy. */
static void test_an_impact_keeps_its_laws(void)
{
  sal_equation_model *e = parse(rod);
  const sal_model *m = sal_equation_model_get(e);
  int stuck = 0, slid = 0, turned = 0;

  for (int i = 0; i < 400; ++i) {
    double p[4], y[7], was[7], L[2];
    bool closed[] = {true, false};
    draw_rod(p, y);
    if (i % 3 == 0) p[0] = 0;
    const tip at = tip_of(p, y);
    if (rate(at.normal, y) > -0.1) continue;
    memcpy(was, y, sizeof y);
    sal_model_jump(m, p, 0, closed, 0, y);
    CU_ASSERT(near(rate(at.normal, y), -p[0] * rate(at.normal, was), 3));
    CU_ASSERT_EQUAL(closed[0], p[0] == 0);
    /* M dv = G' L: of three numbers, two are free */
    L[0] = p[2] * (y[4] - was[4]);
    L[1] = p[2] * (y[3] - was[3]);
    CU_ASSERT(near(p[3] * (y[5] - was[5]), at.normal[2] * L[0] + at.along[2] * L[1], 3));
    CU_ASSERT(L[0] > 0);
    CU_ASSERT(fabs(L[1]) <= p[1] * L[0] * (1 + 1e-9));
    if (fabs(rate(at.along, y)) < 1e-12)
      ++stuck;
    else {
      CU_ASSERT(near(L[1], rate(at.along, y) < 0 ? p[1] * L[0] : -p[1] * L[0], 3));
      turned += rate(at.along, y) * rate(at.along, was) < 0;
      CU_ASSERT_EQUAL(y[6] < 0, rate(at.along, y) < 0);
      ++slid;
    }
    if (p[0] == 0 || p[1] < 1e-3) CU_ASSERT(kinetic(p, y) <= kinetic(p, was) * (1 + 1e-12));
  }
  CU_ASSERT(stuck > 10 && slid > 20 && turned > 20);
  sal_equation_model_free(e);
}

/* A level bar that lies on one end and falls on the other one: the first end is thrown up where the bar does not turn
 * easily (J > m d^2), and is pressed down where it does. */
static void test_the_other_end_leaves_or_stays(void)
{
  static const char text[] =
      "equations: 1\nname: bar\nparameters: {J: {preset: 0.3, allowed: [0.01, 10]}}\n"
      "coordinates: {y: {preset: 0, rate: v}, a: {preset: 0, rate: w}}\n"
      "kinetic: v^2 / 2 + J / 2 * w^2\npotential: 9.81 * y\ncontacts:\n"
      "  left: {names: [l, L], gap: y - sin(a), law: {rigid: {restitution: 0}}}\n"
      "  right: {names: [r, R], gap: y + sin(a), law: {rigid: {restitution: 0}}}\n";
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);

  for (int i = 0; i < 100; ++i) {
    const double p[] = {chance(0.05, 2)};
    double y[] = {0, 0, -1, -1}; /* the left end rests */
    bool closed[] = {true, true};
    if (fabs(p[0] - 1) < 0.01) continue;
    sal_model_jump(m, p, 1, closed, 0, y);
    CU_ASSERT(closed[1]);
    CU_ASSERT_EQUAL(closed[0], p[0] < 1);
    CU_ASSERT(near(y[2] + y[3], 0, 1));
    CU_ASSERT(near(y[2] - y[3], p[0] < 1 ? 0 : 2 * (p[0] - 1) / (1 + p[0]), 1));
  }
  sal_equation_model_free(e);
}

/* All closed on a level: of the forces that carry weight and moment those of least norm; the gap of a closed contact is minus
 * its force. */
static void test_multipliers_hold_what_is_closed(void)
{
  sal_equation_model *e = parse(
      "equations: 1\nname: bar\ncoordinates: {y: {preset: 0, rate: v}, a: {preset: 0, rate: w}}\n"
      "kinetic: 3 * v^2 / 2 + w^2\npotential: 3 * 10 * y + 4 * a\ncontacts:\n"
      "  left: {names: [l, L], gap: y - a, law: {rigid: {}}}\n"
      "  right: {names: [r, R], gap: y + a, law: {rigid: {}}}\n"
      "  middle: {names: [m, M], gap: y, law: {rigid: {}}}\n");
  const sal_model *m = sal_equation_model_get(e);
  const bool closed[] = {true, true, true};
  const double y[] = {0, 0, 0, 0};
  double f[4], gap[3], speed[3];

  sal_model_field(m, NULL, closed, 0, y, f);
  CU_ASSERT(fabs(f[2]) < 1e-12 && fabs(f[3]) < 1e-12);
  sal_model_rates(m, NULL, closed, 0, y, f, gap, speed);
  CU_ASSERT_DOUBLE_EQUAL(gap[0], -8, 1e-8); /* sum 30, moment 4 */
  CU_ASSERT_DOUBLE_EQUAL(gap[1], -12, 1e-8);
  CU_ASSERT_DOUBLE_EQUAL(gap[2], -10, 1e-8);
  CU_ASSERT(near(m->mechanical(m->inner, NULL, (double[]){2, 1, 2, 3}, closed), 6 + 9 + 60 + 4, 1));
  sal_equation_model_free(e);
}

static void test_soft_contacts_push_alone(void)
{
  sal_equation_model *e =
      parse("equations: 1\nname: soft\nparameters: {x: {preset: 1.5, allowed: [0, 4]}}\n"
            "coordinates: {z: {preset: 1, rate: v}, s: {preset: 0, rate: u}}\n"
            "kinetic: 2 * v^2 / 2 + 3 * u^2 / 2\npotential: 0\ncontacts:\n"
            "  ground: {names: [a, b], gap: z, law: {compliant: {k: 100, c: 50, exponent: x}},\n"
            "    friction: {names: [c, d], mu: 0.5, static: 0.6, along: s}}\n");
  const sal_model *m = sal_equation_model_get(e);
  int pushed = 0, free = 0;

  for (int i = 0; i < 200; ++i) {
    const double p[] = {i % 2 ? 1.5 : 1}, y[] = {chance(-0.3, 0.3), chance(-1, 1), chance(-4, 4),
                                                 chance(-1, 1), i % 3 ? 1 : -1};
    const bool closed[] = {y[0] < 0, false};
    const double N = y[0] < 0 ? fmax(0, pow(-y[0], p[0]) * (100 - 50 * y[2])) : 0;
    double f[4];
    sal_model_field(m, p, closed, 0, y, f);
    CU_ASSERT(near(f[2], N / 2, 1));
    CU_ASSERT(near(f[3], -0.5 * y[4] * N / 3, 1));
    CU_ASSERT(N > 0 || (f[2] == 0 && f[3] == 0));
    ++*(N > 0 ? &pushed : &free);
    const double stored = y[0] < 0 ? 100 * pow(-y[0], p[0] + 1) / (p[0] + 1) : 0;
    CU_ASSERT(
        near(m->mechanical(m->inner, p, y, closed), y[2] * y[2] + 1.5 * y[3] * y[3] + stored, 1));
  }
  CU_ASSERT(pushed > 50 && free > 50);
  CU_ASSERT_PTR_NOT_NULL(m->flaw(m->inner, (double[]){0.5}));
  CU_ASSERT_PTR_NULL(m->flaw(m->inner, (double[]){1}));
  sal_equation_model_free(e);
}

SAL_TEST_MAIN("laws of contacts", NULL, {"friction of a rod", test_friction_moves_a_rod_as_by_hand},
              {"impact of a rod", test_an_impact_keeps_its_laws},
              {"two ends", test_the_other_end_leaves_or_stays},
              {"multipliers", test_multipliers_hold_what_is_closed},
              {"soft contacts", test_soft_contacts_push_alone})
