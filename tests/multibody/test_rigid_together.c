/** Rigid contacts of bodies that land, and rest, together. */
#include "kernels/run_one.h"
#include "model_text.h"

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  int outcome, n_event;
} run_end;

static run_end run(const char *text, const char *method, double tolerance, double t_end)
{
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  const sal_model *m = sal_model_file_model(file);
  sal_setup u = config("monopod", method, "event", tolerance, t_end);
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end out = {0};
  sal_record record;
  sal_event event;
  sal_events log = {.event = &event, .capacity = 1};
  const sal_job job = {
      .param = param, .initial = y, .events = &log, .end = out.y, .end_closed = out.closed};

  u.model = m;
  u.max_attempts = 50000;
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  run_batch(&u, 1, 1, &job, &record);
  out.outcome = outcome(&record);
  out.n_event = (int)log.n;
  sal_model_file_free(file);
  return out;
}

/* A body that falls level on its feet, which stand in the text in an order of their own. */
static int write_body(char *text, size_t size, double high, double speed, int n, const int order[],
                      double mu)
{
  char rub[64] = "";
  if (mu > 0) snprintf(rub, sizeof rub, ", friction: {mu: %g}", mu);
  int at =
      snprintf(text, size,
               "name: table\ngravity: [0, -9.81]\nbodies:\n  - {name: top, kind: planar, mass: 1, "
               "inertia: 0.33, position: [0, %g], angle: 0, velocity: [%g, 0]}\ncontacts:\n",
               high, speed);

  for (int i = 0; i < n; ++i)
    at += snprintf(text + at, size - (size_t)at,
                   "  - {name: foot%d, bodies: [ground, top], normal: [0, 1], P_j: [%.17g, -0.5], "
                   "law: {rigid: {restitution: 0}}%s}\n",
                   order[i], -1 + 2. * order[i] / (n - 1), rub);
  return at;
}

static void test_a_box_stays(void)
{
  static const double mu[] = {0.01, 0.1, 0.5, 1};
  static const int order[] = {1, 0};
  char text[4096];

  for (int k = 0; k < 8; ++k) {
    write_body(text, sizeof text, 1.7, 0, 2, order, mu[k % 4]);
    const run_end out = run(text, k < 4 ? "ode45" : "dop853", 1e-8, 2);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, 2);
    CU_ASSERT_DOUBLE_EQUAL(out.y[1], 0.5, 1e-12);
    for (int i = 0; i < 6; ++i) CU_ASSERT(i == 1 || fabs(out.y[i]) < 1e-12);
    for (int i = 0; i < 4; ++i) CU_ASSERT(out.closed[i]);
  }
}

/* Friction of the impact takes mu of its speed; sliding ends v^2 / (2 mu g) further on. */
static void test_a_table_slides_and_stops(void)
{
  static const int order[3][8] = {
      {0, 1, 2, 3, 4, 5, 6, 7}, {7, 2, 5, 0, 1, 6, 3, 4}, {3, 4, 2, 5, 1, 6, 0, 7}};
  const double fall = sqrt(2 * 9.81 * 0.2), left = 1.5 - 0.3 * fall;
  const double is = 1.5 * fall / 9.81 + left * left / (2 * 0.3 * 9.81);
  char text[4096];

  for (int k = 0; k < 3; ++k) {
    write_body(text, sizeof text, 0.7, 1.5, 8, order[k], 0.3);
    const run_end out = run(text, "dop853", 1e-9, 2);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], is, 1e-8);
    CU_ASSERT(fabs(out.y[3]) < 1e-13 && fabs(out.y[1] - 0.5) < 1e-12);
    for (int i = 0; i < 16; ++i) CU_ASSERT(out.closed[i]);
  }
}

