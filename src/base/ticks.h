/** @file src/base/ticks.h
 *  A function that is called at intervals by the handler of the process's timer, which stop.h uses for its own: a process has one of
 *  both.
 */
#ifndef SAL_TICKS_H
#define SAL_TICKS_H

/** After `first` seconds and then every `each`; tick may do what the handler of a signal may. */
void sal_ticks_begin(double first, double each, void (*tick)(void));

#endif
