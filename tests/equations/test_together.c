/** Contacts of energies that are closed or touch together: neither order nor names bear on the result.
 */
#include "energy_text.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"
#include "tangent_model.h"

enum { FEET = 8, EVENTS = 400 };

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_CONTACT];
  int outcome, n_event;
} run_end;

/* The preset run to `end` by `event`; at all widths, which must agree. */
static run_end run(const char *text, const char *method, double tolerance, double end)
{
  static sal_event event[EVENTS];
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method(method),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = tolerance,
                           .atol = tolerance,
                           .t_end = end,
                           .max_attempts = 20000};
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end first = {0};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  for (int width = 1; width <= sal_integrate_widest(); width = width == 1 ? 4 : 2 * width) {
    run_end out = {0};
    sal_events log = {.event = event, .capacity = EVENTS};
    const sal_job job = {
        .param = param, .initial = y, .events = &log, .end = out.y, .end_closed = out.closed};
    sal_record record;
    void *work = sal_alloc(sal_integrate_bytes(&setup, width), 1);
    sal_integrate(&setup, width, 1, &job, &record, work);
    sal_free(work);
    out.outcome = (int)record.value[SAL_METRIC_OUTCOME];
    out.n_event = (int)log.n;
    if (width == 1) first = out;
    CU_ASSERT_EQUAL(memcmp(out.y, first.y, (size_t)m->n_state * sizeof *y), 0);
    CU_ASSERT_EQUAL(memcmp(&out.closed, &first.closed, sizeof out.closed), 0);
    CU_ASSERT_EQUAL(out.n_event, first.n_event);
  }
  sal_equation_model_free(e);
  return first;
}

/* A bar on n feet at -1 .. 1 falls, a little inclined; foot order[i] is line i, with a name of its own. */
static void write_table(char *text, size_t size, int n, const int order[], bool rough, double tilt)
{
  size_t at = (size_t)snprintf(
      text, size,
      "equations: 1\nname: table\ncoordinates:\n  x: {preset: 0, rate: {name: vx, preset: 1}}\n"
      "  z: {preset: 0.3, rate: vz}\n  th: {preset: %g, rate: w}\n"
      "kinetic: (vx^2 + vz^2) / 2 + w^2 / 6\npotential: 9.81 * z\ncontacts:\n",
      tilt);

  for (int i = 0; i < n; ++i) {
    const double arm = -1 + 2. * order[i] / (n - 1);
    const int name = (7 * order[i] + 3) % 11;
    at += (size_t)snprintf(text + at, size - at,
                           "  f%d: {names: [down%d, up%d], gap: z + %.17g * sin(th), law: {rigid: "
                           "{restitution: 0}}",
                           name, name, name, arm);
    if (rough)
      at += (size_t)snprintf(text + at, size - at,
                             ", friction: {names: [stick%d, slip%d], along: x + %.17g * cos(th), "
                             "mu: 0.3}",
                             name, name, arm);
    at += (size_t)snprintf(text + at, size - at, "}\n");
  }
}

/* Heap's algorithm: the k-th of all orders differs from the one before by an exchange. */
static bool next_order(int n, int order[], int count[], int *at)
{
  for (; *at < n; count[(*at)++] = 0)
    if (count[*at] < *at) {
      const int other = *at % 2 ? count[*at] : 0, swap = order[other];
      order[other] = order[*at];
      order[*at] = swap;
      ++count[*at];
      *at = 0;
      return true;
    }
  return false;
}

static void check_orders(int n, bool rough, int most, const char *method, double tolerance)
{
  static char text[1 << 14];
  int order[FEET], count[FEET] = {0}, at = 0, n_order = 0;
  run_end first = {0};

  for (int i = 0; i < n; ++i) order[i] = i;
  do {
    write_table(text, sizeof text, n, order, rough, 0.05);
    const run_end out = run(text, method, tolerance, 2);
    if (n_order == 0) first = out;
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, first.n_event);
    CU_ASSERT(fabs(out.y[1]) < 1e-12 && fabs(out.y[2]) < 1e-12 && fabs(out.y[4]) < 1e-12);
    CU_ASSERT(fabs(out.y[0] - first.y[0]) < 1e-13 && fabs(out.y[1] - first.y[1]) < 1e-13);
    for (int k = 0; k < (rough ? 2 : 1) * n; ++k) CU_ASSERT(out.closed[k]);
  } while (++n_order < most && next_order(n, order, count, &at));
  CU_ASSERT_EQUAL(n_order, most);
  CU_ASSERT(rough ? first.y[0] > 0.2 && fabs(first.y[3]) < 1e-14 : fabs(first.y[0] - 2) < 1e-12);
}

