/** @file src/base/clock.h
 *  Two clocks: what a thread has computed, and what the user has waited.
 */
#ifndef SAL_CLOCK_H
#define SAL_CLOCK_H

/** CPU time of the calling thread [s]; does not advance while the thread sleeps or is preempted. */
double sal_clock_cpu(void);
/** Time since some fixed instant [s]; never goes back. */
double sal_clock_wall(void);

#endif