/* The same on more feet than have ever been written out. */
static void test_many_feet(void)
{
  enum { MANY = 40 };
  static char text[1 << 14];
  const double fall = sqrt(2 * 9.81 * 0.2), left = 1.5 - 0.3 * fall;
  int order[MANY];

  for (int i = 0; i < MANY; ++i) order[i] = 7 * i % MANY;
  write_body(text, sizeof text, 0.7, 1.5, MANY, order, 0.3);
  const run_end out = run(text, "ode45", 1e-8, 2);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT_DOUBLE_EQUAL(out.y[0], 1.5 * fall / 9.81 + left * left / (2 * 0.3 * 9.81), 1e-6);
  CU_ASSERT(fabs(out.y[3]) < 1e-13 && fabs(out.y[1] - 0.5) < 1e-12);
  for (int i = 0; i < 2 * MANY; ++i) CU_ASSERT(out.closed[i]);
}

/* 256 feet without friction, from left to right and not: no word of the text shows. */
static void test_feet_in_any_order(void)
{
  enum { MOST = 256 };
  static char text[1 << 16];
  int order[MOST];
  run_end first = {0};

  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < MOST; ++i) order[i] = (2 * k + 1) * 37 * i % MOST;
    write_body(text, sizeof text, 0.7, 1.5, MOST, order, 0);
    const run_end out = run(text, "ode45", 1e-8, 2);
    if (k == 0) first = out;
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL(out.n_event, MOST);
    CU_ASSERT(fabs(out.y[1] - 0.5) < 1e-12 && fabs(out.y[1] - first.y[1]) < 1e-13);
    CU_ASSERT(fabs(out.y[0] - 3) < 1e-12 && fabs(out.y[2]) < 1e-12);
    for (int i = 0; i < MOST; ++i) CU_ASSERT(out.closed[i]);
  }
}

/* Blocks that fall on one another come to rest, after some hundred impacts. */
static void test_a_column_comes_to_rest(void)
{
  enum { BLOCKS = 10 };
  char text[8192];
  int at = snprintf(text, sizeof text, "name: column\ngravity: [0, 0, -9.81]\nbodies:\n");

  for (int i = 0; i < BLOCKS; ++i)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: x%d, kind: particle, mass: 1, position: %.17g, velocity: 0}\n", i,
                   0.5 + 0.1 * i);
  at += snprintf(text + at, sizeof text - (size_t)at,
                 "contacts:\n  - {name: c0, bodies: [ground, x0], normal: [0, 0, 1], law: {rigid: "
                 "{restitution: 0.5}}}\n");
  for (int i = 1; i < BLOCKS; ++i)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: c%d, bodies: [x%d, x%d], normal: [0, 0, 1], law: {rigid: "
                   "{restitution: 0.5}}}\n",
                   i, i - 1, i);
  const run_end out = run(text, "dop853", 1e-9, 3);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT(out.n_event > 100);
  for (int i = 0; i < BLOCKS; ++i) {
    CU_ASSERT(out.closed[i]);
    CU_ASSERT(fabs(out.y[i]) < 1e-12 && fabs(out.y[BLOCKS + i]) < 1e-12);
  }
}

/* A ball whose gap is its coordinate, whose rounding vanishes with it: its flights end all the same. */
static void test_a_ball_comes_to_rest(void)
{
  static const char *const body[] = {
      "kind: planar, mass: 1, inertia: 0.1, position: [0.3, 1], angle: 0.2",
      "kind: spatial, mass: 1, inertia: [0.1, 0.2, 0.3], position: [0, 0, 1]",
      "kind: planar, mass: 1, inertia: 0.1, position: [0, 1.1], angle: 0"};
  static const char *const fall[] = {"[0, -9.81]", "[0, 0, -9.81]", "[0, -9.81]"};
  static const char *const along[] = {"[0, 1]", "[0, 0, 1]", "[0, 1]"};
  static const char *const at[] = {"[0, 0]", "[0, 0, 0]", "[0, 0.1]"};
  static const char *const method[] = {"ode45", "dop853", "radau5", "ode113"};
  static const int height[] = {1, 2, 1};
  char text[1024];

  for (int k = 0; k < 3 * 4 * 7; ++k) {
    const int b = k % 3;
    const double e = k % 2 ? 0.5 : 0.8;
    snprintf(text, sizeof text,
             "name: ball\ngravity: %s\nbodies:\n  - {name: ball, %s}\ncontacts:\n  - "
             "{name: floor, bodies: [ground, ball], normal: %s, P_i: %s, law: {rigid: "
             "{restitution: %g}}}\n",
             fall[b], body[b], along[b], at[b], e);
    const run_end out = run(text, method[k / 3 % 4], pow(10, -6 - k / 12), 6);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    CU_ASSERT(out.closed[0] && out.n_event > 15 && out.n_event < 200);
    CU_ASSERT_DOUBLE_EQUAL(out.y[height[b]], b == 2 ? 0.1 : 0, 1e-14);
  }
}