static void test_tables_in_any_order(void)
{
  check_orders(4, false, 24, "ode45", 1e-6);
  check_orders(4, false, 24, "dop853", 1e-8);
  check_orders(8, false, 10, "ode45", 1e-6);
  check_orders(8, false, 10, "dop853", 1e-8);
  check_orders(3, true, 6, "ode45", 1e-6);
  check_orders(4, true, 24, "dop853", 1e-8);
}

/* Lands level and slides to its end: v^2 / (2 mu g) after what the impact's friction leaves of v. */
static void test_a_level_table_stops(void)
{
  static char text[1 << 14];
  const int order[] = {2, 0, 3, 1};

  write_table(text, sizeof text, 4, order, true, 0);
  const run_end out = run(text, "dop853", 1e-10, 2);
  const double speed = sqrt(2 * 9.81 * 0.3), left = 1 - 0.3 * speed;
  const double is = speed / 9.81 + left * left / (2 * 0.3 * 9.81);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT_DOUBLE_EQUAL(out.y[0], is, 1e-9);
  CU_ASSERT(fabs(out.y[3]) < 1e-14);
}

/* Falls flat on two rough corners and stays. */
static void test_a_box_stays(void)
{
  static const double mu[] = {0.01, 0.1, 0.5, 1};
  static const char *const method[] = {"ode45", "dop853", "radau5"};
  char text[2048];

  for (int k = 0; k < 12; ++k) {
    snprintf(text, sizeof text,
             "equations: 1\nname: box\ncoordinates: {x: {preset: 0, rate: vx}, y: {preset: 0.7, "
             "rate: vy}, th: {preset: 0, rate: w}}\n"
             "kinetic: (vx^2 + vy^2) / 2 + 0.17 / 2 * w^2\npotential: 9.81 * y\ncontacts:\n"
             "  left: {names: [hl, ol], gap: \"y - sin(th) * 0.5 - cos(th) * 0.5\", law: {rigid: "
             "{restitution: 0}}, friction: {names: [tl, dl], along: \"x - 0.5 * cos(th) + 0.5 * "
             "sin(th)\", mu: %g}}\n"
             "  right: {names: [hr, or], gap: \"y + sin(th) * 0.5 - cos(th) * 0.5\", law: {rigid: "
             "{restitution: 0}}, friction: {names: [tr, dr], along: \"x + 0.5 * cos(th) + 0.5 * "
             "sin(th)\", mu: %g}}\n",
             mu[k % 4], mu[k % 4]);
    const run_end out = run(text, method[k / 4], 1e-8, 1);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, 2);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1], 0.5, 1e-12);
    for (int i = 0; i < 6; ++i) CU_ASSERT(i == 1 || fabs(out.y[i]) < 1e-12);
    for (int i = 0; i < 4; ++i) CU_ASSERT(out.closed[i]);
  }
}

/* A spring and an overdamped damper with friction, along which nothing moves; y and v by the classical
 * Runge-Kutta method in steps of 2e-6. */
static void test_a_soft_rough_ground(void)
{
  static const char text[] =
      "equations: 1\nname: soft\ncoordinates: {x: {preset: 0, rate: vx}, y: {preset: 0.5, rate: "
      "vy}}\nkinetic: (vx^2 + vy^2) / 2\npotential: 9.81 * y\ncontacts:\n"
      "  floor: {names: [hits, leaves], gap: y, law: {compliant: {k: 1e4, c: 5e3}}, friction: "
      "{names: [sticks, slides], along: x, mu: 0.4}}\n";
  static const char *const method[] = {"ode45", "dop853", "radau5"};

  for (int k = 0; k < 3; ++k) {
    const run_end out = run(text, method[k], 1e-9, 2);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1], -0.00163217, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(out.y[3], -0.0130996, 1e-6);
  }
}

/* Balls that touch share an impact: the first one comes back with 1/2 of its speed, and the other
 * three go on with 1/2. */
