/** @file tests/sweep/test_step_cost.c
 *  Times of steps: from the table to any number of states, for whom they are known, and as a term of work.
 */
#include "registry.h"
#include "sal_test.h"
#include "step_cost.h"
#include <math.h>

/* 100 ns for 2 states, 400 for 4, 1600 for 16: n^2 up to 4, then n. */
static const double powers[SAL_STEP_COST_SIZES] = {100, 400, 1600};

static void between_sizes_it_is_a_power(void)
{
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 2), 100e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 3), 225e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 4), 400e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 8), 800e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 64), 6400e-9, 1e-17); /* as it rose last */
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(powers, 1), 100e-9, 1e-18);   /* not below the least */
}

static void twice_as_dear_is_twice_the_time(void)
{
  double twice[SAL_STEP_COST_SIZES];

  for (int k = 0; k < SAL_STEP_COST_SIZES; ++k) twice[k] = 2 * powers[k];
  for (int n = 1; n < 100; ++n)
    CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(twice, n) / sal_step_cost_at(powers, n), 2, 1e-12);
}

static void what_is_not_measured_is_filled_in(void)
{
  const double some[SAL_STEP_COST_SIZES] = {0, 300, 1200}, one[SAL_STEP_COST_SIZES] = {0, 300, 0},
               none[SAL_STEP_COST_SIZES] = {0, 0, 0}, falls[SAL_STEP_COST_SIZES] = {100, 100, 50};

  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(some, 2), 300e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(some, 8), 600e-9, 1e-18);
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(one, 50), 300e-9, 1e-18);
  CU_ASSERT(isnan(sal_step_cost_at(none, 4)));
  CU_ASSERT_DOUBLE_EQUAL(sal_step_cost_at(falls, 64), 100e-9,
                         1e-18); /* never less for more states */
}

/* All of ours are measured with every strategy that drives them, and the libraries' where they are there. */
static void the_table_has_every_solver(void)
{
  for (int m = 0; sal_registry_methods[m]; ++m)
    for (int s = 0; sal_registry_strategies[s]; ++s) {
      const double step = sal_step_cost(sal_registry_methods[m], sal_registry_strategies[s], 4);
      CU_ASSERT(step > 1e-9 && step < 1e-3);
    }
  CU_ASSERT(sal_step_cost(sal_registry_method("radau5"), sal_registry_strategy("event"), 16) >
            sal_step_cost(sal_registry_method("ode45"), sal_registry_strategy("event"), 16));
  const sal_method stranger = {.name = "stranger"};
  CU_ASSERT(isnan(sal_step_cost(&stranger, sal_registry_strategy("event"), 4)));
}

SAL_TEST_MAIN("times of steps", NULL, {"between sizes it is a power", between_sizes_it_is_a_power},
              {"twice as dear is twice the time", twice_as_dear_is_twice_the_time},
              {"what is not measured is filled in", what_is_not_measured_is_filled_in},
              {"the table has every solver", the_table_has_every_solver})
