/** The causes of more work: each from counts that have it alone. */
#include "registry.h"
#include "sal_test.h"
#include "why.h"
#include <assert.h>
#include <math.h>

/* 1000 steps of 7 evaluations each that grow as accuracy requires, in schedules of a tenth more than a run. */
static sal_why_side side_of(const char *name, double steps, double each)
{
  const sal_method *m = sal_registry_method(name);

  CU_ASSERT_PTR_NOT_NULL_FATAL(m);
  assert(m);
  return (sal_why_side){.method = m,
                        .run = {.attempts = steps,
                                .refused = 0.05 * steps,
                                .rhs = each * steps,
                                .work = each * steps,
                                .growth = 1.0 / (m->order + 1)},
                        .work = each * steps,
                        .total = 1.1 * each * steps};
}

static void causes_are_told_apart(void)
{
  const sal_why_side best = side_of("ode15s", 1000, 2);
  sal_why_side other = side_of("ode45", 9000, 7);
  sal_why why = sal_why_of(&best, &other);

  CU_ASSERT_EQUAL(why.cause, SAL_WHY_ACCURACY);
  CU_ASSERT_DOUBLE_EQUAL(why.steps, 9, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(why.each, 3.5, 1e-12);
  CU_ASSERT_DOUBLE_EQUAL(why.misses, 1, 1e-12);
  other.run.growth = 0.4 / 6; /* less than half of 1/(5 + 1) */
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_STABILITY);
  other.run.growth = 0.6 / 6;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_ACCURACY);
  other.run.growth = NAN;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_ACCURACY);
  other.run.refused = 0.4 * other.run.attempts;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_REFUSED);
  other = side_of("ode23", 9000, 3);
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_ORDER);
  other = side_of("ode45", 1100, 7);
  other.run.growth = 0;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause,
                  SAL_WHY_EVALUATIONS); /* its steps are not many */
  other = side_of("radau5", 1100, 20);
  other.run.rhs = 8 * other.run.attempts;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_ALGEBRA);
  other = side_of("ode45", 1100, 2);
  other.total *= 3;
  why = sal_why_of(&best, &other);
  CU_ASSERT_EQUAL(why.cause, SAL_WHY_MISSES);
  CU_ASSERT_DOUBLE_EQUAL(why.misses, 3, 1e-12);
}

/* An implicit method is never held by stability. */
static void implicit_methods_are_not_held(void)
{
  const sal_why_side best = side_of("ode113", 1000, 2);
  sal_why_side other = side_of("ode15s", 4000, 3);

  other.run.growth = 0;
  CU_ASSERT_EQUAL(sal_why_of(&best, &other).cause, SAL_WHY_ORDER);
}

SAL_TEST_MAIN("why one configuration takes more work than another", NULL,
              {"causes are distinguished", causes_are_told_apart},
              {"implicit methods are not held", implicit_methods_are_not_held})