/* A ball falls on an anvil that stands, whose ground takes the impulse. */
static void test_locks_take_impulses(void)
{
  static const char text[] =
      "name: anvil\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  - {name: anvil, kind: particle, mass: 2, position: 0, velocity: 0}\n"
      "  - {name: ball, kind: particle, mass: 1, position: 1, velocity: 0}\ncontacts:\n"
      "  - {name: stands, body: anvil, closes: lands, opens: lifts}\n"
      "  - {name: hits, bodies: [anvil, ball], normal: [0, 0, 1], law: {rigid: {restitution: "
      "0.5}}}\n"
      "  - {name: roof, bodies: [ground, ball], normal: [0, 0, -1], P_i: [0, 0, 2], law: {rigid: "
      "{restitution: 0.5}}}\n";
  const double fall = sqrt(2 / 9.81), more = 0.3 * fall;
  const run_end out = run(text, "dop853", 1e-10, fall + more);

  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT(out.closed[0] && !out.closed[1] && !out.closed[2]);
  CU_ASSERT_DOUBLE_EQUAL(out.y[0], 0, 1e-13);
  CU_ASSERT_DOUBLE_EQUAL(out.y[1], 0.5 * 9.81 * fall * more - 9.81 / 2 * more * more, 1e-8);
}

/* A bead that touches both walls cannot rebound from one. */
static void test_a_bead_without_room(void)
{
  static const char text[] =
      "name: bead\ngravity: [0, 0, 0]\nbodies:\n"
      "  - {name: bead, kind: particle, mass: 1, position: 0, velocity: 1}\ncontacts:\n"
      "  - {name: low, bodies: [ground, bead], normal: [0, 0, 1], law: {rigid: {restitution: "
      "0.5}}}\n"
      "  - {name: high, bodies: [ground, bead], normal: [0, 0, -1], law: {rigid: {restitution: "
      "0.5}}}\n";

  CU_ASSERT_EQUAL(run(text, "ode45", 1e-6, 1).outcome, SAL_OUT_UNSOLVED);
}

/* Three balls, of which the last two touch: an impact of all, or one after another; and a bead without room that stops. */
static void test_laws_of_impacts(void)
{
  static const double after[2][3] = {{-1. / 3, 2. / 3, 2. / 3}, {0, 0, 1}};
  char text[1024];

  for (int k = 0; k < 4; ++k) {
    snprintf(text, sizeof text,
             "name: balls\ngravity: [0, 0, 0]\nimpacts: %s\nbodies:\n"
             "  - {name: a, kind: particle, mass: 1, position: 0, velocity: 1}\n"
             "  - {name: b, kind: particle, mass: 1, position: 0.5, velocity: 0}\n"
             "  - {name: c, kind: particle, mass: 1, position: 0.5, velocity: 0}\ncontacts:\n"
             "  - {name: ab, bodies: [a, b], normal: [0, 0, 1], law: {rigid: {restitution: 1, law: "
             "%s}}}\n"
             "  - {name: bc, bodies: [b, c], normal: [0, 0, 1], law: {rigid: {restitution: 1, law: "
             "%s}}}\n",
             k % 2 ? "in-sequence" : "together", k < 2 ? "newton" : "poisson",
             k < 2 ? "newton" : "poisson");
    const run_end out = run(text, "ode45", 1e-6, 1);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    for (int i = 0; i < 3; ++i) CU_ASSERT_DOUBLE_EQUAL(out.y[3 + i], after[k % 2][i], 1e-14);
  }
  const run_end bead =
      run("name: bead\ngravity: [0, 0, 0]\nbodies:\n"
          "  - {name: bead, kind: particle, mass: 1, position: 0, velocity: 1}\ncontacts:\n"
          "  - {name: low, bodies: [ground, bead], normal: [0, 0, 1], law: {rigid: {restitution: "
          "0.5, law: poisson}}}\n"
          "  - {name: high, bodies: [ground, bead], normal: [0, 0, -1], law: {rigid: {restitution: "
          "0.5, law: poisson}}}\n",
          "ode45", 1e-6, 1);
  CU_ASSERT_EQUAL(bead.outcome, SAL_OUT_DONE);
  CU_ASSERT(fabs(bead.y[1]) < 1e-14);
}

