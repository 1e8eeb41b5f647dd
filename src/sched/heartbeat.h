/** @file src/sched/heartbeat.h
 *  Beats between the hosts of a program, from MPI's start to its end: a host that vanished without a
 *  word (power, cable) would leave the others waiting for ever.
 *
 *  A thread of its own on the first rank of each host exchanges beats with that of the first host,
 *  both ways, so that neither a long trajectory nor a collective call makes a host silent.
 *  A host is lost when nothing has come from it for as long as the patience is.  Only time in which
 *  this thread looked counts: a job that was suspended does not accuse the others when it wakes up.
 *  One watch in a process.  Takes MPI_THREAD_MULTIPLE; there is none without it, or on one host.
 */
#ifndef SAL_HEARTBEAT_H
#define SAL_HEARTBEAT_H

#include "err.h"
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { SAL_HEARTBEAT_TEXT = 512 };

/** Called once, by the thread that listens, and not to return where the program is to end: hosts
 *  that are lost, as in "h2, h3 and 5 more", and how long [s] the first of them has been silent. */
typedef void sal_heartbeat_lost(const char *hosts, double seconds);

/** Collective over comm, once.  patience [s]: INFINITY to listen and do nothing. */
SAL_MUST_CHECK sal_err sal_heartbeat_start(MPI_Comm comm, double patience,
                                           sal_heartbeat_lost *lost);
/** Collective over the comm of the start; nothing happens where nothing was started. */
void sal_heartbeat_stop(void);

/** From now on.  Ranks may change it at different times: a host counts as lost when it has been
 *  silent for the longer of this patience and the one that it sent last. */
void sal_heartbeat_set_patience(double seconds);

/** Hosts that two beats or more have not come from, as above; false when there are none, or on ranks
 *  that do not listen. */
bool sal_heartbeat_silent(char hosts[SAL_HEARTBEAT_TEXT], double *seconds);

#endif
