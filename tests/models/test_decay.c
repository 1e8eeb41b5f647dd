/** Exponential decay with every method and strategy: a model without contacts runs like any other.
 */
#include "kernels/run_one.h"
#include "sal_test.h"
#include <math.h>

static void every_method_and_strategy_gives_the_exponential(void)
{
  const double param[] = {1.5}, start[] = {2};

  for (int i = 0; sal_registry_methods[i]; ++i)
    for (int k = 0; sal_registry_strategies[k]; ++k) {
      if (!sal_strategy_drives(sal_registry_strategies[k], sal_registry_methods[i]) ||
          !sal_method_solves(sal_registry_methods[i], sal_registry_model("decay")))
        continue;
      const sal_setup setup =
          config("decay", sal_registry_methods[i]->name, sal_registry_strategies[k]->name, 1e-9, 2);
      double state[2];
      sal_samples mesh = {.n_mesh = 1, .state = state};
      const sal_record r = run_one(&setup, param, start, &mesh, NULL);
      CU_ASSERT(outcome(&r) == SAL_OUT_DONE && n_event(&r) == 0);
      CU_ASSERT_DOUBLE_EQUAL(state[1], 2 * exp(-3), 1e-6);
    }
}

static void it_has_no_contacts(void)
{
  const double param[] = {1};

  CU_ASSERT_EQUAL(sal_model_guards(sal_registry_model("decay"), param), 0);
}

SAL_TEST_MAIN("decay", NULL,
              {"every method and strategy gives the exponential",
               every_method_and_strategy_gives_the_exponential},
              {"it has no contacts", it_has_no_contacts})
