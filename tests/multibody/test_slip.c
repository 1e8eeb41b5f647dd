/** Friction of rigid contacts: impacts, sliding, sticking and breaking away in closed form, and against the same systems
 *  written as energies.
 */
#include "differences.h"
#include "equation_model.h"
#include "kernels/run_one.h"
#include "model_text.h"

enum { MOST_EVENTS = 40 };

static const double g = 10, pi = 3.14159265358979323846;

typedef struct {
  double y[SAL_MAX_STATE];
  sal_event log[MOST_EVENTS];
  int n;
} trajectory;

static void run(const sal_model *m, const double param[], const double y[], double t_end,
                trajectory *out)
{
  sal_setup u = config("monopod", "dop853", "event", 1e-12, t_end);
  sal_events events = {.event = out->log, .capacity = MOST_EVENTS};
  double end[2 * SAL_MAX_STATE];
  sal_samples samples = {.n_mesh = 1, .state = end};

  u.model = m;
  const sal_record of = run_one(&u, param, y, &samples, &events);
  CU_ASSERT_EQUAL(outcome(&of), SAL_OUT_DONE);
  memcpy(out->y, end + m->n_state, (size_t)m->n_state * sizeof *out->y);
  out->n = (int)events.n;
}

/* ---- a block ---- */

/* A block of mass 2 on a rigid line along [c, s]; feet: it stands on two. */
static sal_model_file *block_on(double c, double s, bool feet, const char *velocity,
                                const char *more)
{
  static const char *const points[] = {"[0, 0]", "[-0.3, -0.1]", "[0.2, -0.1]"};
  char text[2048];
  const double angle = atan2(s, c), up = feet ? 0.1 : 0;
  int at = snprintf(
      text, sizeof text,
      "name: block\ngravity: [0, -10]\nparameters: {mu: {preset: 0.2, allowed: [0, 2]}, e: "
      "{preset: 0}}\n"
      "bodies:\n  - {name: block, kind: planar, mass: 2, inertia: 1, position: [%.17g, %.17g], "
      "angle: %.17g, velocity: %s}\n%scontacts:\n",
      -s * up, c * up, angle, velocity, more);

  for (int i = feet ? 1 : 0; i <= (feet ? 2 : 0); ++i)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {name: foot%d, bodies: [ground, block], normal: [%.17g, %.17g], P_j: %s, "
                   "law: {rigid: {restitution: e}},\n     friction: {mu: mu, static: %s * mu}}\n",
                   i, -s, c, points[i], feet ? "1" : "1.5");
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  return file;
}

static void run_block(const sal_model_file *file, double mu, double t_end, trajectory *out)
{
  const sal_model *m = sal_model_file_model(file);
  double param[4], y[SAL_MAX_STATE];

  preset(m, param, y);
  param[0] = mu;
  run(m, param, y, t_end, out);
}

