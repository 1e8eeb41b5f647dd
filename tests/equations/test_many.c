/** Energies above 8 coordinates or contacts, whose accelerations, forces and impacts are solved for at run time. */
#include "energy_text.h"
#include "integrate.h"
#include "registry.h"
#include "text.h"

enum { EVENTS = 2000, FEET = 12, BEADS = 16, POINTS = 6 };

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_CONTACT];
  int outcome, n_event, n_state;
  sal_event event[EVENTS];
} run_end;

static void run_model(const sal_model *m, const char *method, double tolerance, double end,
                      run_end *out)
{
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method(method),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = tolerance,
                           .atol = tolerance,
                           .t_end = end,
                           .max_attempts = 100000};
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  sal_events log = {.event = out->event, .capacity = EVENTS};
  const sal_job job = {
      .param = param, .initial = y, .events = &log, .end = out->y, .end_closed = out->closed};
  sal_record record;

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  out->outcome = (int)record.value[SAL_METRIC_OUTCOME];
  out->n_event = (int)log.n;
  out->n_state = m->n_state;
  CU_ASSERT_FATAL(log.n <= EVENTS);
}

static void run(const char *text, const char *method, double tolerance, double end, run_end *out)
{
  sal_equation_model *e = parse(text);

  run_model(sal_equation_model_get(e), method, tolerance, end, out);
  sal_equation_model_free(e);
}

/* ---- a row, against the same one as equations ---- */

static const char row_energies[] =
    "equations: 1\nname: row\ncounts: {n: {preset: %d}}\n"
    "coordinates: {x: {for: i in 1..n, preset: 0.5 + 0.02 * (i - n / 2) / n, rate: v}}\n"
    "kinetic: sum(i in 1..n, v(i)^2 / 2)\n"
    "potential: sum(i in 1..n, x(i)^2 / 2) + sum(i in 1..n - 1, 0.1 * (x(i + 1) - x(i))^2)\n"
    "forces: {x: {for: i in 1..n, is: -0.1 * v(i) + cos(2 * t + 0.37 * i)}}\n"
    "contacts:\n  stop: {for: i in 1..n, names: [hit, leave], gap: x(i) + 0.1, law: {rigid: "
    "{restitution: 0.7}}}\n";

static const char row_equations[] =
    "equations: 1\nname: row\ncounts: {n: {preset: %d}}\nstates:\n"
    "  x: {for: i in 1..n, preset: 0.5 + 0.02 * (i - n / 2) / n}\n"
    "  v: {for: i in 1..n, preset: 0, rate_of: x(i)}\n"
    "let:\n  left(1): 0\n  left: {for: i in 2..n, is: 0.2 * (x(i - 1) - x(i))}\n"
    "  right: {for: i in 1..n - 1, is: 0.2 * (x(i + 1) - x(i))}\n  right(n): 0\n"
    "  force: {for: i in 1..n, is: -x(i) - 0.1 * v(i) + cos(2 * t + 0.37 * i) + left(i) + "
    "right(i)}\n"
    "contacts:\n  stop: {for: i in 1..n, names: [hit, leave], gap: x(i) + 0.1, release: -force(i), "
    "closes: {x(i): -0.1, v(i): 0 if rests else -0.7 * v(i)}, opens: {x(i): -0.1, v(i): 0}, "
    "stays: rests and force(i) <= 0}\n"
    "flow:\n  x: {for: i in 1..n, is: 0 if stop(i) else v(i)}\n"
    "  v: {for: i in 1..n, is: 0 if stop(i) else force(i)}\n";

static void test_a_row_is_that_of_equations(void)
{
  static run_end of[2];
  char text[2048];

  for (int n = 16; n <= 64; n *= 4) {
    snprintf(text, sizeof text, row_energies, n);
    run(text, "dop853", 1e-11, n == 16 ? 10 : 4, &of[0]);
    snprintf(text, sizeof text, row_equations, n);
    run(text, "dop853", 1e-11, n == 16 ? 10 : 4, &of[1]);
    CU_ASSERT_EQUAL(of[0].outcome, SAL_OUT_DONE);
    CU_ASSERT_EQUAL_FATAL(of[0].n_event, of[1].n_event);
    CU_ASSERT(of[0].n_event > n);
    for (int i = 0; i < 2 * n; ++i) CU_ASSERT(fabs(of[0].y[i] - of[1].y[i]) <= 1e-10);
    for (int i = 0; i < of[0].n_event; ++i)
      CU_ASSERT(of[0].event[i].guard == of[1].event[i].guard &&
                of[0].event[i].closes == of[1].event[i].closes);
  }
}

/* ---- the same system where it is written out and where it is not ---- */

