/** Signals that ask a run to stop. */
#include "stop.h"
#include "base.h"
#include "clock.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

/* [s] Launchers hand the same signal on twice; one that comes so soon is not a second request. */
#define ECHO 1.0

#define LONGEST 1e8 /* [s] of a timer */

/* [s] that work in hand has to come to an end by itself.  mpirun lets a kill follow a TERM after 1 s. */
#define GRACE 2.0
#define GRACE_TERM 0.5

static volatile sig_atomic_t noted;
static volatile sig_atomic_t limited; /* is there a deadline? */
static double noted_at; /* before noted is set; handlers do not interrupt each other */
static atomic_int own;  /* the flag, unless another one is shared */
static atomic_int *_Atomic flag = &own;
static const sal_stop_lent *_Atomic lent; /* NULL: signals and the timer are ours */

static void handle(int signal, void (*handler)(int))
{
  struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};

  sigemptyset(&act.sa_mask);
  sigaddset(&act.sa_mask, SIGTERM);
  sigaddset(&act.sa_mask, SIGUSR1);
  sigaddset(&act.sa_mask, SIGALRM);
  sigaction(signal, &act, NULL);
}

static void raise_flag(int signal)
{
  (void)signal;
  atomic_store(atomic_load(&flag), 1);
}

/* The flag is raised by a timer of the process, since no thread of it may be free to see to it.  The
 * system calls may be made in a handler. */
static void raise_in(double seconds)
{
  seconds = seconds > 1e-6 ? seconds : 1e-6; /* 0 stops a timer */
  const struct itimerval once = {
      .it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))}};

  handle(SIGALRM, raise_flag);
  if (setitimer(ITIMER_REAL, &once, NULL)) atomic_store(atomic_load(&flag), 1);
}

static void note(int signal)
{
  const int before = errno;
  const double now = sal_clock_wall(); /* clock_gettime is allowed in a handler */

  if (noted && now - noted_at >= ECHO) _exit(sal_err_exit(SAL_ERR_STOPPED));
  if (!noted) {
    noted_at = now;
    noted = signal;
    raise_in(signal == SIGTERM ? GRACE_TERM : GRACE);
  }
  errno = before;
}

static void leave(int signal)
{
  static const char said[] = "saltus: stopped by a signal\n";

  (void)signal;
  if (write(STDERR_FILENO, said, sizeof said - 1) < 0) errno = 0;
  _exit(sal_err_exit(SAL_ERR_STOPPED));
}

void sal_stop_at_once(void)
{
  handle(SIGTERM, leave);
  handle(SIGUSR1, leave);
}

void sal_stop_catch(void)
{
  noted = 0;
  handle(SIGTERM, note);
  handle(SIGUSR1, note);
}

int sal_stop_signal(void)
{
  const sal_stop_lent *l = atomic_load(&lent);

  if (!l) return noted;
  return l->halt && atomic_load((const atomic_int *)l->halt) ? -1 : 0;
}

const atomic_int *sal_stop_halt(void) { return atomic_load(&flag); }

bool sal_stop_halted(void) { return atomic_load(atomic_load(&flag)) != 0; }

void sal_stop_soon(void)
{
  if (!noted) raise_in(GRACE);
}

/* Is it set by the caller's clock? */
static bool set_lent(double seconds)
{
  const sal_stop_lent *l = atomic_load(&lent);

  if (l && l->deadline) l->deadline(l->with, seconds);
  return l;
}

void sal_stop_deadline(double seconds)
{
  limited = 1;
  if (set_lent(seconds) || noted) return; /* the flag is raised sooner */
  if (seconds > 0)
    raise_in(fmin(seconds, LONGEST));
  else
    atomic_store(atomic_load(&flag), 1);
}

bool sal_stop_late(void) { return limited && !sal_stop_signal() && sal_stop_halted(); }

void sal_stop_deadline_end(void)
{
  const struct itimerval none = {{0, 0}, {0, 0}};

  limited = 0;
  if (set_lent(INFINITY) || noted) return;
  setitimer(ITIMER_REAL, &none, NULL);
  atomic_store(atomic_load(&flag), 0);
}

void sal_stop_share(atomic_int *shared)
{
  atomic_int *const before = atomic_exchange(&flag, shared ? shared : &own);

  if (atomic_load(before)) atomic_store(atomic_load(&flag), 1);
}

void sal_stop_lend(const sal_stop_lent *of)
{
  atomic_store(&lent, of);
  atomic_store(&flag, of ? of->flag : &own);
}

void sal_stop_ignore_size_limit(void)
{
  struct sigaction act = {.sa_handler = SIG_IGN};

  sigemptyset(&act.sa_mask);
  sigaction(SIGXFSZ, &act, NULL);
}
