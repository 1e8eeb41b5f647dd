/** Contacts of energies against balls in long double, and in a mirror. */
#include "energy_text.h"
#include "integrate.h"
#include "memory.h"
#include "registry.h"

typedef struct {
  double y[SAL_MAX_STATE];
  bool closed[SAL_MAX_CONTACT];
  int outcome, n_event;
} run_end;

static run_end run(const char *text, double tolerance, double end)
{
  sal_equation_model *e = parse(text);
  const sal_model *m = sal_equation_model_get(e);
  const sal_setup setup = {.model = m,
                           .method = sal_registry_method("dop853"),
                           .strategy = sal_registry_strategy("event"),
                           .rtol = tolerance,
                           .atol = tolerance,
                           .t_end = end,
                           .max_attempts = 3000};
  double param[SAL_MAX_PARAM], y[SAL_MAX_STATE];
  run_end out = {0};
  sal_record record;
  void *work = sal_alloc(sal_integrate_bytes(&setup, 1), 1);
  const sal_job job = {.param = param, .initial = y, .end = out.y, .end_closed = out.closed};

  for (int i = 0; i < m->n_param; ++i) param[i] = m->param[i].preset;
  for (int i = 0; i < m->n_state; ++i) y[i] = m->state[i].preset;
  sal_integrate(&setup, 1, 1, &job, &record, work);
  sal_free(work);
  out.outcome = (int)record.value[SAL_METRIC_OUTCOME];
  out.n_event = (int)record.value[SAL_METRIC_EVENTS];
  sal_equation_model_free(e);
  return out;
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

/* Rounding decides which of redundant feet with friction carry the bar: an event more or less. */
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
    CU_ASSERT(one.n_event > 10 && abs(one.n_event - other.n_event) <= k % 2);
    for (int i = 0; i < 4; ++i) CU_ASSERT(k % 2 || one.closed[i] == other.closed[i]);
    for (int i = 0; i < 6; ++i)
      CU_ASSERT_DOUBLE_EQUAL(one.y[i], (i % 3 == 1 ? 1 : -1) * other.y[i], 1e-13);
  }
}

SAL_TEST_MAIN("contacts, checked", NULL, {"balls", test_balls_on_a_shaking_table},
              {"mirrored", test_mirrored_bars})