/* v - mu g t until it stops, and there it stays. */
static void a_block_slides_and_stops(void)
{
  static trajectory out;

  for (int i = 0; i < 4; ++i) {
    const double side = i % 2 ? -1 : 1;
    sal_model_file *file = block_on(1, 0, i >= 2, side < 0 ? "[-3, 0]" : "[3, 0]", "");
    run_block(file, 0.2, 4, &out);
    CU_ASSERT_EQUAL(out.n, i < 2 ? 1 : 2);
    CU_ASSERT_EQUAL(out.log[0].guard % 2, 1);
    CU_ASSERT_DOUBLE_EQUAL(out.log[0].t, 3 / (0.2 * g), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(out.y[0], side * 9 / (2 * 0.2 * g), 1e-11);
    CU_ASSERT_DOUBLE_EQUAL(out.y[3], 0, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(out.y[2], 0, 1e-12);
    sal_model_file_free(file);
  }
}

/* At rest on a slope it stays below the angle of friction, and beyond it slides at g (s - mu c); on two feet, too, of which
 * one follows from the other while they hold. */
static void a_slope_holds_or_not(void)
{
  static trajectory out;

  for (int feet = 0; feet < 2; ++feet) {
    sal_model_file *file = block_on(0.8, 0.6, feet, "[0, 0]", "");
    const double mu = feet ? 0.75 : 0.5; /* tan = 0.75 = static */
    run_block(file, mu + 0.01, 1, &out);
    CU_ASSERT_EQUAL(out.n, 0);
    CU_ASSERT_DOUBLE_EQUAL(hypot(out.y[3], out.y[4]), 0, 1e-12);
    run_block(file, mu - 0.01, 1, &out);
    CU_ASSERT(out.n <= 3 && (feet || out.n >= 1)); /* on two feet it slides from the start */
    CU_ASSERT_DOUBLE_EQUAL(out.y[3] * 0.8 + out.y[4] * 0.6, -g * (0.6 - (mu - 0.01) * 0.8), 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(out.y[4] * 0.8 - out.y[3] * 0.6, 0, 1e-12);
    sal_model_file_free(file);
  }
}

/* Pulled by a spring whose other end moves on at speed 0.5: it breaks away where k v t is static m g, on two feet as on one, and
 * sticks again where its speed is 0. */
static void a_pulled_block_breaks_away(void)
{
  static trajectory out;

  for (int feet = 0; feet < 2; ++feet) {
    sal_model_file *file = block_on(
        1, 0, feet, "[0, 0]",
        "  - {name: hand, kind: planar, mass: 1e12, inertia: 1, position: [1, 0], velocity: [0.5, "
        "0]}\n"
        "joints:\n  - {name: rail, type: slider, bodies: [ground, hand], f_i: [0, 1], h_j: [1, "
        "0]}\n"
        "springs:\n  - {name: pull, type: axis, axis: x, bodies: [block, hand], k: 20, l0: 1}\n"
        "independent: [block_x, block_y, block_theta, hand_x]\n");
    run_block(file, feet ? 0.3 : 0.2, feet ? 1 : 2.5, &out);
    const double first = 0.3 * 2 * g / (20 * 0.5), w = sqrt(10);
    const int n = 2; /* of two feet the first one gives way before */
    CU_ASSERT_EQUAL_FATAL(out.n, n);
    const sal_event *last = &out.log[n - 1], *slides = &out.log[feet ? 1 : 0];
    CU_ASSERT(!slides->closes);
    CU_ASSERT_DOUBLE_EQUAL(slides->t, first, 1e-9);
    /* u = x - 0.5 t: u'' = -10 u - mu g with u(0) = -0.3, u' = -0.5; it sticks again where u' = -0.5 */
    const double a = -0.3 + 0.2, b = -0.5 / w, phase = 2 * atan2(-a, -b);
    CU_ASSERT(feet || last->closes);
    if (!feet) CU_ASSERT_DOUBLE_EQUAL(last->t - first, (2 * pi - phase) / w, 1e-8);
    if (!feet) CU_ASSERT_DOUBLE_EQUAL(out.y[4], 0, 1e-12);
    sal_model_file_free(file);
  }
}

/* Thrown on the ground it keeps -e of its speed there and loses mu (1 + e) of it along. */
static void a_thrown_block_rebounds(void)
{
  sal_model_file *file = block_on(1, 0, false, "[0, 0]", "");
  const sal_model *m = sal_model_file_model(file);

  for (int i = 0; i < 20; ++i) {
    const double e = i % 2 ? 0.05 * i : 0, vx = (i - 9.5) * 0.7, mu = 0.01 * i;
    const double param[2] = {mu, e}, loss = mu * (1 + e) * 3;
    double y[7] = {0, 0, 0, vx, -3, 0, 1};
    bool closed[2] = {true, false};
    sal_model_jump(m, param, 0, closed, 0, y);
    const double left = fabs(vx) <= 1.5 * loss ? 0 : vx - copysign(loss, vx);
    CU_ASSERT_DOUBLE_EQUAL(y[4], 3 * e, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(y[3], left, 1e-13);
    CU_ASSERT_EQUAL(closed[0], e == 0);
    CU_ASSERT_EQUAL(closed[1], e == 0 && left == 0);
    if (closed[0] && !closed[1]) CU_ASSERT_EQUAL(y[6], vx < 0 ? -1 : 1);
  }
  sal_model_file_free(file);
}

/* ---- the same as energies ---- */

static const char rod_bodies[] =
    "name: rod\ngravity: [0, -9.81]\nparameters: {e: {preset: 0.5}, mu: {preset: 0.3}, m: {preset: "
    "2}, J: {preset: 0.1}}\n"
    "bodies:\n  - {name: rod, kind: planar, mass: m, inertia: J, position: [0, 2], angle: 0.5}\n"
    "contacts:\n  - {name: tip, bodies: [ground, rod], normal: [0, 1], P_j: [-0.6, 0], law: "
    "{rigid: "
    "{restitution: e}}, friction: {mu: mu}}\n"
    "  - {name: wall, bodies: [ground, rod], P_i: [2, 0], normal: [-1, 0], P_j: [0.6, 0], law: "
    "{rigid: {}}, friction: {mu: mu, static: 1.2 * mu}}\n";

static const char rod_energies[] =
    "equations: 1\nname: rod\nparameters: {e: {preset: 0.5}, mu: {preset: 0.3}, m: {preset: 2}, J: "
    "{preset: 0.1}}\n"
    "coordinates: {x: {preset: 0, rate: u}, y: {preset: 2, rate: v}, a: {preset: 0.5, rate: w}}\n"
    "kinetic: m / 2 * (u^2 + v^2) + J / 2 * w^2\npotential: m * 9.81 * y\n"
    "contacts:\n  tip: {names: [lands, lifts], gap: y - 0.6 * sin(a), law: {rigid: {restitution: "
    "e}},\n    friction: {names: [sticks, slides], mu: mu, along: x - 0.6 * cos(a)}}\n"
    "  wall: {names: [touches, leaves], gap: 2 - x - 0.6 * cos(a), law: {rigid: {}},\n"
    "    friction: {names: [holds, slips], mu: mu, static: 1.2 * mu, along: y + 0.6 * sin(a)}}\n";

typedef struct {
  sal_model_file *file;
  sal_equation_model *energies;
  const sal_model *m[2];
} twins;

static twins make_twins(void)
{
  twins of = {.file = parse_model(rod_bodies)};

  CU_ASSERT_PTR_NOT_NULL_FATAL(of.file);
  CU_ASSERT_EQUAL_FATAL(sal_equation_model_parse("e.yaml", rod_energies, &of.energies), SAL_OK);
  of.m[0] = sal_model_file_model(of.file);
  of.m[1] = sal_equation_model_get(of.energies);
  CU_ASSERT_EQUAL_FATAL(of.m[0]->n_guard, 4);
  CU_ASSERT_EQUAL_FATAL(of.m[1]->n_guard, 4);
  return of;
}

static void free_twins(twins *of)
{
  sal_model_file_free(of->file);
  sal_equation_model_free(of->energies);
}

static double kinetic(const double p[], const double y[])
{
  return p[2] / 2 * (y[3] * y[3] + y[4] * y[4]) + p[3] / 2 * y[5] * y[5];
}

/* A rod with its tip on the ground, in any direction; the parameters too. */
static void draw_rod(unsigned *seed, double p[], double y[])
{
  p[0] = fabs(draw(seed)), p[1] = 0.45 * fabs(draw(seed)), p[2] = 2 + draw(seed),
  p[3] = 0.2 + 0.1 * draw(seed);
  y[0] = draw(seed), y[2] = 0.7 + 0.5 * draw(seed), y[1] = 0.6 * sin(y[2]);
  for (int i = 3; i < 6; ++i) y[i] = 2 * draw(seed);
  y[6] = y[7] = 1;
}

/* Newton's law at the tip, friction in its cone and against what slides afterwards, and the states that energies give; no plastic
 * impact brings energy. */
static void impacts_keep_their_laws(void)
{
  twins of = make_twins();
  unsigned seed = 7;
  int stuck = 0, slid = 0, turned = 0;

  for (int i = 0; i < 600; ++i) {
    double p[4], y[2][8], was[8];
    bool closed[2][4] = {{true}, {true}};
    draw_rod(&seed, p, was);
    if (i % 3 == 0) p[0] = 0;
    const double s = 0.6 * sin(was[2]), c = 0.6 * cos(was[2]), before = was[4] - c * was[5];
    if (before > -0.1) continue;
    for (int k = 0; k < 2; ++k) {
      memcpy(y[k], was, sizeof was);
      sal_model_jump(of.m[k], p, 0, closed[k], 0, y[k]);
    }
    for (int k = 0; k < (closed[0][0] ? 7 : 6); ++k) /* an open contact has no sense of slip */
      CU_ASSERT_DOUBLE_EQUAL(y[0][k], y[1][k], 1e-11);
    CU_ASSERT(memcmp(closed[0], closed[1], sizeof *closed) == 0);
    const double *now = y[0], L = p[2] * (now[4] - was[4]), F = p[2] * (now[3] - was[3]);
    const double slip = now[3] + s * now[5], slipped = was[3] + s * was[5];
    CU_ASSERT_DOUBLE_EQUAL(now[4] - c * now[5], -p[0] * before, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p[3] * (now[5] - was[5]), -c * L + s * F, 1e-12);
    CU_ASSERT(L > 0 && fabs(F) <= p[1] * L * (1 + 1e-9) + 1e-12);
    if (fabs(slip) < 1e-12) {
      ++stuck;
    } else {
      CU_ASSERT_DOUBLE_EQUAL(F, -copysign(p[1] * L, slip), 1e-12);
      turned += slip * slipped < 0;
      ++slid;
    }
    if (p[0] == 0) CU_ASSERT(kinetic(p, now) <= kinetic(p, was) * (1 + 1e-13));
  }
  CU_ASSERT(stuck > 20 && slid > 20 && turned > 5);
  free_twins(&of);
}

/* Accelerations, gaps and their rates in all modes of friction, on the ground and against the wall. */
static void forces_are_those_of_energies(void)
{
  twins of = make_twins();
  unsigned seed = 9;
  double most = 0;

  for (int i = 0; i < 200; ++i) {
    double p[4], y[8], f[2][8], gap[2][4], rate[2][4];
    const bool closed[4] = {true, i & 1, i & 2, i & 4 && i & 2 && !(i & 1)};
    draw_rod(&seed, p, y);
    y[0] = 2 - 0.6 * cos(y[2]);
    y[6] = i & 8 ? -1 : 1, y[7] = i & 16 ? -1 : 1;
    if (i & 2) y[3] = 0.6 * sin(y[2]) * y[5], y[4] = 0.6 * cos(y[2]) * y[5];
    for (int k = 0; k < 2; ++k) {
      sal_model_field(of.m[k], p, closed, 0, y, f[k]);
      sal_model_rates(of.m[k], p, closed, 0, y, f[k], gap[k], rate[k]);
    }
    for (int k = 0; k < 6; ++k)
      CU_ASSERT_DOUBLE_EQUAL(f[0][k], f[1][k], 1e-10 * (1 + fabs(f[0][k])));
    for (int k = 0; k < 6; ++k) most = fmax(most, fabs(f[0][k]));
  }
  CU_ASSERT(most > 10);
  free_twins(&of);
}

/* Without the events at the start, by which each form comes to its mode there; how many are left. */
static int forget_start(trajectory *of)
{
  int n = 0;

  for (int k = 0; k < of->n; ++k)
    if (of->log[k].t > 0) of->log[n++] = of->log[k];
  return n;
}

/* A rod slides down a wall and on the ground, leaves the wall, falls and rebounds: the same events and the same end as by energies, and
 * never more energy. */
static void a_leaning_rod_falls_as_by_energies(void)
{
  static trajectory out[2];
  twins of = make_twins();
  int events = 0;

  for (int i = 0; i < 6; ++i) {
    double p[4] = {0, 0.02 + 0.02 * i, 2, 0.24}, y[8] = {0};
    y[2] = 1;
    y[0] = 2 - 0.6 * cos(y[2]), y[1] = 0.6 * sin(y[2]);
    y[6] = -1, y[7] = -1;
    if (i % 2) y[5] = -0.5, y[3] = 0.6 * sin(y[2]) * y[5], y[4] = 0.6 * cos(y[2]) * y[5];
    for (int k = 0; k < 2; ++k) run(of.m[k], p, y, 0.45, &out[k]);
    const int later[2] = {forget_start(&out[0]), forget_start(&out[1])};
    CU_ASSERT_EQUAL_FATAL(later[0], later[1]);
    events += later[0];
    for (int k = 0; k < later[0]; ++k) {
      CU_ASSERT_EQUAL(out[0].log[k].guard, out[1].log[k].guard);
      CU_ASSERT_DOUBLE_EQUAL(out[0].log[k].t, out[1].log[k].t, 1e-9);
    }
    for (int k = 0; k < 8; ++k) CU_ASSERT_DOUBLE_EQUAL(out[0].y[k], out[1].y[k], 1e-9);
    CU_ASSERT(kinetic(p, out[0].y) + p[2] * 9.81 * out[0].y[1] <=
              kinetic(p, y) + p[2] * 9.81 * y[1] + 1e-10);
  }
  CU_ASSERT(events >= 4);
  free_twins(&of);
}

SAL_TEST_MAIN("rigid friction", NULL, {"slides and stops", a_block_slides_and_stops},
              {"on a slope", a_slope_holds_or_not}, {"breaks away", a_pulled_block_breaks_away},
              {"rebounds", a_thrown_block_rebounds}, {"impacts", impacts_keep_their_laws},
              {"forces", forces_are_those_of_energies},
              {"a leaning rod", a_leaning_rod_falls_as_by_energies})
