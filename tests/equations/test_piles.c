/** Piles of blocks with Poisson's law come to rest. */
#include "preset_run.h"

static run_end run_at(const char *text, double end, double rtol, double atol)
{
  return run_preset(text, "ode45", rtol, atol, end, 400000);
}

static run_end run(const char *text, double end) { return run_at(text, end, 1e-6, 1e-6); }

/* A ball between two walls that it reaches every 1e-9: the run would take 5e10 events, and ends. */
static void test_a_slot_ends_the_run(void)
{
  const run_end out = run_at(
      "equations: 1\nname: slot\ncoordinates: {x: {preset: 5e-10, rate: {name: v, preset: 1}}}\n"
      "kinetic: v^2 / 2\npotential: 0\ncontacts:\n"
      "  a: {names: [a1, a2], gap: x, law: {rigid: {restitution: 1}}}\n"
      "  b: {names: [b1, b2], gap: 1e-9 - x, law: {rigid: {restitution: 1}}}\n",
      50, 0.1, 1e-12);

  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_STUCK);
  CU_ASSERT(out.n_event > 4096);
}

/* Two blocks that meet in the air stay together under no force: by Poisson's law with friction, as by Newton's. */
static void test_blocks_that_stick_in_the_air(void)
{
  for (int law = 0; law < 2; ++law) {
    char text[1200];
    const char *name = law ? "poisson" : "newton";
    snprintf(
        text, sizeof text,
        "equations: 1\nname: air\ncoordinates:\n  y: {preset: 0.3943, rate: {name: v, preset: "
        "1.8982}}\n  x: {preset: 1.0042, rate: {name: u, preset: 1.576}}\n  Y: {preset: 0.4675, "
        "rate: {name: V, preset: -5.532}}\n  X: {preset: 0.9865, rate: {name: U, preset: "
        "1.6999}}\nkinetic: (v^2 + u^2) / 2 + 3.766805610927881 * (V^2 + U^2) / 2\npotential: 9.81 "
        "* y + 0.5 * x^2 + 3.766805610927881 * 9.81 * Y + 0.5 * X^2\ncontacts:\n"
        "  floor: {names: [touch, leave], gap: y + 10, law: {rigid: {restitution: 0.5, law: %s}}}\n"
        "  c: {names: [hit, part], gap: Y - y, law: {rigid: {restitution: 0, law: %s}}, friction: "
        "{names: [stick, slip], along: X - x, mu: 0.3, static: 0.4}}\n",
        name, name);
    const run_end out = run(text, 1);
    CU_ASSERT(out.outcome == SAL_OUT_DONE && out.n_event <= 3);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], out.y[2], 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(out.y[4], out.y[6], 1e-12);
  }
}

/* Blocks that fall onto one another with Poisson's law: where one comes to rest, impulses in the contacts beneath throw none up. */
static void test_a_pile_comes_to_rest(void)
{
  static const char text[] =
      "equations: 1\nname: pile\ncoordinates:\n  y0: {preset: 0.1, rate: {name: v0, preset: "
      "0.197}}\n  y1: {preset: 0.6, rate: v1}\n  y2: {preset: 0.6, rate: v2}\n  y3: {preset: "
      "0.7, rate: v3}\nkinetic: (v0^2 + v1^2 + v2^2 + v3^2) / 2\npotential: 9.81 * (y0 + y1 + y2 "
      "+ y3)\ncontacts:\n"
      "  c0: {names: [h0, o0], gap: y0, law: {rigid: {restitution: 0.7, law: poisson}}}\n"
      "  c1: {names: [h1, o1], gap: y1 - y0, law: {rigid: {restitution: 0.8, law: poisson}}}\n"
      "  c2: {names: [h2, o2], gap: y2 - y1, law: {rigid: {restitution: 0.8, law: poisson}}}\n"
      "  c3: {names: [h3, o3], gap: y3 - y2, law: {rigid: {restitution: 0.5, law: poisson}}}\n";
  const run_end out = run(text, 3);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  for (int i = 0; i < 8; ++i) CU_ASSERT(fabs(out.y[i]) < 1e-12);
}

/* A ball on another one above a floor that shakes: positions of ode15s have errors of order 1 after each impact, which are no
 * landings. */
static void test_errors_make_no_landings(void)
{
  static const char text[] =
      "equations: 1\nname: two\ncoordinates: {y: {preset: 1, rate: v}, z: {preset: 1.5, rate: w}}\n"
      "kinetic: v^2 / 2 + w^2 / 2\npotential: 9.81 * y + 9.81 * z\ncontacts:\n"
      "  floor: {names: [hit, leave], gap: y - 0.02 * sin(9 * t), law: {rigid: {restitution: "
      "0.4}}}\n  top: {names: [strike, part], gap: z - y - 0.1, law: {rigid: {restitution: "
      "0.4}}}\n";
  const run_end exact = run_preset(text, "dop853", 1e-9, 1e-9, 5, 100000);
  const run_end out = run_preset(text, "ode15s", 1e-6, 1e-6, 5, 100000);

  CU_ASSERT(exact.outcome == SAL_OUT_DONE && out.outcome == SAL_OUT_DONE);
  CU_ASSERT(out.n_event > 20 && out.n_event <= exact.n_event);
  for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(out.y[i], exact.y[i], 1e-3);
}

SAL_TEST_MAIN("piles", NULL, {"stuck in the air", test_blocks_that_stick_in_the_air},
              {"a pile", test_a_pile_comes_to_rest}, {"a slot", test_a_slot_ends_the_run},
              {"errors", test_errors_make_no_landings})
