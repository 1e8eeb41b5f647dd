/** The first signal is noted, its echo passed over, a later one ends the program. */
#include "clock.h"
#include "sal_test.h"
#include "stop.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a child that does it; 255: killed. */
static int status_of(int (*child)(void))
{
  int status;
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
  const double began = sal_clock_wall();

  raise(SIGTERM);
  while (sal_clock_wall() - began < 1.1) usleep(100000); /* the timer's signal cuts one short */
  raise(SIGTERM);
  return 0;
}

static int hears_without_us(void)
{
  raise(SIGTERM);
  return 0;
}

static int leaves_at_once(void)
{
  sal_stop_at_once();
  raise(SIGUSR1);
  return 0;
}

/* Sleeps are cut short by the timer's signal. */
static bool is_raised_within(double most)
{
  const double began = sal_clock_wall();

  while (!sal_stop_halted() && sal_clock_wall() - began < most) usleep(10000);
  return sal_stop_halted();
}

/* The flag is not raised with the signal but later, whatever this thread is at. */
static int halts_after_a_while(void)
{
  sal_stop_catch();
  if (sal_stop_halted()) return 1; /* nothing was noted */
  raise(SIGTERM);
  if (sal_stop_halted()) return 2;
  const atomic_int *halt = sal_stop_halt();
  if (!is_raised_within(60)) return 3;
  return atomic_load(halt) == 1 && sal_stop_signal() == SIGTERM ? 0 : 4;
}

static int halts_without_a_signal(void)
{
  sal_stop_soon();
  if (sal_stop_halted()) return 1;
  return is_raised_within(60) && !sal_stop_signal() ? 0 : 2;
}

/* It is distinguished from a signal, and lowered at its end; a signal meanwhile stays. */
static int keeps_a_deadline(void)
{
  sal_stop_catch();
  sal_stop_deadline(0.05);
  if (sal_stop_halted() || sal_stop_late()) return 1;
  if (!is_raised_within(60) || !sal_stop_late()) return 2;
  sal_stop_deadline_end();
  if (sal_stop_halted() || sal_stop_late()) return 3;
  sal_stop_deadline(0);
  if (!sal_stop_late()) return 4;
  sal_stop_deadline_end();
  sal_stop_deadline(1e-9); /* below what timers resolve */
  if (!is_raised_within(60)) return 8;
  sal_stop_deadline_end();
  sal_stop_deadline(0.2);
  sal_stop_deadline_end();
  if (is_raised_within(0.4)) return 5;
  raise(SIGTERM);
  sal_stop_deadline(60);
  if (!is_raised_within(30) || sal_stop_late()) return 6;
  sal_stop_deadline_end();
  return sal_stop_halted() ? 0 : 7;
}

/* A flag raised by another process is seen; one raised before is carried over, and comes back. */
static int shares_its_flag(void)
{
  atomic_int one = 0, two = 0;

  sal_stop_share(&one);
  if (sal_stop_halt() != &one || sal_stop_halted()) return 1;
  atomic_store(&one, 1);
  if (!sal_stop_halted()) return 2;
  sal_stop_share(&two);
  if (!sal_stop_halted() || !atomic_load(&two)) return 3;
  sal_stop_share(NULL);
  return sal_stop_halted() && sal_stop_halt() != &two ? 0 : 4;
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
static void at_the_start_the_first_ends_it(void) { CU_ASSERT_EQUAL(status_of(leaves_at_once), 85); }
static void work_is_halted_after_a_while(void)
{
  CU_ASSERT_EQUAL(status_of(halts_after_a_while), 0);
  CU_ASSERT_EQUAL(status_of(halts_without_a_signal), 0);
}
static void a_deadline_is_no_signal(void) { CU_ASSERT_EQUAL(status_of(keeps_a_deadline), 0); }
static void the_flag_may_be_shared(void) { CU_ASSERT_EQUAL(status_of(shares_its_flag), 0); }
static void a_file_too_large_does_not_kill(void)
{
  CU_ASSERT_EQUAL(status_of(outgrows_its_limit), 0);
}

SAL_TEST_MAIN("stop", NULL, {"the first signal is noted", the_first_signal_is_noted},
              {"the second ends it at once", the_second_ends_it_at_once},
              {"without it the first kills", without_it_the_first_kills},
              {"at the start the first ends it", at_the_start_the_first_ends_it},
              {"work is halted after a while", work_is_halted_after_a_while},
              {"a deadline is not a signal", a_deadline_is_no_signal},
              {"the flag may be shared", the_flag_may_be_shared},
              {"a file too large does not kill", a_file_too_large_does_not_kill})
