/** Columns of blocks and tables on feet: what a run costs, and its mirror image. */
#include "kernels/run_one.h"
#include "model_text.h"

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_GUARD];
  int outcome, n_event, n_rhs;
} run_end;

/* The preset run at all widths, which must agree; budget 0: none. */
static run_end run(const char *text, const char *method, double tolerance, double t_end,
                   double budget)
{
  sal_model_file *file = parse_model(text);
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  const sal_model *m = sal_model_file_model(file);
  sal_setup u = config("monopod", method, "event", tolerance, t_end);
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end first = {0};

  u.model = m;
  u.max_attempts = 1000000;
  u.work.rhs = 1;
  u.budget = budget;
  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  for (int width = 1; width <= sal_integrate_widest(); width = width == 1 ? 4 : 2 * width) {
    run_end out = {0};
    sal_record record;
    const sal_job job = {.param = param, .initial = y, .end = out.y, .end_closed = out.closed};
    run_batch(&u, width, 1, &job, &record);
    out.outcome = outcome(&record);
    out.n_event = n_event(&record);
    out.n_rhs = (int)record.value[SAL_METRIC_RHS];
    if (width == 1) first = out;
    CU_ASSERT_EQUAL(memcmp(&out, &first, sizeof out), 0);
  }
  sal_model_file_free(file);
  return first;
}

static void write_column(char *text, size_t size, int n)
{
  int at = snprintf(text, size, "name: column\ngravity: [0, 0, -9.81]\nbodies:\n");

  for (int i = 0; i < n; ++i)
    at += snprintf(text + at, size - (size_t)at,
                   "  - {name: x%d, kind: particle, mass: 1, position: %.17g, velocity: 0}\n", i,
                   0.5 + 0.1 * i);
  at += snprintf(text + at, size - (size_t)at, "contacts:\n");
  for (int i = 0; i < n; ++i) {
    char below[16] = "ground";
    if (i > 0) snprintf(below, sizeof below, "x%d", i - 1);
    at += snprintf(text + at, size - (size_t)at,
                   "  - {name: c%d, bodies: [%s, x%d], normal: [0, 0, 1], law: {rigid: "
                   "{restitution: 0.5}}}\n",
                   i, below, i);
  }
}

/* 16 blocks at a tolerance at which events are dense. */
static void test_a_column_at_a_tight_tolerance(void)
{
  enum { BLOCKS = 16 };
  static char text[1 << 13];

  write_column(text, sizeof text, BLOCKS);
  const run_end out = run(text, "dop853", 1e-10, 3, 0);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_DONE);
  CU_ASSERT(out.n_event > 500);
  for (int i = 0; i < 2 * BLOCKS; ++i) CU_ASSERT(fabs(out.y[i]) < 1e-12);
  for (int i = 0; i < BLOCKS; ++i) CU_ASSERT(out.closed[i]);
}

/* A budget that is enough for the evaluations of f is not for the contact problems of some hundred events. */
static void test_a_budget_bounds_events(void)
{
  static char text[1 << 13];

  write_column(text, sizeof text, 12);
  const run_end all = run(text, "ode45", 1e-6, 3, 0), more = run(text, "ode45", 1e-6, 3, 1e6);
  CU_ASSERT_EQUAL(memcmp(&all, &more, sizeof all), 0);
  const run_end out = run(text, "ode45", 1e-6, 3, 1.1 * all.n_rhs);
  CU_ASSERT_EQUAL(all.outcome, SAL_OUT_DONE);
  CU_ASSERT_EQUAL(out.outcome, SAL_OUT_OVER_BUDGET);
  CU_ASSERT(out.n_rhs < 0.9 * all.n_rhs && out.n_event > 50);
}

static double drawn(void) { return 2. * rand() / RAND_MAX - 1; }

/* A table on n feet, some drawn place apart; side -1: its image in a mirror. */
static void write_table(char *text, size_t size, int n, const double draw[], int side, bool rough)
{
  int at = snprintf(text, size,
                    "name: table\ngravity: [0, -9.81]\nbodies:\n  - {name: top, kind: planar, "
                    "mass: 1, inertia: 0.4, position: [%.17g, 0.9], angle: %.17g, velocity: "
                    "[%.17g, 0], angle_rate: %.17g}\ncontacts:\n",
                    side * draw[0], side * 0.2 * draw[1], side * draw[2], side * 0.5 * draw[3]);

  for (int i = 0; i < n; ++i)
    at += snprintf(text + at, size - (size_t)at,
                   "  - {name: foot%d, bodies: [ground, top], normal: [0, 1], P_j: [%.17g, -0.5], "
                   "law: {rigid: {restitution: %.17g}}%s}\n",
                   i, side * draw[4 + 2 * i], 0.2 + 0.2 * draw[5 + 2 * i],
                   rough ? ", friction: {mu: 0.4}" : "");
}

/* Some of them rattle until their budget is spent: so do their images. */
static void test_mirrored_tables(void)
{
  enum { FEET = 5, DRAWS = 8 };
  static char text[2][1 << 12];
  double draw[4 + 2 * FEET] = {0};
  int n_done = 0;

  srand(50);
  for (int k = 0; k < DRAWS; ++k) {
    const bool rough = k % 2;
    for (int i = 0; i < 4 + 2 * FEET; ++i) draw[i] = drawn();
    run_end out[2];
    for (int i = 0; i < 2; ++i) {
      write_table(text[i], sizeof text[i], FEET, draw, i ? -1 : 1, rough);
      out[i] = run(text[i], "dop853", 1e-9, 1.5, 3e3);
    }
    n_done += out[0].outcome == SAL_OUT_DONE;
    CU_ASSERT_EQUAL(out[0].outcome, out[1].outcome);
    CU_ASSERT_EQUAL(out[0].n_event, out[1].n_event);
    CU_ASSERT(out[0].n_event > 2);
    CU_ASSERT_EQUAL(memcmp(out[0].closed, out[1].closed, sizeof out[0].closed), 0);
    for (int i = 0; i < 6; ++i)
      CU_ASSERT_DOUBLE_EQUAL(out[0].y[i], (i % 3 == 1 ? 1 : -1) * out[1].y[i], 1e-13);
  }
  CU_ASSERT(n_done >= DRAWS / 2);
}

SAL_TEST_MAIN("columns and tables", NULL, {"a column", test_a_column_at_a_tight_tolerance},
              {"a budget", test_a_budget_bounds_events}, {"mirrored", test_mirrored_tables})
