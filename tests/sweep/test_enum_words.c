/** Lists of words follow the registries, the descriptors and the enums. */
#include "enum_words.h"
#include "registry.h"
#include "sal_test.h"
#include "sweep.h"
#include <string.h>

static void registries_are_listed_in_order(void)
{
  const char *names[SAL_MAX_WORD + 1];
  const int n = sal_enum_words_gather(SAL_ENUM_METHODS, NULL, names);
  CU_ASSERT(n >= 8);
  CU_ASSERT_PTR_NULL(names[n]);
  for (int i = 0; sal_registry_methods[i]; ++i)
    CU_ASSERT_STRING_EQUAL(names[i], sal_registry_methods[i]->name);
  CU_ASSERT_STRING_EQUAL((sal_enum_words_gather(SAL_ENUM_STRATEGIES, NULL, names), names[0]),
                         sal_registry_strategies[0]->name);
  CU_ASSERT_STRING_EQUAL((sal_enum_words_gather(SAL_ENUM_MODELS, NULL, names), names[0]),
                         sal_registry_models[0]->name);
}

static void columns_are_parameters_and_states(void)
{
  const char *names[SAL_MAX_WORD + 1];
  const sal_model *model = sal_registry_model("monopod");
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_COLUMNS, model, names), 10);
  CU_ASSERT_STRING_EQUAL(names[0], "b");
  CU_ASSERT_STRING_EQUAL(names[6], "y1");
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_COLUMNS, NULL, names), 0);
  CU_ASSERT_PTR_NULL(names[0]);
}

static void fixed_words_stand_in_the_order_of_their_enums(void)
{
  const char *names[SAL_MAX_WORD + 1];
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_JACOBIANS, NULL, names), 2);
  CU_ASSERT_STRING_EQUAL(names[SAL_JACOBIAN_ANALYTIC], "analytic");
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_REFERENCES, NULL, names), 2);
  CU_ASSERT_STRING_EQUAL(names[SAL_REFERENCE_PAPER], "paper");
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_POINTS, NULL, names), 3);
  CU_ASSERT_STRING_EQUAL(names[SAL_POINTS_PER_CELL], "per-cell");
  CU_ASSERT_EQUAL(sal_enum_words_gather(SAL_ENUM_NONE, NULL, names), 0);
}

static void choices_of_an_option_may_fill_it(void)
{
  static const sal_option two = {"o", "", {"x", "y"}}, four = {"o", "", {"x", "y", "z", "w"}};
  const char *names[SAL_MAX_WORD + 1];
  CU_ASSERT_EQUAL(sal_enum_words_choices(&two, names), 2);
  CU_ASSERT_EQUAL(sal_enum_words_choices(&four, names), 4);
  CU_ASSERT_STRING_EQUAL(names[3], "w");
  CU_ASSERT_PTR_NULL(names[4]);
}

SAL_TEST_MAIN("words", NULL, {"registries are listed in order", registries_are_listed_in_order},
              {"columns are parameters and states", columns_are_parameters_and_states},
              {"fixed words stand in the order of their enums",
               fixed_words_stand_in_the_order_of_their_enums},
              {"choices of an option may fill it", choices_of_an_option_may_fill_it})