static void test_a_cradle_goes_together(void)
{
  static const char text[] =
      "equations: 1\nname: cradle\ncoordinates:\n  x1: {preset: -0.1, rate: v1}\n  x2: {preset: 0, "
      "rate: v2}\n  x3: {preset: 0, rate: v3}\n  x4: {preset: 0, rate: v4}\n"
      "kinetic: 0.5 * (v1^2 + v2^2 + v3^2 + v4^2)\n"
      "potential: 4.5 * (x1^2 + x2^2 + x3^2 + x4^2)\ncontacts:\n"
      "  c12: {names: [a, b], gap: x2 - x1, law: {rigid: {restitution: 1}}}\n"
      "  c23: {names: [c, d], gap: x3 - x2, law: {rigid: {restitution: 1}}}\n"
      "  c34: {names: [f, g], gap: x4 - x3, law: {rigid: {restitution: 1}}}\n";
  static const char *const method[] = {"ode45", "dop853", "radau5"};

  for (int k = 0; k < 3; ++k) {
    const run_end out = run(text, method[k], 1e-8, 1);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, 1);
    const double arc = 3 - acos(-1.0) / 2; /* since the impact */
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], -0.05 * sin(arc), 1e-7);
    for (int i = 1; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(out.y[i], 0.05 * sin(arc), 1e-7);
  }
}

/* The same one after another: all of the speed goes to the last ball, which comes back in half a period. */
static void test_a_cradle_in_sequence(void)
{
  static char text[2048];

  for (int k = 0; k < 4; ++k) {
    const double gap = k < 2 ? 0 : 1e-7; /* a gap makes the same sequence */
    snprintf(text, sizeof text,
             "equations: 1\nname: cradle\n%scoordinates:\n  x1: {preset: -0.1, rate: v1}\n  x2: "
             "{preset: 0, rate: v2}\n  x3: {preset: 0, rate: v3}\n  x4: {preset: 0, rate: v4}\n"
             "kinetic: 0.5 * (v1^2 + v2^2 + v3^2 + v4^2)\n"
             "potential: 4.5 * (x1^2 + x2^2 + x3^2 + x4^2)\ncontacts:\n"
             "  c12: {names: [a, b], gap: x2 - x1 + %g, law: {rigid: {restitution: 1, law: %s}}}\n"
             "  c23: {names: [c, d], gap: x3 - x2 + %g, law: {rigid: {restitution: 1, law: %s}}}\n"
             "  c34: {names: [f, g], gap: x4 - x3 + %g, law: {rigid: {restitution: 1, law: %s}}}\n",
             k < 2 ? "impacts: in-sequence\n" : "", gap, k % 2 ? "poisson" : "newton", gap,
             k % 2 ? "poisson" : "newton", gap, k % 2 ? "poisson" : "newton");
    const run_end out = run(text, "dop853", 1e-10, 1);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, gap > 0 ? 3 : 1);
    for (int i = 0; i < 3; ++i) CU_ASSERT(fabs(out.y[i]) < 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(out.y[3], 0.1 * sin(3 - acos(-1.0) / 2), 1e-6);
  }
}

/* A row of driven oscillators with stops at t = 10, against long double: q0, q4, q7 and the mean of all. */
static void test_a_row_meets_its_reference(void)
{
  static const double is[] = {2.074652736147875, 2.1009004739104125, 1.3303709480559791,
                              1.9259390658376383};
  static char text[8192];
  size_t at = 0;

#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
  ADD("equations: 1\nname: row\ncoordinates:\n");
  for (int i = 0; i < 8; ++i)
    ADD("  x%d: {preset: %.17g, rate: {name: v%d, preset: 0}}\n", i, 0.5 + 0.2 * sin(1.3 * i), i);
  ADD("kinetic: 0");
  for (int i = 0; i < 8; ++i) ADD(" + v%d^2 / 2", i);
  ADD("\npotential: 0");
  for (int i = 0; i < 8; ++i) ADD(" + x%d^2 / 2", i);
  for (int i = 0; i < 7; ++i) ADD(" + 0.1 * (x%d - x%d)^2", i + 1, i);
  ADD("\nforces:\n");
  for (int i = 0; i < 8; ++i) ADD("  x%d: -0.1 * v%d + cos(2 * t + %.17g)\n", i, i, 0.37 * i);
  ADD("contacts:\n");
  for (int i = 0; i < 8; ++i)
    ADD("  c%d: {names: [h%d, o%d], gap: x%d + 0.1, law: {rigid: {restitution: 0.7}}}\n", i, i, i,
        i);
#undef ADD
  for (int k = 6; k <= 10; k += 2) {
    const double rtol = pow(10, -k);
    const run_end out = run(text, "dop853", rtol, 10);
    double mean = 0;
    for (int i = 0; i < 8; ++i) mean += out.y[i] / 8;
    const double found[] = {out.y[0], out.y[4], out.y[7], mean};
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, 24);
    for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(found[i], is[i], 10 * rtol);
  }
}

