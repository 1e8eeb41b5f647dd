/** The parallel loop: each number once, and the failure of the least one. */
#include "parallel.h"
#include "sal_test.h"
#include <stdio.h>

enum { N = 1000, THREADS = 4 };

typedef struct {
  int done[N], by[THREADS];
  int64_t fails[2]; /* numbers; -1: none */
} counting;

static sal_err count(void *with, int64_t i, int thread)
{
  counting *c = with;

  ++c->done[i];
  ++c->by[thread];
  for (int k = 0; k < 2; ++k)
    if (i == c->fails[k]) return sal_fail(k ? SAL_ERR_MEMORY : SAL_ERR_IO, "number %d", (int)i);
  return SAL_OK;
}

static void each_number_is_done_once(void)
{
  for (int threads = 1; threads <= THREADS; ++threads) {
    counting c = {.fails = {-1, -1}};
    int all = 0, once = 0;
    CU_ASSERT_EQUAL(sal_parallel_for(threads, N, count, &c), SAL_OK);
    for (int i = 0; i < N; ++i) once += c.done[i] == 1;
    for (int k = 0; k < threads; ++k) all += c.by[k];
    CU_ASSERT_EQUAL(once, N);
    CU_ASSERT_EQUAL(all, N);
  }
}

/* Whichever of the two numbers is first to fail. */
static void the_failure_of_the_least_number_is_reported(void)
{
  for (int threads = 1; threads <= THREADS; ++threads)
    for (int64_t i = 0; i < N - 1; i += 37) {
      counting c = {.fails = {i, i + 1}};
      int begun = 0;
      char text[32];
      sal_err_clear();
      CU_ASSERT_EQUAL(sal_parallel_for(threads, N, count, &c), SAL_ERR_IO);
      snprintf(text, sizeof text, "number %d", (int)i);
      CU_ASSERT_STRING_EQUAL(sal_err_message(), text);
      for (int64_t k = 0; k <= i; ++k) begun += c.done[k];
      CU_ASSERT_EQUAL(begun, i + 1);
    }
  sal_err_clear();
}

static void nothing_to_do_is_done(void)
{
  counting c = {.fails = {0, 0}};

  CU_ASSERT_EQUAL(sal_parallel_for(THREADS, 0, count, &c), SAL_OK);
  CU_ASSERT(sal_parallel_threads() >= 1);
}

SAL_TEST_MAIN("parallel", NULL, {"each number is done once", each_number_is_done_once},
              {"the failure of the least number is reported",
               the_failure_of_the_least_number_is_reported},
              {"nothing to do is done", nothing_to_do_is_done})
