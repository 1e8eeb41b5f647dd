/** Errors: the first message wins, and each code has its exit status. */
#include "err.h"
#include "sal_test.h"
#include <string.h>

static void the_first_message_wins(void)
{
  sal_err_clear();
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_IO, "%s: %d", "first", 1), SAL_ERR_IO);
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_COMM, "second"), SAL_ERR_COMM);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "first: 1");
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_COMM, "third"), SAL_ERR_COMM);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "third");
}

static void a_long_message_is_cut_and_stays_text(void)
{
  static char word[10000];
  memset(word, 'x', sizeof word - 1);
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_IO, "%s", word), SAL_ERR_IO);
  CU_ASSERT(strlen(sal_err_message()) > 1000);
  CU_ASSERT(strlen(sal_err_message()) < sizeof word - 1);
}

static void a_caller_adds_what_it_knows(void)
{
  static char word[5000];

  sal_err_clear();
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_IO, "first"), SAL_ERR_IO);
  sal_err_add("; go on with %d", 7);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "first; go on with 7");
  memset(word, 'x', sizeof word - 1);
  for (int i = 0; i < 2; ++i) sal_err_add("%s", word);
  CU_ASSERT(strlen(sal_err_message()) > 1000 && strlen(sal_err_message()) < sizeof word - 1);
  sal_err_clear();
}

static void that_it_must_abort_is_said_apart_from_the_code(void)
{
  CU_ASSERT(!sal_err_must_abort());
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_IO, "half open"), SAL_ERR_IO);
  sal_err_set_abort();
  CU_ASSERT(sal_err_must_abort());
  sal_err_clear();
  CU_ASSERT(!sal_err_must_abort());
}

static void what_a_file_says_steers_no_terminal(void)
{
  sal_err_clear();
  CU_ASSERT_EQUAL(sal_fail(SAL_ERR_INPUT, "a\033[31m\a: %s", "b\r\x7f"), SAL_ERR_INPUT);
  sal_err_add(";\n+ c\t\033");
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "a?[31m?: b??;\n+ c??");
  sal_err_clear();
  (void)sal_fail(
      SAL_ERR_INPUT,
      "\xc2\x9b: \xe2\x80\xa8, \xe2\x80\xae, \xe2\x81\xa6, \xe4, \xc3\xa4, \xe5\xad\x97");
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "?: ?, ?, ?, ?, \xc3\xa4, \xe5\xad\x97");
  sal_err_clear();
}

/* Each thread fails by itself; the first note counts, and the main thread gets it. */
static void threads_have_messages_of_their_own(void)
{
  enum { N = 4 };
  sal_err_note note = {{0}};
  int alone = 0;

  sal_err_clear();
#pragma omp parallel for num_threads(N) schedule(static, 1) reduction(+ : alone)
  for (int i = 0; i < N; ++i) {
    char expected[32];
    sal_err_clear();
    (void)sal_fail(SAL_ERR_MEMORY, "thread %d", i);
    snprintf(expected, sizeof expected, "thread %d", i);
    alone += strcmp(sal_err_message(), expected) == 0;
#pragma omp critical
    sal_err_keep(&note);
    alone += sal_err_message()[0] == '\0';
  }
  CU_ASSERT_EQUAL(alone, 2 * N);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
  CU_ASSERT_EQUAL(sal_err_take(SAL_ERR_MEMORY, &note), SAL_ERR_MEMORY);
  CU_ASSERT_EQUAL(strncmp(sal_err_message(), "thread ", 7), 0);
  sal_err_clear();
}

static sal_err passes_on(sal_err code, int *reached)
{
  SAL_TRY(code);
  *reached = 1;
  return SAL_OK;
}

static void try_returns_on_failure_only(void)
{
  int reached = 0;
  CU_ASSERT_EQUAL(passes_on(SAL_ERR_EXISTS, &reached), SAL_ERR_EXISTS);
  CU_ASSERT_EQUAL(reached, 0);
  CU_ASSERT_EQUAL(passes_on(SAL_OK, &reached), SAL_OK);
  CU_ASSERT_EQUAL(reached, 1);
}

static void exit_codes_are_the_documented_ones(void)
{
  CU_ASSERT_EQUAL(sal_err_exit(SAL_OK), 0);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_USAGE), 2);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_INPUT), 2);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_EXISTS), 3);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_IO), 4);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_COMM), 5);
  CU_ASSERT_EQUAL(sal_err_exit(SAL_ERR_MEMORY), 6);
}

SAL_TEST_MAIN("err", NULL, {"the first message wins", the_first_message_wins},
              {"a long message is cut and stays text", a_long_message_is_cut_and_stays_text},
              {"a caller adds details", a_caller_adds_what_it_knows},
              {"that it must abort is said apart from the code",
               that_it_must_abort_is_said_apart_from_the_code},
              {"text of a file steers no terminal", what_a_file_says_steers_no_terminal},
              {"threads have messages of their own", threads_have_messages_of_their_own},
              {"SAL_TRY returns on failure only", try_returns_on_failure_only},
              {"exit codes are the documented ones", exit_codes_are_the_documented_ones})
