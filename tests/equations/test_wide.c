/** Texts with more than 128 states: their Jacobian is a band in an order of the states, or implicit methods refuse it. */
#include "band_order.h"
#include "energy_text.h"
#include "kernels/run_one.h"
#include "model_point.h"

/* A ring of masses whose feet are soft, and the mean of all positions pulls at each where `mean` is not 0. */
static const char ring[] =
    "equations: 1\nname: ring\n"
    "counts: {n: {preset: %d, range: [3, 500], allowed: [3, 500]}}\n"
    "parameters: {c: {preset: 20}, stop: {preset: 50}}\n"
    "states:\n"
    "  v: {for: i in 1..n, preset: 0.3 * (i / n) - 0.5, rate_of: x(i)}\n"
    "  x: {for: i in 1..n, preset: 0.1 + 0.1 * (i / n) * (1 - i / n)}\n"
    "let: {mean: \"%s\"}\n"
    "contacts:\n"
    "  foot: {for: i in 1..n, kind: compliant, names: [lands, lifts], gap: x(i) + 0.02 * i / n}\n"
    "flow:\n"
    "  x: {for: i in 1..n, is: v(i)}\n"
    "  v(1): c * (x(2) - 2 * x(1) + x(n)) - mean\n"
    "  v: {for: i in 2..n - 1, is: c * (x(i + 1) - 2 * x(i) + x(i - 1)) - (stop * (x(i) + 0.02 * i "
    "/ n) if foot(i) else 0) - mean}\n"
    "  v(n): c * (x(1) - 2 * x(n) + x(n - 1)) - mean\n"
    "watch: x(1)\n";

static sal_equation_model *ring_of(int n, const char *mean)
{
  char text[2000];

  CU_ASSERT_FATAL(snprintf(text, sizeof text, ring, n, mean) < (int)sizeof text);
  return parse(text);
}

/* Neighbours of a ring are two places apart at most, each with its position and its velocity. */
static void a_ring_is_a_band(void)
{
  enum { N = 130, STATES = 2 * N };
  static double J[STATES * STATES];
  sal_equation_model *e = ring_of(N, "0");
  const sal_model *m = sal_equation_model_get(e);
  const double param[] = {N, 20, 50};
  double y[STATES];
  int seen[STATES] = {0}, entries = 0;

  CU_ASSERT_PTR_NOT_NULL_FATAL(m->band.order);
  CU_ASSERT(m->band.lower == 5 && m->band.upper == 3);
  CU_ASSERT_FALSE(sal_model_has_jacobian(m));
  CU_ASSERT_PTR_NULL(sal_model_flow_flaw(m));
  for (int i = 0; i < STATES; ++i) ++seen[m->band.order[i]], y[i] = chance(-1, 1);
  sal_model_jacobian(m, param, 0, y, true, J);
  for (int p = 0; p < STATES; ++p) {
    CU_ASSERT_EQUAL(seen[p], 1);
    for (int q = 0; q < STATES; ++q) {
      const bool inside = p - q <= m->band.lower && q - p <= m->band.upper;
      const double value = J[m->band.order[p] * STATES + m->band.order[q]];
      CU_ASSERT(inside || value == 0);
      entries += value != 0;
    }
  }
  CU_ASSERT_EQUAL(entries, 4 * N);
  sal_equation_model_free(e);
}