/* Friction mu = a + b v^2 slows a block as v' = -g (a + b v^2): it stops after atan(v0 sqrt(b / a)) / (g sqrt(a b)), at
 * ln(1 + b v0^2 / a) / (2 b g), and stays. */
static void test_friction_by_speed(void)
{
  static const char *const method[] = {"ode45", "dop853", "radau5", "rosnys4"};
  const double a = 0.2, b = 0.1, v = 3, g = 9.81;
  char text[1024];

  snprintf(text, sizeof text,
           "equations: 1\nname: block\ncoordinates: {x: {preset: 0, rate: {name: vx, preset: %g}}, "
           "y: {preset: 0, rate: vy}}\nkinetic: (vx^2 + vy^2) / 2\npotential: %g * y\ncontacts:\n"
           "  floor: {names: [lands, lifts], gap: y, law: {rigid: {restitution: 0}}, friction: "
           "{names: [sticks, slides], along: x, mu: %g + %g * vx^2, static: 0.5}}\n",
           v, g, a, b);
  for (int k = 0; k < 4; ++k) {
    const double tolerance = k < 3 ? 1e-10 : 1e-8;
    const run_end out = run(text, method[k], tolerance, 2);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], log(1 + b * v * v / a) / (2 * b * g), 1e3 * tolerance);
    CU_ASSERT(out.closed[0] && out.closed[1] && fabs(out.y[2]) < 1e-14);
    const double stops = atan(v * sqrt(b / a)) / (g * sqrt(a * b));
    CU_ASSERT(!run(text, method[k], tolerance, stops - 1e-3).closed[1]);
    CU_ASSERT(run(text, method[k], tolerance, stops + 1e-3).closed[1]);
  }
  char *at = strstr(text, ", static");
  snprintf(at, 4, "}}\n");
  sal_equation_model *made;
  CU_ASSERT_EQUAL(sal_equation_model_parse("e.yaml", text, &made), SAL_ERR_INPUT);
  CU_ASSERT_PTR_NOT_NULL(strstr(sal_err_message(), "static is missing"));
}

/* The unit vectors from a table's start, through its landing on two feet. */
static int carry_vectors(double tilt, bool rebounds, double out[6][6])
{
  static char text[1 << 14];
  static const int order[] = {1, 0};
  static sal_tangent_model t;
  double full[SAL_MAX_STATE], y[6], unit[6][6] = {{0}}, end[6];
  sal_record record;

  write_table(text, sizeof text, 2, order, false, tilt);
  for (char *at = text; rebounds && (at = strstr(at, "restitution: 0}")); ++at) at[13] = '1';
  sal_equation_model *e = parse(text);
  sal_tangent_model_make(sal_equation_model_get(e), 6, &t);
  const sal_setup setup = {.model = &t.model,
                           .method = sal_registry_method("dop853"),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = 1e-10,
                           .atol = 1e-10,
                           .t_end = 1,
                           .max_attempts = 20000};
  const sal_job job = {.param = y, .initial = full, .end = full};
  for (int i = 0; i < 6; ++i) {
    unit[i][i] = 1;
    y[i] = sal_equation_model_get(e)->state[i].preset;
  }
  sal_tangent_model_load(&t, y, unit[0], full);
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  sal_tangent_model_read(&t, full, end, out[0], NULL);
  sal_equation_model_free(e);
  return (int)record.value[SAL_METRIC_OUTCOME];
}

/* Feet that land without rebound, one after the other or at once, leave x and its speed alone.  Where both rebound at once, one
 * after the other would turn the table: vectors are not known. */
static void test_tangents_of_joint_jumps(void)
{
  double v[6][6];

  for (int k = 0; k < 2; ++k) {
    CU_ASSERT_EQUAL(carry_vectors(k ? 0.05 : 0, false, v), SAL_OUT_DONE);
    for (int c = 0; c < 6; ++c)
      for (int i = 0; i < 6; ++i) {
        const bool stays = (c == 0 && i == 0) || (c == 3 && (i == 0 || i == 3));
        CU_ASSERT_DOUBLE_EQUAL(v[c][i], stays, 1e-8);
      }
  }
  CU_ASSERT_EQUAL(carry_vectors(0, true, v), SAL_OUT_UNSOLVED);
}

