/** Implicit methods whose matrices are bands: their order on a chain of 300 states, the results of full matrices, and the
 *  same bits in every lane.
 */
#include "damped_chain.h"
#include "order.h"
#include "sal_test.h"
#include <string.h>

enum { JOBS = 8, N = 2 * CHAIN_MOST, COLOURS = CHAIN_LOWER + CHAIN_UPPER + 1 };
static damped_chain chain;

/* The first mode has the frequency 1, the last one 96 and a rate of decay far above. */
static const double stiff[] = {2310, 231};

static sal_setup setup_of(const sal_method *method, double tol, double t_end)
{
  return (sal_setup){.model = &chain.model,
                     .method = method,
                     .strategy = sal_registry_strategy("event"),
                     .rtol = tol,
                     .atol = tol,
                     .t_end = t_end,
                     .max_attempts = 5000};
}

/* ---- order ---------------------------------------------------------------------------------- */

static double error_of(const sal_method *method, int max_order, int n_step)
{
  const double span = 3;
  double initial[N], end[N], exact[N], worst = 0;
  sal_setup setup = setup_of(method, 1e-13, span);
  sal_record out;

  setup.fixed_step = span / n_step;
  setup.max_step = span;
  setup.max_order = max_order;
  damped_chain_exact(&chain, stiff, 0, initial);
  damped_chain_exact(&chain, stiff, span, exact);
  run_batch(&setup, 1, 1, &(sal_job){.param = stiff, .initial = initial, .end = end}, &out);
  if (outcome(&out) != SAL_OUT_DONE) return NAN;
  for (int i = 0; i < N; ++i) worst = fmax(worst, fabs(end[i] - exact[i]));
  return worst;
}

static void every_implicit_method_keeps_its_order(void)
{
  enum { SIZES = 4 };
  order_member member[64];
  const int n = order_members(64, member);
  int seen = 0;

  damped_chain_make(&chain, CHAIN_MOST, true);
  printf("\n");
  for (int i = 0; i < n; ++i) {
    double h[SIZES], e[SIZES];
    if (!member[i].method->implicit || member[i].method->engine) continue;
    const bool exact = member[i].method->order == 5 && member[i].max_order == 0;
    for (int k = 0, steps = exact ? 20 : 200; k < SIZES; ++k, steps += steps / 2) {
      h[k] = 1.0 / steps;
      e[k] = error_of(member[i].method, member[i].max_order, steps);
    }
    const double found = slope(SIZES, h, e);
    printf("    %-8s %d  %5.2f  %.1e\n", member[i].method->name, member[i].theory, found,
           e[SIZES - 1]);
    CU_ASSERT(fabs(found - member[i].theory) < 0.3 && e[0] > 1e-11);
    ++seen;
  }
  CU_ASSERT_EQUAL(seen, 11);
}

/* ---- beside full matrices, and in lanes ------------------------------------------------------- */

/* Chains of different stiffness side by side, each with a start of its own. */
static void run_chains(const sal_method *method, int width, int n, sal_record record[],
                       double end[][N])
{
  static double param[JOBS][2], initial[JOBS][N];
  const sal_setup setup = setup_of(method, 1e-4, 0.25);
  sal_job job[JOBS];

  for (int k = 0; k < n; ++k) {
    param[k][0] = 100 * (k + 1), param[k][1] = k;
    for (int i = 0; i < N; ++i) initial[k][i] = (double)((i * 5 + k) % 7) / 7;
    job[k] = (sal_job){.param = param[k], .initial = initial[k], .end = end[k]};
  }
  run_batch(&setup, width, n, job, record);
}

static double end[JOBS][N], other_end[JOBS][N];
static sal_record record[JOBS], other[JOBS];

/* Evaluations of f show which of them was a band. */
static void a_band_gives_the_results_of_a_full_matrix(void)
{
  enum { MASSES = 50, STATES = 2 * MASSES, PAIR = 2 };

  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    if (!method->implicit || method->engine) continue;
    damped_chain_make(&chain, MASSES, false);
    const sal_setup full = setup_of(method, 1e-4, 0.25);
    const size_t bytes = sal_integrate_bytes(&full, 1);
    run_chains(method, 1, PAIR, other, other_end);
    damped_chain_make(&chain, MASSES, true);
    const sal_setup band = setup_of(method, 1e-4, 0.25);
    CU_ASSERT(sal_integrate_bytes(&band, 1) < bytes / 2);
    run_chains(method, 1, PAIR, record, end);
    double worst = 0, largest = 0;
    for (int k = 0; k < PAIR; ++k) {
      const double jacobians = record[k].value[SAL_METRIC_JACOBIANS];
      CU_ASSERT(outcome(&record[k]) == SAL_OUT_DONE && outcome(&other[k]) == SAL_OUT_DONE);
      CU_ASSERT(jacobians >= 1 && jacobians == other[k].value[SAL_METRIC_JACOBIANS]);
      CU_ASSERT_EQUAL(other[k].value[SAL_METRIC_STEPS], record[k].value[SAL_METRIC_STEPS]);
      const double fewer = other[k].value[SAL_METRIC_RHS] - record[k].value[SAL_METRIC_RHS];
      /* but for an iteration or two */
      CU_ASSERT(fabs(fewer - jacobians * (STATES - COLOURS)) < 4);
      for (int i = 0; i < STATES; ++i) {
        worst = fmax(worst, fabs(end[k][i] - other_end[k][i]));
        largest = fmax(largest, fabs(end[k][i]));
      }
    }
    printf("\n    %-8s %.1e", method->name, worst);
    CU_ASSERT(worst < 1e-10 && largest > 0.1);
  }
}

static void every_width_gives_the_same_bits(void)
{
  damped_chain_make(&chain, CHAIN_MOST, true);
  for (int m = 0; sal_registry_methods[m]; ++m) {
    const sal_method *method = sal_registry_methods[m];
    if (!method->implicit || method->engine) continue;
    run_chains(method, 1, JOBS, record, end);
    for (int width = 4; width <= sal_integrate_widest(); width *= 2) {
      run_chains(method, width, JOBS, other, other_end);
      CU_ASSERT_EQUAL(memcmp(end, other_end, sizeof end), 0);
      CU_ASSERT(outcome(&other[0]) == SAL_OUT_DONE && fabs(end[0][0] - end[7][0]) > 1e-3);
    }
  }
}

SAL_TEST_MAIN("matrices that are bands", NULL,
              {"every implicit method keeps its order", every_implicit_method_keeps_its_order},
              {"a band gives the results of a full matrix",
               a_band_gives_the_results_of_a_full_matrix},
              {"every width gives the same bits", every_width_gives_the_same_bits})
