/** Compilers that fail, in all ways: each is one message, and nothing is left running or lying about.
 */
#include "clock.h"
#include "native_case.h"
#include <signal.h>

/* Is it the message of sal_native_make with this script for a compiler? */
static bool says(const char *script, const char *what)
{
  sal_equation_model *model = case_model();
  const sal_native_request request = case_request();
  sal_native_image image;

  case_script(script);
  const sal_err err = sal_native_make(model, &request, &image);
  const bool told = case_failed(err, what);
  CU_ASSERT_PTR_NULL(image.bytes);
  CU_ASSERT_EQUAL(case_files(), 0);
  sal_equation_model_free(model);
  return told;
}

static void what_it_says_is_a_line(void)
{
  case_begin();
  CU_ASSERT(says("echo one; echo 'two: error: no such thing' >&2; echo three; exit 3",
                 "ended with status 3: two: error: no such thing"));
  CU_ASSERT(says("exit 1", "ended with status 1: no output"));
  CU_ASSERT(says("kill -SEGV $$", "was ended by signal 11"));
  CU_ASSERT(says("exit 0", "wrote nothing"));
  CU_ASSERT(says("yes error | head -c 3000000; exit 1", "ended with status 1: error"));
  case_end();
}

static void one_that_hangs_is_ended_with_all_it_has_started(void)
{
  char script[PATH_MAX + 64], path[PATH_MAX + 8];

  case_begin();
  setenv("SALTUS_CC_SECONDS", "0.3", 1);
  snprintf(path, sizeof path, "%s/pid", case_folder);
  snprintf(script, sizeof script, "sleep 1000 & echo $! >%s; exec >&- 2>&-; wait", path);
  const double begun = sal_clock_wall();
  CU_ASSERT(says(script, "has taken more than 0.3 s and was ended"));
  CU_ASSERT(sal_clock_wall() - begun < 60);
  FILE *file = fopen(path, "r");
  int pid = 0;
  CU_ASSERT_PTR_NOT_NULL_FATAL(file);
  CU_ASSERT_EQUAL(fscanf(file, "%d", &pid), 1);
  fclose(file);
  for (int i = 0; i < 1000 && kill(pid, 0) == 0; ++i) { /* until it has been collected */
    char state[64] = "", stat[64];
    snprintf(stat, sizeof stat, "/proc/%d/stat", pid);
    FILE *of = fopen(stat, "r");
    if (!of) break;
    CU_ASSERT_EQUAL(fscanf(of, "%*d %*s %63s", state), 1);
    fclose(of);
    if (state[0] == 'Z') break;
    CU_ASSERT_FATAL(i < 999);
    usleep(10000);
  }
  case_end();
}

/* Nor kept: the next run would find it. */
static void what_it_writes_is_not_trusted(void)
{
  case_begin();
  CU_ASSERT(says("for a; do o=$a; done; head -c 4000 /dev/urandom >$o", "cannot be loaded"));
  CU_ASSERT(says("for a; do o=$a; done; cp /bin/true $o", "cannot be loaded"));
  CU_ASSERT(says(
      "for a; do o=$a; done; cp $(ldd /bin/sh | sed -n 's/.*=> *\\([^ ]*libc[^ ]*\\).*/\\1/p') $o",
      "belongs to another model"));
  case_end();
}

static void which_one_it_is(void)
{
  char path[PATH_MAX];

  case_begin();
  CU_ASSERT_EQUAL(sal_native_compiler_find(path), SAL_OK);
  CU_ASSERT_EQUAL(path[0], '/');
  setenv("SALTUS_CC", "no-such-compiler", 1);
  CU_ASSERT(
      case_failed(sal_native_compiler_find(path), "SALTUS_CC: 'no-such-compiler' cannot be run"));
  setenv("SALTUS_CC", "sh", 1);
  CU_ASSERT_EQUAL(sal_native_compiler_find(path), SAL_OK);
  CU_ASSERT_STRING_EQUAL(path + strlen(path) - 3, "/sh");
  case_end();
}

SAL_TEST_MAIN("compilers that fail", NULL, {"its message is a line", what_it_says_is_a_line},
              {"one that hangs", one_that_hangs_is_ended_with_all_it_has_started},
              {"what it writes", what_it_writes_is_not_trusted}, {"which one", which_one_it_is})
