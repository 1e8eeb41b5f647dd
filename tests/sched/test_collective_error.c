/** A failure of one rank is that of all: code, message, and whether the program must abort. */
#include "collective_error.h"
#include "memory.h"
#include "sal_test.h"
#include "text.h"
#include <string.h>

static int self, ranks;

static int find_rank(void)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return 0;
}

static void no_failure_is_none(void)
{
  CU_ASSERT_EQUAL(sal_collective_error(MPI_COMM_WORLD, SAL_OK), SAL_OK);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "");
}

static void each_rank_fails_for_all(void)
{
  for (int i = 0; i < ranks; ++i)
    for (int abort = 0; abort < 2; ++abort) {
      sal_err mine = SAL_OK;
      if (self == i) mine = sal_fail(SAL_ERR_IO, "rank %d fails", i);
      if (self == i && abort) sal_err_set_abort();
      CU_ASSERT_EQUAL(sal_collective_error(MPI_COMM_WORLD, mine), SAL_ERR_IO);
      CU_ASSERT(sal_err_must_abort() == (abort == 1));
      char words[32];
      snprintf(words, sizeof words, "rank %d fails", i);
      CU_ASSERT_STRING_EQUAL(sal_err_message(), words);
      sal_err_clear();
    }
}

/* Rank r has r items. */
static void what_all_have_is_in_the_order_of_the_ranks(void)
{
  const int64_t mine[3] = {10 * self, 10 * self + 1, 10 * self + 2};

  for (int root = -1; root < ranks; ++root) {
    void *all;
    int64_t n;
    CU_ASSERT_EQUAL(sal_collective_gather(MPI_COMM_WORLD, root, self, sizeof *mine, mine, &n, &all),
                    SAL_OK);
    CU_ASSERT_EQUAL(n, ranks * (ranks - 1) / 2);
    CU_ASSERT_EQUAL(all != NULL, root < 0 || root == self);
    const int64_t *at = all;
    for (int r = 0; r < ranks && at; ++r)
      for (int i = 0; i < r; ++i) CU_ASSERT_EQUAL(*at++, 10 * r + i);
    sal_free(all);
  }
}

/* No text on the first rank is a failure of all. */
static void a_text_of_the_first_rank_is_on_all(void)
{
  char *text = self == 0 ? sal_text_copy("cells: 4") : NULL, *none = NULL;
  double value = self == 0 ? 0.25 : self;

  CU_ASSERT_EQUAL_FATAL(sal_collective_share_text(MPI_COMM_WORLD, &text), SAL_OK);
  CU_ASSERT_STRING_EQUAL(text, "cells: 4");
  CU_ASSERT_EQUAL(sal_collective_share(MPI_COMM_WORLD, &value, sizeof value), SAL_OK);
  CU_ASSERT_EQUAL(value, 0.25);
  CU_ASSERT_EQUAL(sal_collective_share_text(MPI_COMM_WORLD, &none), SAL_ERR_MEMORY);
  sal_err_clear();
  sal_free_all(text, none);
}

static void a_process_alone_needs_no_communicator(void)
{
  const int64_t mine[2] = {7, 8};
  int64_t n;
  void *all;

  CU_ASSERT_EQUAL(sal_collective_ranks(MPI_COMM_NULL), 1);
  CU_ASSERT_EQUAL(sal_collective_rank(MPI_COMM_NULL), 0);
  CU_ASSERT_EQUAL(sal_collective_gather(MPI_COMM_NULL, 0, 2, sizeof *mine, mine, &n, &all), SAL_OK);
  CU_ASSERT(n == 2 && all && memcmp(all, mine, sizeof mine) == 0);
  CU_ASSERT_EQUAL(sal_collective_error(MPI_COMM_NULL, sal_fail(SAL_ERR_IO, "alone")), SAL_ERR_IO);
  sal_err_clear();
  sal_free(all);
}

/* The first rank's message and code are those of all, and one that must abort is enough. */
static void of_many_failures_the_first_counts(void)
{
  if (self == ranks - 1) sal_err_set_abort();
  const sal_err mine = sal_fail(self == 0 ? SAL_ERR_MEMORY : SAL_ERR_IO, "rank %d fails", self);

  CU_ASSERT_EQUAL(sal_collective_error(MPI_COMM_WORLD, mine), SAL_ERR_MEMORY);
  CU_ASSERT_STRING_EQUAL(sal_err_message(), "rank 0 fails");
  CU_ASSERT(sal_err_must_abort());
  sal_err_clear();
}

SAL_TEST_MAIN_MPI("collective_error", find_rank, {"no failure is none", no_failure_is_none},
                  {"each rank fails for all", each_rank_fails_for_all},
                  {"what all have is in the order of the ranks",
                   what_all_have_is_in_the_order_of_the_ranks},
                  {"a text of the first rank is on all", a_text_of_the_first_rank_is_on_all},
                  {"a process alone needs no communicator", a_process_alone_needs_no_communicator},
                  {"of many failures the first counts", of_many_failures_the_first_counts})
