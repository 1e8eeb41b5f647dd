/** Starts on the surfaces of every contact of every model in the registry that resets. */
#include "registry.h"
#include "sal_test.h"
#include "start_check.h"

static void check_contact(const sal_model *m, int k)
{
  static const char *const methods[] = {"dop853", "ode45", "radau5", "ode113"};
  const sal_contact *contact = sal_model_contact(m, k);
  const bool marks = contact->kind == SAL_CONTACT_SURFACE;
  start_tally tally = {0};

  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i)
    CU_ASSERT_EQUAL(start_check(m, k, methods[i], &tally), 0);
  printf("\n    %s, %s: %d met, %d leave, %d rest, %d beyond", m->name, contact->closes, tally.met,
         tally.leaves, tally.rests, tally.beyond);
  if (marks) return; /* of one that means nothing with all contacts open there is none */
  CU_ASSERT(tally.met >= 4);
  CU_ASSERT(tally.leaves >= 4 || contact->kind == SAL_CONTACT_FRICTION);
  CU_ASSERT(tally.rests >= 4 || contact->kind != SAL_CONTACT_RIGID || contact->ends);
  CU_ASSERT(tally.beyond >= 4 || contact->ends || contact->kind == SAL_CONTACT_FRICTION);
}

static void a_start_on_a_surface_is_as_one_ahead_of_it(void)
{
  int n = 0;

  for (int i = 0; sal_registry_models[i]; ++i)
    for (int k = 0; sal_registry_models[i]->resets && k < sal_registry_models[i]->n_guard; ++k, ++n)
      check_contact(sal_registry_models[i], k);
  CU_ASSERT(n >= 9);
}

SAL_TEST_MAIN("starts", NULL,
              {"a start on a surface is as one ahead of it",
               a_start_on_a_surface_is_as_one_ahead_of_it})