static const char idle_rod[] =
    "equations: 1\nname: rod\ncounts: {n: {preset: %d}}\n"
    "coordinates: {x: {preset: 0, rate: u}, y: {preset: 2, rate: v}, a: {preset: 0.5, rate: w}, "
    "s: {for: i in 1..n, preset: 1, rate: {name: r, preset: 0.5}}}\n"
    "kinetic: u^2 + v^2 + (0.1 + 0.02 * sin(a)) / 2 * w^2 + 0.3 * u * w * cos(a) + "
    "sum(i in 1..n, r(i)^2)\n"
    "potential: 19 * y\nforces: {x: cos(3 * t) - u}\n"
    "contacts:\n  tip: {names: [lands, lifts], gap: y - 0.6 * sin(a) - 0.1 * sin(t), law: {rigid: "
    "{restitution: 0.5}}, friction: {names: [sticks, slides], mu: 0.3, static: 0.4, along: x - 0.6 "
    "* cos(a)}}\n"
    "  heel: {names: [down, up], gap: y + 0.6 * sin(a), law: {rigid: {restitution: 0.2}}}\n"
    "  pad: {names: [in, out], gap: s(1) + x, law: {compliant: {k: 30, c: 0.1, exponent: 1.5}}}\n";
enum { TIP, GRIP, HEEL, PAD, GUARDS };

/* The states of a rod with n idle coordinates, from those with one. */
static void spread(const double y[], int n, double to[])
{
  const int of = 3 + n;

  for (int i = 0; i < of; ++i) to[i] = y[i < 3 ? i : 3];
  for (int i = 0; i < of; ++i) to[of + i] = y[i < 3 ? 4 + i : 7];
  to[of + of] = y[8];
}

static void check_flows(const sal_model *few, const sal_model *many, int n, bool rests)
{
  const double param[] = {1}, params[] = {n}, t = chance(0, 3);
  double y[9], z[64], f[9], g[64], gap[2][GUARDS], rate[2][GUARDS];
  bool closed[GUARDS] = {rests, rests && chance(0, 1) > 0.5, false, chance(0, 1) > 0.5};

  for (int i = 0; i < 8; ++i) y[i] = chance(-1, 1);
  y[8] = chance(0, 1) > 0.5 ? 1 : -1;
  spread(y, n, z);
  sal_model_field(few, param, closed, t, y, f);
  sal_model_field(many, params, closed, t, z, g);
  for (int i = 0; i < 3; ++i) {
    CU_ASSERT(near(f[i], g[i], 1));
    CU_ASSERT(fabs(f[4 + i] - g[3 + n + i]) <= 1e-11 * fmax(1, fabs(f[4 + i])));
  }
  sal_model_rates(few, param, closed, t, y, f, gap[0], rate[0]);
  sal_model_rates(many, params, closed, t, z, g, gap[1], rate[1]);
  for (int k = 0; k < GUARDS; ++k) {
    CU_ASSERT(fabs(gap[0][k] - gap[1][k]) <= 1e-10 * fmax(1, fabs(gap[0][k])));
    CU_ASSERT(fabs(rate[0][k] - rate[1][k]) <= 1e-4 * fmax(1, fabs(rate[0][k])));
  }
}

/* Jumps of tip or heel, which begin on their surfaces. */
static void check_jumps(const sal_model *few, const sal_model *many, int n, int guard)
{
  const double param[] = {1}, params[] = {n}, t = chance(0, 3);
  double y[9], z[64];
  bool closed[2][GUARDS] = {{false}};

  for (int i = 0; i < 8; ++i) y[i] = chance(-1, 1);
  y[1] = guard == TIP ? 0.6 * sin(y[2]) + 0.1 * sin(t) : -0.6 * sin(y[2]);
  if (guard == TIP) y[2] = fabs(y[2]); /* the heel is off its surface */
  y[8] = 1;
  const double turn = (guard == TIP ? -0.6 : 0.6) * cos(y[2]) * y[6];
  const double rate = y[5] + turn - (guard == TIP ? 0.1 * cos(t) : 0);
  if (rate > -0.1) y[5] -= rate + 0.1; /* it comes to its surface */
  spread(y, n, z);
  closed[0][guard] = closed[1][guard] = true;
  sal_model_jump(few, param, guard, closed[0], t, y);
  sal_model_jump(many, params, guard, closed[1], t, z);
  for (int i = 0; i < 3; ++i) {
    CU_ASSERT(near(y[i], z[i], 1));
    CU_ASSERT(fabs(y[4 + i] - z[3 + n + i]) <= 1e-11);
  }
  if (guard == TIP && fabs(y[4] + 0.6 * sin(y[2]) * y[6]) > 1e-9)
    CU_ASSERT_EQUAL(y[8], z[3 + n + 3 + n]);
  CU_ASSERT_EQUAL(memcmp(closed[0], closed[1], sizeof closed[0]), 0);
}

