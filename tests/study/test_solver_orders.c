/** Measured orders: those of methods whose orders are known, and of one that states more than it has.
 */
#include "registry.h"
#include "sal_test.h"
#include "solver_orders.h"
#include <math.h>

static void known_orders_are_measured(void)
{
  static const char *const names[] = {"ode23", "ode45", "tsit5", "ode23s"};

  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const sal_method *m = sal_registry_method(names[i]);
    sal_solver_order order[SAL_N_SOLVER_ORDER];
    CU_ASSERT_EQUAL_FATAL(sal_solver_orders(m, order), SAL_OK);
    for (int k = 0; k < SAL_N_SOLVER_ORDER; ++k) {
      CU_ASSERT_EQUAL(order[k].stated, m->order);
      CU_ASSERT(fabs(order[k].measured - m->order) < SAL_SOLVER_ORDER_SLACK);
      CU_ASSERT(order[k].steps[0] < order[k].steps[1]);
    }
  }
}

static void an_order_that_is_none_is_seen(void)
{
  sal_method boast = *sal_registry_method("ode23");
  sal_solver_order order[SAL_N_SOLVER_ORDER];

  boast.order = boast.min_order = 4;
  CU_ASSERT_EQUAL_FATAL(sal_solver_orders(&boast, order), SAL_OK);
  for (int k = 0; k < SAL_N_SOLVER_ORDER; ++k) {
    CU_ASSERT_EQUAL(order[k].stated, 4);
    CU_ASSERT(order[k].measured < 4 - 2 * SAL_SOLVER_ORDER_SLACK);
  }
}

SAL_TEST_MAIN("measured orders", NULL, {"known orders are measured", known_orders_are_measured},
              {"an order that is none is seen", an_order_that_is_none_is_seen})
