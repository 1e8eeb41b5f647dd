/** @file src/base/stop.h
 *  Signals that ask a run to stop: SIGTERM and SIGUSR1, as batch systems send them before the end.
 */
#ifndef SAL_STOP_H
#define SAL_STOP_H

#include <stdbool.h>

/** From now on the first such signal is only noted, and one that comes a second or more later
 *  ends the program at once, with the exit status of SAL_ERR_STOPPED. */
void sal_stop_catch(void);

/** The signal that was noted; 0: none yet. */
int sal_stop_signal(void);

/** Was it noted `grace` seconds ago or longer?  Any thread may ask. */
bool sal_stop_overdue(double grace);

/** From now on a file that reaches the limit of its size (ulimit -f) fails to be written, with a
 *  message, instead of ending the program. */
void sal_stop_ignore_size_limit(void);

#endif
