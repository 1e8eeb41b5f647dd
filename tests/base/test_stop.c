/** @file tests/base/test_stop.c
 *  The first signal is noted, its echo passed over, a later one ends the program.
 */
#include "sal_test.h"
#include "stop.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a child that does it; 255: killed. */
static int status_of(int (*child)(void))
{
  int         status;
  const pid_t pid = fork();

  if (pid == 0) _exit(child());
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int notes_both(void)
{
  sal_stop_catch();
  if (sal_stop_signal()) return 1;
  raise(SIGUSR1);
  if (sal_stop_signal() != SIGUSR1) return 2;
  raise(SIGUSR1); /* the launcher's echo */
  raise(SIGTERM);
  return sal_stop_signal() == SIGUSR1 ? 0 : 3;
}

static int hears_twice(void)
{
  sal_stop_catch();
  raise(SIGTERM);
  usleep(1100000);
  raise(SIGTERM);
  return 0;
}

static int hears_without_us(void)
{
  raise(SIGTERM);
  return 0;
}

static int is_overdue_after_the_grace(void)
{
  sal_stop_catch();
  if (sal_stop_overdue(0)) return 1; /* nothing was noted */
  raise(SIGUSR1);
  if (!sal_stop_overdue(0) || sal_stop_overdue(60)) return 2;
  usleep(20000);
  return sal_stop_overdue(0.01) ? 0 : 3;
}

static int outgrows_its_limit(void)
{
  const struct rlimit none = {0, 0};

  sal_stop_ignore_size_limit();
  if (setrlimit(RLIMIT_FSIZE, &none)) return 1;
  FILE *file = tmpfile();
  return file && write(fileno(file), "x", 1) < 0 ? 0 : 2;
}

static void the_first_signal_is_noted(void) { CU_ASSERT_EQUAL(status_of(notes_both), 0); }
static void the_second_ends_it_at_once(void) { CU_ASSERT_EQUAL(status_of(hears_twice), 85); }
static void without_it_the_first_kills(void) { CU_ASSERT_EQUAL(status_of(hears_without_us), 255); }
static void it_is_overdue_after_the_grace(void)
{
  CU_ASSERT_EQUAL(status_of(is_overdue_after_the_grace), 0);
}
static void a_file_too_large_does_not_kill(void)
{
  CU_ASSERT_EQUAL(status_of(outgrows_its_limit), 0);
}

SAL_TEST_MAIN("stop", NULL, {"the first signal is noted", the_first_signal_is_noted},
              {"the second ends it at once", the_second_ends_it_at_once},
              {"without it the first kills", without_it_the_first_kills},
              {"it is overdue after the grace", it_is_overdue_after_the_grace},
              {"a file too large does not kill", a_file_too_large_does_not_kill})