static void test_it_moves_as_where_it_is_written_out(void)
{
  enum { MANY = 9 };
  char text[2048];

  snprintf(text, sizeof text, idle_rod, 1);
  sal_equation_model *few = parse(text);
  snprintf(text, sizeof text, idle_rod, MANY);
  sal_equation_model *many = parse(text);
  const sal_model *m[] = {sal_equation_model_get(few), sal_equation_model_get(many)};
  CU_ASSERT(sal_equation_model_programs(few)->rhs.n_out == 8);
  CU_ASSERT(sal_equation_model_programs(many)->rhs.n_out == 0); /* solved for at run time */
  for (int i = 0; i < 400; ++i) check_flows(m[0], m[1], MANY, i % 2);
  for (int i = 0; i < 400; ++i) check_jumps(m[0], m[1], MANY, i % 2 ? TIP : HEEL);
  sal_equation_model_free(few);
  sal_equation_model_free(many);
}

/* ---- beads that exchange their speeds, in closed form ---- */

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

/* Equal beads with e = 1 between walls at 0 and BEADS are free ones, sorted (Tonks 1936). */
static void test_beads_are_free_ones_sorted(void)
{
  static const char text[] =
      "equations: 1\nname: beads\ncounts: {n: {preset: 16}}\n"
      "coordinates: {x: {for: i in 1..n, preset: i - 0.5, rate: {name: v, preset: 0.7 * (i - 6.3) "
      "* "
      "(i - 11.9) / 4}}}\n"
      "kinetic: sum(i in 1..n, v(i)^2 / 2)\ncontacts:\n"
      "  left: {names: [hit, leave], gap: x(1), law: {rigid: {restitution: 1}}}\n"
      "  pair: {for: i in 1..n - 1, names: [hit, leave], gap: x(i + 1) - x(i), law: {rigid: "
      "{restitution: 1}}}\n"
      "  right: {names: [hit, leave], gap: n - x(n), law: {rigid: {restitution: 1}}}\n";
  static run_end out;
  const double end = 3;
  double x[BEADS];

  run(text, "ode45", 1e-9, end, &out);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT(out.n_event > 60);
  for (int i = 1; i <= BEADS; ++i) {
    const double free_one = i - 0.5 + end * 0.7 * (i - 6.3) * (i - 11.9) / 4;
    const double turns = floor(free_one / BEADS), rest = free_one - turns * BEADS;
    x[i - 1] = fmod(fabs(turns), 2) > 0 ? BEADS - rest : rest;
  }
  qsort(x, BEADS, sizeof *x, ascending);
  for (int i = 0; i < BEADS; ++i) CU_ASSERT(fabs(out.y[i] - x[i]) <= 1e-11);
}

/* ---- a table on more feet than it needs ---- */

static void write_table(char *text, size_t size, int turn, bool rough)
{
  size_t at = (size_t)snprintf(
      text, size,
      "equations: 1\nname: table\ncoordinates:\n  x: {preset: 0, rate: {name: vx, preset: 1}}\n"
      "  z: {preset: 0.3, rate: vz}\n  th: {preset: 0.05, rate: w}\n"
      "kinetic: (vx^2 + vz^2) / 2 + w^2 / 6\npotential: 9.81 * z\ncontacts:\n");

  for (int i = 0; i < FEET; ++i) {
    const int foot = (5 * i + turn) % FEET;
    const double arm = -1 + 2. * foot / (FEET - 1);
    at += (size_t)snprintf(text + at, size - at,
                           "  f%d: {names: [down, up], gap: z + %.17g * sin(th), law: {rigid: {}}",
                           i, arm);
    if (rough)
      at += (size_t)snprintf(
          text + at, size - at,
          ", friction: {names: [stick, slip], along: x + %.17g * cos(th), mu: 0.3}", arm);
    at += (size_t)snprintf(text + at, size - at, "}\n");
  }
}

static void test_a_table_rests_in_any_order_of_its_feet(void)
{
  static run_end first, out;
  static char text[1 << 13];

  for (int rough = 0; rough < 2; ++rough)
    for (int turn = 0; turn < FEET; turn += 3) {
      write_table(text, sizeof text, turn, rough);
      run(text, turn % 2 ? "dop853" : "ode45", 1e-8, 2, turn ? &out : &first);
      if (turn == 0) out = first;
      CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
      CU_ASSERT(fabs(out.y[1]) < 1e-12 && fabs(out.y[2]) < 1e-12 && fabs(out.y[4]) < 1e-12);
      CU_ASSERT(fabs(out.y[0] - first.y[0]) < (turn % 2 ? 1e-8 : 1e-13));
      for (int k = 0; k < (1 + rough) * FEET; ++k) CU_ASSERT(out.closed[k]);
      CU_ASSERT(rough ? out.y[0] > 0.2 && fabs(out.y[3]) < 1e-14 : fabs(out.y[0] - 2) < 1e-12);
    }
}