/* Beads between walls at t = 4, against long double: places of the first, the fifth and the last, and the mean. */
static void test_beads_meet_their_reference(void)
{
  static const double e[] = {0.9, 1}, is[2][4] = {{0.16370190557704489, 5.2735448416603754,
                                                   7.8262523949035128, 4.3648244297128578},
                                                  {0.043960407662393654, 4.8837066269139662,
                                                   7.3369540474627808, 4.2000380309820775}};
  char text[4096];

  for (int k = 0; k < 6; ++k) {
    int at = snprintf(text, sizeof text, "name: beads\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i < 8; ++i)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "  - {name: b%d, kind: particle, mass: 1, position: %.17g, velocity: %.17g}\n",
                     i, i + 0.5 + 0.2 * sin(2.1 * i * i), cos(1.9 * i * i + 1));
    at += snprintf(text + at, sizeof text - (size_t)at, "contacts:\n");
    for (int i = 0; i <= 8; ++i) {
      char bodies[64];
      snprintf(bodies, sizeof bodies,
               i == 0  ? "ground, b0"
               : i < 8 ? "b%d, b%d"
                       : "ground, b7",
               i - 1, i);
      at += snprintf(
          text + at, sizeof text - (size_t)at,
          "  - {name: c%d, bodies: [%s], P_i: [0, 0, %d], normal: [0, 0, %d], law: {rigid: "
          "{restitution: %g}}}\n",
          i, bodies, i < 8 ? 0 : 8, i < 8 ? 1 : -1, e[k % 2]);
    }
    const run_end out = run(text, "dop853", pow(10, -6 - k / 2 * 2), 4);
    double mean = 0;
    for (int i = 0; i < 8; ++i) mean += out.y[i] / 8;
    const double found[] = {out.y[0], out.y[4], out.y[7], mean};
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    for (int i = 0; i < 4; ++i) CU_ASSERT_DOUBLE_EQUAL(found[i], is[k % 2][i], 1e-12);
  }
}

/* A block of length 2 on a table that ends at 0. */
static void write_block(char *text, size_t size, const char *gravity, const char *at, double speed)
{
  snprintf(
      text, size,
      "name: block\n%s\nbodies:\n  - {name: b, kind: planar, mass: 2, inertia: 0.8, "
      "position: %s, angle: 0, velocity: [%g, 0]}\ncontacts:\n"
      "  - {name: rear, bodies: [ground, b], normal: [0, 1], extent: [-5, 0], P_j: [-1, -0.3], "
      "law: {rigid: {restitution: 0}}}\n"
      "  - {name: front, bodies: [ground, b], normal: [0, 1], extent: [-5, 0], P_j: [1, -0.3], "
      "law: {rigid: {restitution: 0}}}\n"
      "  - {name: edge, bodies: [b, ground], P_i: [0, -0.3], normal: [0, -1], extent: [-1, 1], "
      "P_j: [0, 0], law: {rigid: {restitution: 0}}}\n",
      gravity, at, speed);
}

