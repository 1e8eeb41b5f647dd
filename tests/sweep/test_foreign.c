/** Sweeps of somebody else's, out of a cube or a journal: what they name is not opened, unless the user has
 *  named it.  The kernel is the witness.
 */
#include "../libs/witness.h"
#include "memory.h"
#include "providers.h"
#include "sal_test.h"
#include "sweep_read.h"
#include <mpi.h>
#include <string.h>

#define HEAD "t_end: 1\nmesh: 0.1\nstrategies: [switch]\nrtol: [1e-3]\n"
#define BY(words) HEAD "model: decay\nsolvers: [theirs]\nlibraries: [{name: theirs, " words "}]\n"
#define RECORDED BY("library: recorded, options: their.txt")
#define HOSTILE BY("library: PETSc, options: '-ts_type bdf -snes_converged_reason :canary'")
#define MODEL HEAD "model: their.yaml\nsolvers: [ode45]\n"

typedef enum { TO_RUN, FOR_RESULTS } purpose;

/* Reads it as a cube's; how many calls the witness saw. */
static int read_foreign(purpose why, const char *text, const sal_sweep_trust *trust, sal_err *err)
{
  static const sal_sweep_trust none = {0, NULL};
  sal_sweep s;
  long call;

  sal_err_clear();
  witness_arm();
  *err = why == TO_RUN ? sal_sweep_parse_stored("c.h5", text, 0, NULL, trust ? trust : &none, &s)
                       : sal_sweep_parse_results("c.h5", text, &s);
  const int calls = witness_disarm(&call);
  if (*err == SAL_OK) CU_ASSERT_PTR_NULL(s.trust);
  if (*err == SAL_OK) sal_sweep_free(&s);
  return calls;
}

static bool says(const char *a, const char *b)
{
  const bool right = strstr(sal_err_message(), a) && strstr(sal_err_message(), b);
  if (!right) fprintf(stderr, "\n    %s\n", sal_err_message());
  return right;
}

static void what_they_name_is_not_opened(void)
{
  sal_err err;

  CU_ASSERT_EQUAL(read_foreign(TO_RUN, RECORDED, NULL, &err), 0);
  CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
  CU_ASSERT(says("c.h5:7: entry 1 of libraries", "--recorded theirs=FILE"));
  CU_ASSERT_EQUAL(read_foreign(FOR_RESULTS, RECORDED, NULL, &err), 0);
  CU_ASSERT_EQUAL(err, SAL_OK);
  for (purpose why = TO_RUN; why <= FOR_RESULTS; ++why) {
    CU_ASSERT_EQUAL(read_foreign(why, MODEL, NULL, &err), 0);
    CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
    CU_ASSERT(says("c.h5:5: model", "their.yaml"));
  }
}

static void what_the_user_names_is_read_instead(void)
{
  static const char *const named[] = {"theirs=my.txt"}, *const other[] = {"mine=my.txt"};
  const sal_sweep_trust right = {1, named}, wrong = {1, other};
  sal_err err;

  CU_ASSERT(read_foreign(TO_RUN, RECORDED, &right, &err) > 0); /* the witness forbids it, too */
  CU_ASSERT(says("my.txt: cannot be read", ""));
  CU_ASSERT_EQUAL(read_foreign(TO_RUN, RECORDED, &wrong, &err), 0);
  CU_ASSERT(says("--recorded theirs=FILE", ""));
  CU_ASSERT_EQUAL(read_foreign(TO_RUN, HEAD "model: decay\nsolvers: [ode45]\n", &right, &err), 0);
  CU_ASSERT_EQUAL(err, SAL_ERR_USAGE);
  CU_ASSERT(says("theirs=my.txt", "no recorded configuration"));
}

/* The options of libraries are not even looked at where results are read, as from journals. */
static void their_options_do_nothing(void)
{
  sal_err err;

#ifdef SALTUS_PETSC
  CU_ASSERT_EQUAL(read_foreign(TO_RUN, HOSTILE, NULL, &err), 0);
  CU_ASSERT_EQUAL(err, SAL_ERR_INPUT);
  CU_ASSERT(says("c.h5:7: entry 1 of libraries", "'-snes_converged_reason'"));
#endif
  CU_ASSERT_EQUAL(read_foreign(FOR_RESULTS, HOSTILE, NULL, &err), 0);
  CU_ASSERT_EQUAL(err, SAL_OK);
}

/* The same texts as the user's own do open what they name. */
static void a_sweep_of_the_users_may_name_files(void)
{
  sal_sweep s;
  long call;

  for (int i = 0; i < 2; ++i) {
    sal_err_clear();
    witness_arm();
    CU_ASSERT_NOT_EQUAL(sal_sweep_parse("s.yaml", i ? MODEL : RECORDED, 0, NULL, &s), SAL_OK);
    CU_ASSERT(witness_disarm(&call) > 0);
    CU_ASSERT(says(i ? "their.yaml: cannot be read" : "their.txt: cannot be read", ""));
  }
}

static void memory_comes_back(void) { CU_ASSERT_EQUAL(sal_memory_live(), 0); }

int SAL_TEST_ENTRY(int argc, char *argv[])
{
  (void)argc, (void)argv;
  CU_TestInfo cases[] = {
      {"what they name is not opened", what_they_name_is_not_opened},
      {"what the user names is read instead", what_the_user_names_is_read_instead},
      {"their options do nothing", their_options_do_nothing},
      {"a sweep of the user's may name files", a_sweep_of_the_users_may_name_files},
      {"memory comes back", memory_comes_back},
      CU_TEST_INFO_NULL};
  sal_sweep s;
  int on = 0;

  /* The sweep does not own what PETSc and MPI open when they start. */
  if (sal_sweep_parse("s.yaml", BY("library: PETSc, options: '-ts_type bdf'"), 0, NULL, &s) ==
      SAL_OK)
    sal_sweep_free(&s);
  sal_err_clear();
  if (!witness_begin()) {
    fprintf(stderr, "the kernel lacks seccomp filters, which are the witness\n");
    return 1;
  }
  const int failed = sal_test_run("foreign", NULL, cases, 1);
  sal_providers_finalize();
  MPI_Initialized(&on);
  if (on) MPI_Finalize();
  return failed;
}
