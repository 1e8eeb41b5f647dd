/** Contacts of energies against balls in long double, and in a mirror. */
#include "preset_run.h"

static run_end run(const char *text, double tolerance, double end)
{
  return run_preset(text, "dop853", tolerance, tolerance, end, 3000);
}

#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)

/* Balls on a table that shakes by A sin(20 t + .37 i): after 2, places of three of them and the mean. */
static void test_balls_on_a_shaking_table(void)
{
  static const double is[] = {0.041882091652256738, 0.10242763507008705, 0.098345001115587555,
                              0.073777808976589268};
  static char text[4096];
  size_t at = 0;

  ADD("equations: 1\nname: balls\ncoordinates:\n");
  for (int i = 0; i < 8; ++i)
    ADD("  x%d: {preset: %.17g, rate: {name: v%d, preset: 0}}\n", i, 1 + 0.3 * sin(1.7 * i), i);
  ADD("kinetic: 0");
  for (int i = 0; i < 8; ++i) ADD(" + v%d^2 / 2", i);
  ADD("\npotential: 0");
  for (int i = 0; i < 8; ++i) ADD(" + 9.81 * x%d", i);
  ADD("\ncontacts:\n");
  for (int i = 0; i < 8; ++i)
    ADD("  c%d: {names: [h%d, o%d], gap: x%d - %.17g * sin(20 * t + %.17g), law: {rigid: "
        "{restitution: 0.6}}}\n",
        i, i, i, i, 1.5 * 9.81 / 400, 0.37 * i);
  for (int k = 6; k <= 10; k += 2) {
    const run_end out = run(text, pow(10, -k), 2);
    double mean = 0;
    for (int i = 0; i < 8; ++i) mean += out.y[i] / 8;
    const double found[] = {out.y[0], out.y[4], out.y[7], mean};
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, 64);
    for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(found[i], is[i], 1e-11);
  }
}

static double drawn(void) { return 2. * rand() / RAND_MAX - 1; }

/* A bar on four feet, drawn places apart; side -1: its image in a mirror. */
static run_end run_bar(const double draw[], int side, bool rough)
{
  static char text[4096];
  size_t at = 0;

  ADD("equations: 1\nname: bar\ncoordinates:\n  x: {preset: %.17g, rate: {name: vx, preset: "
      "%.17g}}\n  z: {preset: 0.4, rate: vz}\n  th: {preset: %.17g, rate: {name: w, preset: "
      "%.17g}}\nkinetic: (vx^2 + vz^2) / 2 + w^2 / 6\npotential: 9.81 * z\ncontacts:\n",
      side * draw[0], side * draw[1], side * 0.2 * draw[2], side * 0.5 * draw[3]);
  for (int i = 0; i < 4; ++i) {
    const double arm = side * draw[4 + 2 * i];
    ADD("  f%d: {names: [d%d, u%d], gap: z + %.17g * sin(th), law: {rigid: {restitution: %.17g}}",
        i, i, i, arm, 0.2 + 0.2 * draw[5 + 2 * i]);
    if (rough)
      ADD(", friction: {names: [st%d, sl%d], along: x + %.17g * cos(th), mu: 0.4}", i, i, arm);
    ADD("}\n");
  }
  return run(text, 1e-9, 1.5);
}

/* Rounding decides which of redundant feet with friction carry the bar: some events more or less. */
static void test_mirrored_bars(void)
{
  enum { DRAWS = 10 };

  srand(5);
  for (int k = 0; k < DRAWS; ++k) {
    double draw[12] = {0};
    for (int i = 0; i < 12; ++i) draw[i] = drawn();
    const run_end one = run_bar(draw, 1, k % 2), other = run_bar(draw, -1, k % 2);
    CU_ASSERT_EQUAL(one.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(other.outcome, SAL_OUT_DONE);
    CU_ASSERT(one.n_event > 10 && abs(one.n_event - other.n_event) <= 8 * (k % 2));
    for (int i = 0; i < 4; ++i) CU_ASSERT(k % 2 || one.closed[i] == other.closed[i]);
    for (int i = 0; i < 6; ++i)
      CU_ASSERT_DOUBLE_EQUAL(one.y[i], (i % 3 == 1 ? 1 : -1) * other.y[i], 1e-13);
  }
}

/* The end of a bar lands alone and sticks, without other forces: by Poisson's law the normal impulse of expansion is e
 * times that of compression, so its rate is -e (u_n - W_nt u_t / W_tt); by Newton's it is -e u_n. */
static void test_a_bar_lands_alone(void)
{
  const double c = cos(0.6), s = sin(0.6), W_n = 1 + 3 * c * c, W_t = 1 + 3 * s * s, W = 3 * c * s;

  for (int newton = 0; newton < 2; ++newton) {
    static char text[2048];
    size_t at = 0;
    ADD("equations: 1\nname: bar\ncoordinates:\n  x: {preset: 0, rate: {name: vx, preset: 0.5}}\n"
        "  y: {preset: %.17g, rate: {name: vy, preset: -1}}\n  th: {preset: 0.6, rate: w}\n"
        "kinetic: (vx^2 + vy^2) / 2 + w^2 / 6\npotential: 0 * y\ncontacts:\n"
        "  end: {names: [a, b], gap: y - sin(th), law: {rigid: {restitution: 0.5, law: %s}}, "
        "friction: {names: [st, sl], along: x + cos(th), mu: 10}}\n",
        s + 0.1, newton ? "newton" : "poisson");
    const run_end out = run(text, 1e-9, 0.2);
    const double rate = newton ? 0.5 : 0.5 * (1 + 0.5 * W / W_t), dn = rate + 1, dt = -0.5;
    const double det = W_n * W_t - W * W, normal = (W_t * dn - W * dt) / det,
                 along = (W_n * dt - W * dn) / det;
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[3], 0.5 + along, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(out.y[4], -1 + normal, 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(out.y[5], -3 * (c * normal + s * along), 1e-10);
  }
}

SAL_TEST_MAIN("contacts, checked", NULL, {"balls", test_balls_on_a_shaking_table},
              {"mirrored", test_mirrored_bars}, {"alone", test_a_bar_lands_alone})