/* It slides without friction over the edge: it stays level until its middle is there, then tips, and keeps its energy; its
 * front corner touches nothing beyond the edge. */
static void test_a_block_that_overhangs_tips(void)
{
  static const double times[] = {0.9, 1.1, 1.9, 2.3};
  static const bool closed[4][3] = {{1, 1, 0}, {1, 0, 1}, {1, 0, 1}, {0, 0, 1}};
  char text[1024];

  write_block(text, sizeof text, "gravity: [0, -9.81]", "[-2, 0.3]", 1);
  for (int i = 0; i < 4; ++i) {
    const run_end out = run(text, "dop853", 1e-9, times[i]);
    const double *y = out.y, *v = y + 3;
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    for (int k = 0; k < 3; ++k) CU_ASSERT_EQUAL(out.closed[k], closed[i][k]);
    CU_ASSERT_DOUBLE_EQUAL(v[0] * v[0] + v[1] * v[1] + 0.4 * v[2] * v[2] + 2 * 9.81 * y[1],
                           1 + 2 * 9.81 * 0.3, 1e-8);
    const bool level =
        fabs(y[0] + 2 - times[i]) < 1e-12 && fabs(y[1] - 0.3) < 1e-12 && fabs(y[2]) < 1e-12;
    CU_ASSERT(i < 3 ? level : y[2] < -1e-3 && v[2] < -1e-2);
  }
}

/* The same block thrown towards the edge against a pull of 1 comes back before its middle is there, and stays level.  A point
 * that passes the end and comes beneath the segment ends the run. */
static void test_a_block_that_comes_back(void)
{
  static const char *const method[] = {"ode45", "dop853", "ode15s"};
  static const double times[] = {0.4, 1.2, 2.4};
  static const bool closed[3][3] = {{1, 1, 0}, {1, 0, 1}, {1, 1, 0}};
  char text[1024];

  write_block(text, sizeof text, "gravity: [-1, -9.81]", "[-1.5, 0.3]", 1.2);
  for (int k = 0; k < 9; ++k) {
    const double t = times[k % 3];
    const run_end out = run(text, method[k / 3], 1e-8, t);
    CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
    for (int i = 0; i < 3; ++i) CU_ASSERT_EQUAL(out.closed[i], closed[k % 3][i]);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], -1.5 + 1.2 * t - t * t / 2, 1e-6);
    CU_ASSERT(fabs(out.y[1] - 0.3) < 1e-12 && fabs(out.y[2]) < 1e-12);
    CU_ASSERT_EQUAL(run("name: point\ngravity: [0, -9.81]\nbodies:\n"
                        "  - {name: b, kind: planar, mass: 1, inertia: 1, position: [0.5, 0.2], "
                        "angle: 0, velocity: [-1, 0]}\ncontacts:\n"
                        "  - {name: c, bodies: [ground, b], normal: [0, 1], extent: [-9, 0], law: "
                        "{rigid: {restitution: 0.5}}}\n",
                        method[k / 3], 1e-8, t)
                        .outcome,
                    t < 0.5 ? SAL_OUT_DONE : SAL_OUT_UNSOLVED);
  }
}

SAL_TEST_MAIN("rigid contacts together", NULL, {"a box stays", test_a_box_stays},
              {"a table slides", test_a_table_slides_and_stops}, {"many feet", test_many_feet},
              {"feet in any order", test_feet_in_any_order},
              {"a column", test_a_column_comes_to_rest}, {"a ball", test_a_ball_comes_to_rest},
              {"locks", test_locks_take_impulses},
              {"a bead without room", test_a_bead_without_room},
              {"beads", test_beads_meet_their_reference}, {"laws of impacts", test_laws_of_impacts},
              {"a block that overhangs", test_a_block_that_overhangs_tips},
              {"a block that comes back", test_a_block_that_comes_back})
