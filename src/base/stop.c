/** @file src/base/stop.c
 *  Signals that ask a run to stop.
 */
#include "stop.h"
#include "clock.h"
#include "err.h"
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* [s] Launchers hand the same signal on twice; one that comes so soon is not a second request. */
#define ECHO 1.0

static volatile sig_atomic_t noted;
static double noted_at; /* before noted is set; handlers do not interrupt each other */

static void note(int signal)
{
  const int    before = errno;
  const double now    = sal_clock_wall(); /* clock_gettime is allowed in a handler */

  if (noted && now - noted_at >= ECHO) _exit(sal_err_exit(SAL_ERR_STOPPED));
  if (!noted) noted_at = now;
  if (!noted) noted = signal;
  errno = before;
}

void sal_stop_catch(void)
{
  struct sigaction act = {.sa_handler = note, .sa_flags = SA_RESTART};

  noted = 0;
  sigemptyset(&act.sa_mask);
  sigaddset(&act.sa_mask, SIGTERM);
  sigaddset(&act.sa_mask, SIGUSR1);
  sigaction(SIGTERM, &act, NULL);
  sigaction(SIGUSR1, &act, NULL);
}

int sal_stop_signal(void) { return noted; }

bool sal_stop_overdue(double grace) { return noted && sal_clock_wall() - noted_at >= grace; }

void sal_stop_ignore_size_limit(void)
{
  struct sigaction act = {.sa_handler = SIG_IGN};

  sigemptyset(&act.sa_mask);
  sigaction(SIGXFSZ, &act, NULL);
}
