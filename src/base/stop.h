/** Signals that ask a run to stop: SIGTERM and SIGUSR1, as batch systems send them before the end.
 *
 *  Two things follow from the first one: it is noted, so that nothing more is begun, and a little
 *  later a flag is raised that whatever computes looks at, be it in the middle of a trajectory.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

/** For the very start of a program: from now on such a signal ends it at once, with a line on stderr
 *  and the exit status of SAL_ERR_STOPPED. */
void sal_stop_at_once(void);

/** From now on the first such signal is only noted, and one that comes a second or more later
 *  ends the program at once, with the exit status of SAL_ERR_STOPPED. */
void sal_stop_catch(void);

/** The signal that was noted; 0: none yet; -1: the caller's flag is raised (sal_stop_lend). */
int sal_stop_signal(void);

/** The flag, never NULL: 0 until work in hand is to be left as it is, what it has come to be of no
 *  use.  It is raised some time after a noted signal, 2 s after a SIGUSR1 and half a second after a
 *  SIGTERM, which launchers let a kill follow soon.  Any thread may look; it is not lowered again but by
 *  sal_stop_deadline_end. */
const atomic_int *sal_stop_halt(void);

/** Is the flag raised? */
bool sal_stop_halted(void);

/** Without a signal to this process: raises the flag in 2 s, unless it is to be raised sooner. */
void sal_stop_soon(void);

/** The flag is raised in that many seconds, too, at once where that is 0 or less: work that has a limit of time ends as after
 *  a signal.  A later call sets another limit. */
void sal_stop_deadline(double seconds);

/** Has that raised the flag, and not a signal? */
bool sal_stop_late(void);

/** Removes the deadline and lowers the flag that it raised: no thread may still compute. */
void sal_stop_deadline_end(void);

/** From now on the flag is *flag, which other processes may share, raised if the one before was;
 *  NULL: one of this process alone.  The caller keeps it until then. */
void sal_stop_share(atomic_int *flag);

/** A caller's flag and clock, in place of the signals and the timer of the process, which are the caller's there. */
typedef struct {
  atomic_int *flag; /* of runs */
  const int *halt;  /* the caller's own, which counts as a signal; NULL: none */
  void (*deadline)(void *with,
                   double seconds); /* sets it, and lowers the flag; NULL: no limit is set */
  void *with;
} sal_stop_lent;

/** From now on the flag is *of->flag, whatever was raised before, and that stays the caller's, as *of does; NULL: that of this
 *  process. */
void sal_stop_lend(const sal_stop_lent *of);

/** From now on a file that reaches the limit of its size (ulimit -f) fails to be written, with a
 *  message, instead of ending the program. */
void sal_stop_ignore_size_limit(void);
