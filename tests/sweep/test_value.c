/** Is it a number, and is it in range? */
#include "sal_test.h"
#include "value.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* The last failure: its code has exit status 2, and its message is one line with all of these. */
static bool said(sal_err err, const char *a, const char *b)
{
  const char *m = sal_err_message();
  const bool okay = sal_err_exit(err) == 2 && strstr(m, a) && strstr(m, b) && !strchr(m, '\n');
  if (!okay) fprintf(stderr, "\n    %s\n", m);
  sal_err_clear();
  return okay;
}

static void nothing_infinite_is_in_range(void)
{
  const double inf = (double)INFINITY;
  CU_ASSERT_EQUAL(sal_value_range(SAL_ERR_INPUT, "x", "a", DBL_MAX, 0, inf), SAL_OK);
  CU_ASSERT(said(sal_value_range(SAL_ERR_INPUT, "x", "a", inf, 0, inf), "x: a = inf", "from 0"));
  CU_ASSERT(said(sal_value_range(SAL_ERR_INPUT, "x", "a", -inf, -inf, inf), "x: a = -inf",
                 "any finite number"));
}

static void ranges_are_put_into_words(void)
{
  char text[SAL_ALLOWED];
  CU_ASSERT_STRING_EQUAL(sal_value_allowed(0, 1, text), "from 0 to 1");
  CU_ASSERT_STRING_EQUAL(sal_value_allowed(DBL_MIN, (double)INFINITY, text), "greater than 0");
  CU_ASSERT_STRING_EQUAL(sal_value_allowed(DBL_MIN, 5, text), "greater than 0 to 5");
  CU_ASSERT_STRING_EQUAL(sal_value_allowed(-(double)INFINITY, 5, text), "to 5");
  CU_ASSERT_STRING_EQUAL(sal_value_allowed(-(double)INFINITY, (double)INFINITY, text),
                         "any finite number");
}

static void decimal_numbers_are_read_and_nothing_else(void)
{
  static const char *const good[] = {"1", "-1", "+.5", "1e-3", "1E3", "0.051", "007", "4e-324"};
  static const char *const bad[] = {"",     " 1", "1 ", "1x",    "x",   "nan", "inf",   ".inf",
                                    "0x10", "1e", "e1", "1e999", "1,5", "--1", "1.2.3", "."};
  double x;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) CU_ASSERT(sal_value_read(good[i], &x));
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) CU_ASSERT(!sal_value_read(bad[i], &x));
  CU_ASSERT(sal_value_read("22.8", &x) && x == 22.8);
}

SAL_TEST_MAIN("value", NULL, {"nothing infinite is in range", nothing_infinite_is_in_range},
              {"ranges are put into words", ranges_are_put_into_words},
              {"decimal numbers are read and nothing else",
               decimal_numbers_are_read_and_nothing_else})
