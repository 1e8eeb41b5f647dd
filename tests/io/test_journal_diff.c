/** The difference of two sweeps is the lines that differ. */
#include "journal.h"
#include "memory.h"
#include "sal_test.h"
#include <string.h>

static void check_diff(const char *old, const char *new, const char *expected)
{
  sal_text text = {0};

  sal_journal_diff(old, new, NULL, NULL, 1000, &text);
  CU_ASSERT_STRING_EQUAL(text.string ? text.string : "", expected);
  sal_text_free(&text);
}

static void a_difference_is_the_lines_that_differ(void)
{
  check_diff("a\nb\nc\n", "a\nb\nc\n", "");
  check_diff("a\nb\nc\n", "a\nB\nc\n", "\n- b\n+ B");
  check_diff("a\nb\nc\n", "a\nc\n", "\n- b");
  check_diff("a\nc\n", "a\nb\nb2\nc\n", "\n+ b\n+ b2");
  check_diff("", "a\n", "\n+ a");
  check_diff("a\nb\nc\nd\n", "b\nx\nd\n", "\n- a\n- c\n+ x");
}

/* The difference of two texts that share nothing has about the requested length. */
static void a_long_difference_is_cut(void)
{
  char old[4000], new[4000];
  sal_text text = {0};

  for (size_t i = 0; i < sizeof old; ++i) {
    old[i] = i % 2 ? '\n' : 'a';
    new[i] = i % 2 ? '\n' : 'b';
  }
  old[sizeof old - 1] = new[sizeof new - 1] = '\0';
  sal_journal_diff(old, new, NULL, NULL, 200, &text);
  CU_ASSERT(text.length > 150 && text.length < 260);
  CU_ASSERT(text.string && strncmp(text.string, "\n- a", 4) == 0);
  sal_text_free(&text);
  CU_ASSERT_EQUAL(sal_memory_live(), 0);
}

SAL_TEST_MAIN("journal diff", NULL,
              {"a difference is the lines that differ", a_difference_is_the_lines_that_differ},
              {"a long difference is cut", a_long_difference_is_cut})
