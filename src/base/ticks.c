/** Ticks by ITIMER_REAL. */
#include "clock.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static void (*called)(void);

static void handle(int signal)
{
  const int before = errno;

  (void)signal;
  called();
  errno = before;
}

static struct timeval time_of(double seconds)
{
  const time_t whole = (time_t)seconds;

  return (struct timeval){whole, (suseconds_t)(1e6 * (seconds - (double)whole))};
}

void sal_ticks_begin(double first, double each, void (*tick)(void))
{
  struct sigaction act = {.sa_handler = handle, .sa_flags = SA_RESTART};
  const struct itimerval when = {.it_interval = time_of(each), .it_value = time_of(first)};

  called = tick;
  sigemptyset(&act.sa_mask);
  sigaction(SIGALRM, &act, NULL);
  setitimer(ITIMER_REAL, &when, NULL);
}
