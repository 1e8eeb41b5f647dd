/** Effects of a process on the outside world, seen by the kernel: while the witness is armed, files that are
 *  opened, made, renamed or removed, sockets, and new processes are counted and forbidden.
 */
#pragma once

#include <stdbool.h>

/** Makes the filter (seccomp), once and for good; false where the kernel has none. */
bool witness_begin(void);
/** From now on, by this thread alone. */
void witness_arm(void);
/** Until now; returns how many calls there were, and in *call the last one's number, -1: none. */
int witness_disarm(long *call);
