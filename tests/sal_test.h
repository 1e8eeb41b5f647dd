/** The entry of every test: one suite, a table of cases, exit 1 on failure.
 *
 *  CUnit's runner reports success when tests fail, so failures are counted here.  SAL_TEST_MAIN_MPI
 *  does it over all ranks: rank 0 prints, the others report their failures on stderr.
 */
#pragma once

#include <CUnit/Basic.h>
#include <CUnit/TestRun.h>
#include <stdio.h>

/** The function that tests/sal_test_main.c calls; the build names it after the test. */
#ifndef SAL_TEST_ENTRY
#define SAL_TEST_ENTRY main
#endif
int SAL_TEST_ENTRY(int argc, char *argv[]);

/* Runs the registered suite; true when something failed or nothing ran. */
static inline int sal_test_run(const char *title, CU_InitializeFunc setup, CU_TestInfo *cases,
                               int loud)
{
  CU_SuiteInfo suites[] = {{title, setup, NULL, NULL, NULL, cases}, CU_SUITE_INFO_NULL};

  if (CU_initialize_registry() || CU_register_suites(suites)) return 2;
  CU_basic_set_mode(loud ? CU_BRM_VERBOSE : CU_BRM_SILENT);
  CU_basic_run_tests();
  const int failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed() +
                             CU_get_number_of_tests_failed() >
                         0 ||
                     CU_get_number_of_tests_run() == 0;
  if (!loud)
    for (CU_pFailureRecord f = CU_get_failure_list(); f; f = f->pNext)
      fprintf(stderr, "%s:%u: %s\n", f->strFileName ? f->strFileName : "", f->uiLineNumber,
              f->strCondition ? f->strCondition : "");
  CU_cleanup_registry();
  return failed;
}

#define SAL_TEST_MAIN(title, setup, ...)                                                           \
  int SAL_TEST_ENTRY(int argc, char *argv[])                                                       \
  {                                                                                                \
    (void)argc, (void)argv;                                                                        \
    CU_TestInfo cases[] = {__VA_ARGS__, CU_TEST_INFO_NULL};                                        \
    return sal_test_run(title, setup, cases, 1);                                                   \
  }

#define SAL_TEST_MAIN_MPI(title, setup, ...)                                                       \
  int SAL_TEST_ENTRY(int argc, char *argv[])                                                       \
  {                                                                                                \
    CU_TestInfo cases[] = {__VA_ARGS__, CU_TEST_INFO_NULL};                                        \
    int provided, rank, any;                                                                       \
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);                                 \
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                                          \
    const int here = sal_test_run(title, setup, cases, rank == 0);                                 \
    MPI_Allreduce(&here, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);                               \
    MPI_Finalize();                                                                                \
    return any;                                                                                    \
  }
