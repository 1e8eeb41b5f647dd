/** Clocks: the time that a thread has computed and that the user has waited; regular ticks. */
#pragma once

/** CPU time of the calling thread [s]; does not advance while the thread sleeps or is preempted. */
double sal_clock_cpu(void);
/** Time since some fixed instant [s]; never goes back. */
double sal_clock_wall(void);

/* A function that is called at intervals by the handler of the process's timer, which stop.h uses for its own: a process has one of
 * both. */

/** After `first` seconds and then every `each`; tick may do what the handler of a signal may. */
void sal_ticks_begin(double first, double each, void (*tick)(void));
