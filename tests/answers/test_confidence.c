/** The confidence that one answer is cheaper, against the normal law that made-up works are drawn from.
 */
#include "config.h"
#include "memory.h"
#include "random.h"
#include "sal_test.h"
#include "surrogate.h"
#include "sweep_read.h"
#include <math.h>

#define SWEEP                                                                                      \
  "model: monopod\nt_end: 50\nsolvers: [ode45, ode23]\nstrategies: [switch]\n"                     \
  "rtol: [1e-2, 1e-4]\ncells:\n  axes:\n"                                                          \
  "    - {columns: [b, k], sobol: [[100, 6400], [10, 40]], points: 600}\n"
enum { B = 0, M1 = 1, K = 2, PLACES = 16, DRAWS = 4 };

/* Deviations of logarithms: of work, what both have in common in a cell and each alone; of error, the same. */
typedef struct {
  double work_common, work_own, error_common, error_own;
} noise;

static sal_sweep sweep;
static sal_performance_table table;
static uint64_t drawn; /* the seed of the noise */

static double gauss(int64_t cell, uint32_t what)
{
  return sqrt(-2 * log(1 - sal_random(drawn, (uint64_t)cell, 2 * what))) *
         cos(6.283185307179586 * sal_random(drawn, (uint64_t)cell, 2 * what + 1));
}

/* The second method takes e^lead times the work of the first; a tenth of the error costs both of them 10^(1/4) times. */
static void fill(const noise *by, double lead)
{
  for (int64_t i = 0; i < sweep.n_cell; ++i) {
    table.reference_error[i] = 1e-12;
    for (int k = 0; k < table.n_config; ++k) {
      const double rtol = sal_config_tolerance(&sweep, k);
      const uint32_t own = 2 + (uint32_t)k;
      table.error[i * table.n_config + k] =
          0.1 * rtol * exp(by->error_common * gauss(i, 0) + by->error_own * gauss(i, own));
      table.work[i * table.n_config + k] =
          100 * pow(rtol, -0.25) *
          exp(lead * (k % 2) + by->work_common * gauss(i, 1) + by->work_own * gauss(i, own + 10));
    }
  }
}

static double normal(double z) { return 0.5 * erfc(-z / sqrt(2)); }

/* The mean probability that ode45 is the cheaper one, over places, for an asked error. */
static double mean_of_draw(const noise *by, double lead, double asked)
{
  static sal_surrogate_answer answer;
  double value[SAL_MAX_QUANTITY] = {0}, sum = 0;
  sal_surrogate *surrogate;

  sal_err_clear();
  CU_ASSERT_EQUAL_FATAL(sal_sweep_parse("s.yaml", SWEEP, 0, NULL, &sweep), SAL_OK);
  CU_ASSERT_EQUAL_FATAL(sal_performance_create(&sweep, sweep.n_cell, NULL,
                                               &(sal_work_weights){1, 0, 0, 0, NULL}, false, false,
                                               &table),
                        SAL_OK);
  fill(by, lead);
  const sal_performance_source source = sal_performance_source_of(&table);
  CU_ASSERT_EQUAL_FATAL(sal_surrogate_open(&source, NULL, &surrogate), SAL_OK);
  value[M1] = 1.5;
  for (int i = 0; i < PLACES; ++i) {
    value[B] = 200 * pow(16, sal_random(9, (uint64_t)i, 0));
    value[K] = 13 + 24 * sal_random(9, (uint64_t)i, 1);
    CU_ASSERT_EQUAL_FATAL(
        sal_surrogate_ask(surrogate, value,
                          &(sal_surrogate_question){.error = asked, .probability = NAN}, &answer),
        SAL_OK);
    CU_ASSERT_TRUE(answer.first.confidence > 0 && answer.first.confidence < 1);
    sum += answer.best.pair == 0 ? answer.first.confidence : 1 - answer.first.confidence;
  }
  sal_surrogate_close(&surrogate);
  sal_performance_free(&table);
  sal_sweep_free(&sweep);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
  return sum / PLACES;
}

/* Places lie among the same cells: what a plane is off by at one it is at all. */
static double lead_for(const noise *by, double lead, double asked)
{
  double sum = 0;

  for (drawn = 1; drawn <= DRAWS; ++drawn) sum += mean_of_draw(by, lead, asked);
  return sum / DRAWS;
}

/* For an error that is hardly ever missed. */
static double mean_lead(const noise *by, double lead) { return lead_for(by, lead, 1e-2); }

/* Each alone scatters by s: their difference by s sqrt(2). */
static void works_that_scatter_are_unsure_as_they_should(void)
{
  const double own = 0.2, of_difference = own * sqrt(2);

  for (int half = 0; half <= 4; ++half) {
    const double z = half / 2.0;
    const double said = mean_lead(&(noise){.work_own = own}, z * of_difference);
    printf("lead of %.1f deviations: said %.3f, by the law %.3f\n", z, said, normal(z));
    CU_ASSERT_DOUBLE_EQUAL(said, normal(z), 0.06);
  }
}

static void what_both_have_in_common_does_not_matter(void)
{
  const noise alone = {.work_own = 0.2}, both = {.work_common = 1, .work_own = 0.2};

  CU_ASSERT_DOUBLE_EQUAL(mean_lead(&both, 0.3), mean_lead(&alone, 0.3), 0.04);
  CU_ASSERT_TRUE(mean_lead(&(noise){.work_own = 0.8}, 0.3) < mean_lead(&alone, 0.3) - 0.1);
}

/* An error that scatters by s moves the work for an asked error by s/4 here. */
static void errors_that_scatter_count_by_what_they_cost(void)
{
  const double lead = 0.2;
  const noise own = {.work_own = 0.02, .error_own = 0.6},
              common = {.work_own = 0.02, .error_common = 0.6};

  CU_ASSERT_DOUBLE_EQUAL(mean_lead(&own, lead), normal(lead / (0.25 * 0.6 * sqrt(2))), 0.06);
  CU_ASSERT_TRUE(mean_lead(&common, lead) > 0.99);
}

/* Where the last tolerance often misses, totals are those of the most expensive run, whatever is tried first. */
static void what_follows_misses_does_not_matter(void)
{
  const double lead = 0.2;
  const noise by = {.work_own = 0.02, .error_own = 0.6};
  const double said = lead_for(&by, lead, 1.6e-5);

  CU_ASSERT_DOUBLE_EQUAL(said, normal(lead / (0.25 * 0.6 * sqrt(2))), 0.06);
}

SAL_TEST_MAIN(
    "confidence of an answer", NULL,
    {"works that scatter are unsure as they should", works_that_scatter_are_unsure_as_they_should},
    {"what both have in common does not matter", what_both_have_in_common_does_not_matter},
    {"errors that scatter count by what they cost", errors_that_scatter_count_by_what_they_cost},
    {"what follows misses does not matter", what_follows_misses_does_not_matter})