/* ---- size ---- */

/* The matrices of a row have the width of its neighbours. */
static void test_a_row_takes_memory_by_its_length(void)
{
  int memory[2], code[2];

  for (int i = 0; i < 2; ++i) {
    char text[2048];
    snprintf(text, sizeof text, row_energies, 64 << i);
    sal_equation_model *e = parse(text);
    memory[i] = sal_equation_model_get(e)->n_memory;
    code[i] = sal_equation_model_programs(e)->motion->terms.n_out;
    sal_equation_model_free(e);
  }
  CU_ASSERT(memory[0] > 64 && memory[1] <= 2.05 * memory[0]);
  CU_ASSERT(code[0] > 64 && code[1] <= 2.05 * code[0]);
}

/* Rough points with springs between neighbours: x and y of each, or all x ahead of all y and floors ahead of stops. */
static void write_points(char *text, size_t size, int n, bool families)
{
  const char *const part[] = {
      "  x%d: {preset: %d, rate: {name: vx%d, preset: 0.4}}\n",
      "  y%d: {preset: 0.02, rate: vy%d}\n",
      "  floor%d: {names: [down, up], gap: y%d + 0.001 * x%d, law: {rigid: {restitution: 0.3}}, "
      "friction: {names: [stick, slip], along: x%d, mu: 0.3}}\n",
      "  stop%d: {names: [hit, leave], gap: %d.1 - x%d, law: {rigid: {}}}\n"};
  sal_text out = {0};

  sal_text_add(&out, "equations: 1\nname: points\n");
  for (int kind = 0; kind < 2; ++kind) {
    sal_text_add(&out, kind ? "contacts:\n" : "coordinates:\n");
    for (int k = 0; k < 2 * n; ++k) {
      const int i = families ? k % n : k / 2;
      sal_text_add(&out, part[2 * kind + (families ? k / n : k % 2)], i, i, i, i);
    }
  }
  sal_text_add(&out, "kinetic: 0");
  for (int i = 0; i < n; ++i)
    sal_text_add(&out, " + (vx%d^2 + vy%d^2) / 2 + 0.1 * vx%d * vy%d", i, i, i, i);
  sal_text_add(&out, "\npotential: 0");
  for (int i = 0; i < n; ++i) sal_text_add(&out, " + 9.81 * y%d", i);
  for (int i = 1; i < n; ++i) sal_text_add(&out, " + 5 * (x%d - x%d - 0.9)^2", i, i - 1);
  sal_text_add(&out, "\n");
  snprintf(text, size, "%s", out.string);
  sal_text_free(&out);
}

static void test_the_order_of_lines_costs_nothing(void)
{
  static char text[1 << 16];
  static run_end of[2];
  int memory[2];

  for (int families = 0; families < 2; ++families) {
    write_points(text, sizeof text, 32, families);
    sal_equation_model *e = parse(text);
    memory[families] = sal_equation_model_get(e)->n_memory;
    sal_equation_model_free(e);
    write_points(text, sizeof text, POINTS, families);
    run(text, "dop853", 1e-10, 0.5, &of[families]);
    CU_ASSERT_EQUAL(of[families].outcome, SAL_OUT_DONE);
  }
  CU_ASSERT(memory[1] <= 1.1 * memory[0]);
  CU_ASSERT(of[0].n_event > 4 * POINTS && of[0].n_event == of[1].n_event);
  for (int k = 0; k < 4 * POINTS; ++k) { /* part (x, y, vx, vy) of a point */
    const int i = k / 4, part = k % 4, half = part / 2 * 2 * POINTS;
    CU_ASSERT(fabs(of[0].y[half + 2 * i + part % 2] - of[1].y[half + part % 2 * POINTS + i]) <
              1e-11);
  }
}

SAL_TEST_MAIN("many contacts by energies", NULL, {"row", test_a_row_is_that_of_equations},
              {"twin", test_it_moves_as_where_it_is_written_out},
              {"beads", test_beads_are_free_ones_sorted},
              {"table", test_a_table_rests_in_any_order_of_its_feet},
              {"size", test_a_row_takes_memory_by_its_length},
              {"order of lines", test_the_order_of_lines_costs_nothing})
