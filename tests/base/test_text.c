/** Strings that grow, and the nearest name. */
#include "memory.h"
#include "sal_test.h"
#include "text.h"
#include <string.h>

static const char *const methods[] = {"ode23",  "ode45",   "ode113", "ode15s",
                                      "ode23s", "ode23tb", NULL};
static const char *const words[] = {"differences", "analytic", "m1", "b", NULL};

static void a_text_grows_and_gives_its_memory_back(void)
{
  sal_text text = {0};
  for (int i = 0; i < 1000; ++i) sal_text_add(&text, "%d,", i % 10);
  CU_ASSERT_EQUAL(text.length, 2000);
  CU_ASSERT_EQUAL(strlen(text.string), 2000);
  CU_ASSERT_NSTRING_EQUAL(text.string, "0,1,2,3,4,5,6,7,8,9,0,", 22);
  sal_text_append(&text, "abcdef", 3);
  CU_ASSERT_STRING_EQUAL(text.string + 2000, "abc");
  CU_ASSERT_FALSE(text.lost);
  sal_text_free(&text);
  CU_ASSERT_PTR_NULL(text.string);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void a_text_taken_is_the_callers(void)
{
  sal_text text = {0};
  char *empty = sal_text_take(&text);
  CU_ASSERT_STRING_EQUAL(empty, "");
  sal_free(empty);
  sal_text_add(&text, "x");
  char *taken = sal_text_take(&text);
  CU_ASSERT_STRING_EQUAL(taken, "x");
  CU_ASSERT_PTR_NULL(text.string);
  CU_ASSERT_EQUAL(sal_memory_live(), 1);
  sal_free(taken);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void a_text_too_long_for_memory_is_lost_not_cut(void)
{
  sal_text text = {0};
  sal_text_add(&text, "x");
  sal_text_append(&text, "y", (size_t)-1 / 2);
  CU_ASSERT_TRUE(text.lost);
  CU_ASSERT_STRING_EQUAL(text.string, "x");
  CU_ASSERT_PTR_NULL(sal_text_take(&text));
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void names_are_joined(void)
{
  sal_text text = {0};
  sal_text_join(&text, " | ", words);
  CU_ASSERT_STRING_EQUAL(text.string, "differences | analytic | m1 | b");
  sal_text_free(&text);
}

static void slips_of_the_pen_are_understood(void)
{
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("ode46", methods), "ode45");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("ODE113", methods), "ode113");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("oed15s", methods), "ode15s"); /* one swap */
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("ode3", methods), "ode23");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("ode23tbb", methods), "ode23tb");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("analitic", words), "analytic");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("diferrence", words), "differences");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("B", words), "b");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("m2", words), "m1");
}

static void strangers_have_no_nearest_name(void)
{
  char long_word[300];
  memset(long_word, 'o', sizeof long_word - 1);
  long_word[sizeof long_word - 1] = '\0';
  CU_ASSERT_PTR_NULL(sal_text_nearest("rk4", methods));
  CU_ASSERT_PTR_NULL(sal_text_nearest("", methods));
  CU_ASSERT_PTR_NULL(sal_text_nearest("x", words)); /* b is one letter, too */
  CU_ASSERT_PTR_NULL(sal_text_nearest("integral", words));
  CU_ASSERT_PTR_NULL(sal_text_nearest(long_word, methods));
  CU_ASSERT_PTR_NULL(sal_text_nearest("ode45", (const char *const[]){NULL}));
}

static void the_first_of_equals_wins(void)
{
  static const char *const twins[] = {"aax", "aay", NULL}, *const swapped[] = {"aay", "aax", NULL};
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("aaz", twins), "aax");
  CU_ASSERT_STRING_EQUAL(sal_text_nearest("aaz", swapped), "aay");
}

static void unknown_names_make_one_message(void)
{
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_text_unknown(SAL_ERR_USAGE, "--x", "method", "ode46", methods),
                  SAL_ERR_USAGE);
  CU_ASSERT_STRING_EQUAL(sal_err_message(),
                         "--x: unknown method 'ode46'; allowed: ode23, ode45, ode113, ode15s, "
                         "ode23s, ode23tb; did you mean 'ode45'?");
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_text_unknown(SAL_ERR_INPUT, "f:3", "key", "zzz", words), SAL_ERR_INPUT);
  CU_ASSERT_STRING_EQUAL(sal_err_message(),
                         "f:3: unknown key 'zzz'; allowed: differences, analytic, m1, b");
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_text_unknown(SAL_ERR_INPUT, "f:3", "key", "a\n\x1b[31mb", words),
                  SAL_ERR_INPUT);
  CU_ASSERT_NSTRING_EQUAL(sal_err_message(), "f:3: unknown key 'a ?[31mb'; ", 29);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

static void one_thing_has_no_plural(void)
{
  CU_ASSERT_STRING_EQUAL(sal_text_plural(1), "");
  CU_ASSERT_STRING_EQUAL(sal_text_plural(0), "s");
  CU_ASSERT_STRING_EQUAL(sal_text_plural(2), "s");
}

SAL_TEST_MAIN("text", NULL,
              {"a text grows and gives its memory back", a_text_grows_and_gives_its_memory_back},
              {"a text taken is the caller's", a_text_taken_is_the_callers},
              {"a text too long for memory is lost, not cut",
               a_text_too_long_for_memory_is_lost_not_cut},
              {"names are joined", names_are_joined},
              {"slips of the pen are understood", slips_of_the_pen_are_understood},
              {"strangers have no nearest name", strangers_have_no_nearest_name},
              {"the first of equals wins", the_first_of_equals_wins},
              {"unknown names make one message", unknown_names_make_one_message},
              {"one thing has no plural", one_thing_has_no_plural})
