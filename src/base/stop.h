/** @file src/base/stop.h
 *  Signals that ask a run to stop: SIGTERM and SIGUSR1, as batch systems send them before the end.
 */
#ifndef SAL_STOP_H
#define SAL_STOP_H

/** From now on the first such signal is only noted, and one that comes a second or more later
 *  ends the program at once, with the exit status of SAL_ERR_STOPPED.  A file that may
 *  not grow any more fails to be written instead of ending the program. */
void sal_stop_catch(void);

/** The signal that was noted; 0: none yet. */
int sal_stop_signal(void);

#endif