/* Every implicit method agrees with an explicit one, by each strategy that a compliant text has. */
static void soft_feet_are_solved_by_all(void)
{
  enum { N = 65, STATES = 2 * N };
  static const char *const strategies[] = {"event", "switch", "ess", "ess2"};
  sal_equation_model *e = ring_of(N, "0");
  const sal_model *m = sal_equation_model_get(e);
  const double param[] = {N, 20, 50};
  double initial[STATES], end[STATES] = {0}, right[STATES] = {0};
  int runs = 0;

  for (int i = 0; i < STATES; ++i) initial[i] = m->state[i].preset;
  for (int k = -1; k < 4; ++k)
    for (int i = 0; sal_registry_methods[i]; ++i) {
      const sal_method *method = sal_registry_methods[i];
      sal_setup setup = config("bouncing-ball", k < 0 ? "dop853" : method->name,
                               k < 0 ? "event" : strategies[k], k < 0 ? 1e-9 : 1e-5, 1);
      setup.model = m;
      setup.max_attempts = 20000;
      if (method->engine || (k >= 0 && !method->implicit)) continue;
      if (!sal_strategy_drives(setup.strategy, setup.method)) continue;
      sal_record out;
      run_batch(&setup, 1, 1,
                &(sal_job){.param = param, .initial = initial, .end = k < 0 ? right : end}, &out);
      CU_ASSERT_EQUAL(outcome(&out), SAL_OUT_DONE);
      if (k < 0) break;
      double worst = 0;
      for (int j = 0; j < STATES; ++j) worst = fmax(worst, fabs(end[j] - right[j]));
      CU_ASSERT(worst < 3e-3 && worst > 1e-10);
      ++runs;
    }
  printf("(%d runs) ", runs);
  CU_ASSERT(runs >= 20 && fabs(right[0] - initial[0]) > 0.01);
  sal_equation_model_free(e);
}

static void a_full_jacobian_has_no_band(void)
{
  for (int n = 64; n <= 65; ++n) {
    sal_equation_model *e = ring_of(n, "0.01 * sum(i in 1..n, x(i))");
    const sal_model *m = sal_equation_model_get(e);
    CU_ASSERT(m->band.lower == 0 && m->band.upper == 0 && !m->band.order);
    CU_ASSERT_EQUAL(sal_model_has_jacobian(m), n == 64);
    sal_equation_model_free(e);
  }
}

/* ---- order of rows ------------------------------------------------------------------------------ */

/* How far linked rows are apart in the order; 1000 where it is not one. */
static int width_of(int n, int n_link, const sal_band_link link[], const int order[])
{
  int place[400] = {0}, width = 0;

  for (int i = 0; i < n; ++i) place[i] = -1;
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  for (int i = 0; i < n; ++i)
    if (place[i] < 0) return 1000;
  for (int k = 0; k < n_link; ++k) {
    const int apart = abs(place[link[k].a] - place[link[k].b]);
    width = apart > width ? apart : width;
  }
  return width;
}

/* Two grids of 5 by 40 whose rows have numbers in no order, and the chains that they are where they are 1 wide. */
static void grids_become_as_narrow_as_they_are(void)
{
  enum { ROWS = 400 };
  sal_band_link link[2 * ROWS];
  int order[ROWS];

  for (int wide = 1; wide <= 5; wide += 4) {
    int n_link = 0, before = 0;
    for (int i = 0; i < ROWS; ++i) {
      const int a = i * 147 % ROWS, left = (i + 1) * 147 % ROWS, down = (i + wide) * 147 % ROWS;
      const bool last = i % 200 >= 200 - wide;
      if (wide > 1 && i % wide != wide - 1) link[n_link++] = (sal_band_link){left, a};
      if (!last) link[n_link++] = (sal_band_link){a, down};
    }
    for (int i = 0; i < ROWS; ++i) order[i] = i;
    before = width_of(ROWS, n_link, link, order);
    CU_ASSERT(sal_band_order(ROWS, n_link, link, order));
    const int after = width_of(ROWS, n_link, link, order);
    CU_ASSERT(before > 100 && after >= wide && after <= wide + (wide > 1));
  }
}

SAL_TEST_MAIN("texts with many states", NULL, {"a ring is a band", a_ring_is_a_band},
              {"soft feet are solved by all", soft_feet_are_solved_by_all},
              {"a full Jacobian has no band", a_full_jacobian_has_no_band},
              {"grids become as narrow as they are", grids_become_as_narrow_as_they_are})