/* Impacts of a level table on all of its feet: rates as restitution has them, energy that does not rise. */
static void test_random_impacts(void)
{
  static char text[1 << 14];
  int opened = 0, closed_all = 0;

  for (int n = 2; n <= FEET; ++n) {
    int order[FEET];
    for (int i = 0; i < n; ++i) order[i] = (3 * i) % n == 0 && i ? i : i;
    write_table(text, sizeof text, n, order, false, 0);
    sal_equation_model *e = parse(text);
    const sal_model *m = sal_equation_model_get(e);
    for (int k = 0; k < 1500; ++k) {
      double words[SAL_MAX_P], param[SAL_MAX_PARAM], was[6],
          y[6] = {0, 0, 0, chance(-1, 1), chance(-1, 1), chance(-1, 1)};
      bool closed[FEET], fired[FEET], rests[FEET] = {false};
      for (int i = 0; i < n; ++i) closed[i] = fired[i] = true;
      sal_model_fill(m, param, words);
      memcpy(was, y, sizeof y);
      CU_ASSERT_EQUAL(m->jump_together(m->inner, words, 0.1, y, closed, fired, rests, NULL),
                      SAL_TOGETHER_DONE);
      for (int i = 0; i < n; ++i) CU_ASSERT(!fired[i]);
      CU_ASSERT(y[4] * y[4] + y[5] * y[5] / 3 <=
                (was[4] * was[4] + was[5] * was[5] / 3) * (1 + 1e-12));
      for (int i = 0; i < n; ++i) {
        const double arm = -1 + 2. * i / (n - 1), rate = y[4] + arm * y[5];
        CU_ASSERT(rate >= -1e-13);
        CU_ASSERT_EQUAL(closed[i], rate < 1e-13);
        opened += !closed[i];
        closed_all += closed[i];
      }
    }
    sal_equation_model_free(e);
  }
  CU_ASSERT(opened > 1000 && closed_all > 1000);
}

/* Contacts without a law, one of which an impact carries over its surface, leave a table as it is. */
static void test_marks_watch(void)
{
  static char text[1 << 14];
  const int order[] = {0, 1, 2, 3};

  for (int rough = 0; rough < 2; ++rough) {
    write_table(text, sizeof text, rough ? 3 : 4, order, rough, 0.05);
    const run_end bare = run(text, "dop853", 1e-8, 2);
    strcat(text, "  sunk: {names: [sinks, rises], gap: z - 0.2}\n"
                 "  down: {names: [falls, halts], gap: vz + 0.1}\n");
    const run_end out = run(text, "dop853", 1e-8, 2);
    const int marks = rough ? 6 : 4;
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT(out.n_event > bare.n_event + 1);
    CU_ASSERT(out.closed[marks] && !out.closed[marks + 1]);
    for (int i = 0; i < 6; ++i) CU_ASSERT_DOUBLE_EQUAL(out.y[i], bare.y[i], 1e-12);
    for (int k = 0; k < marks; ++k) CU_ASSERT(out.closed[k]);
  }
}

/* A bead that touches both walls cannot rebound from one: no velocity satisfies both laws. */
static void test_a_bead_without_room(void)
{
  static const char text[] =
      "equations: 1\nname: bead\ncoordinates:\n  x: {preset: 0, rate: {name: v, preset: 1}}\n"
      "kinetic: v^2 / 2\npotential: 0 * x\ncontacts:\n"
      "  left: {names: [a, b], gap: x, law: {rigid: {restitution: 0.5}}}\n"
      "  right: {names: [c, d], gap: -x, law: {rigid: {restitution: 0.5}}}\n";
  const run_end out = run(text, "ode45", 1e-6, 1);

  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_UNSOLVED);
  CU_ASSERT(out.y[0] == 0 && out.y[1] == 1);
}

SAL_TEST_MAIN("contacts together", NULL, {"tables in any order", test_tables_in_any_order},
              {"a level table stops", test_a_level_table_stops}, {"a box stays", test_a_box_stays},
              {"soft rough ground", test_a_soft_rough_ground},
              {"a cradle", test_a_cradle_goes_together},
              {"a cradle in sequence", test_a_cradle_in_sequence}, {"marks", test_marks_watch},
              {"a bead without room", test_a_bead_without_room},
              {"a row", test_a_row_meets_its_reference},
              {"friction by speed", test_friction_by_speed},
              {"tangents", test_tangents_of_joint_jumps}, {"random impacts", test_random_impacts})
