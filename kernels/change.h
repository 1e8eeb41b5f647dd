/** @file kernels/change.h
 *  Contacts change sides in a running batch (lane half).
 */
#ifndef SAL_CHANGE_H
#define SAL_CHANGE_H

#include "batch.h"

/** The contacts that b->x names change sides in the lanes of `hit`, whose t and y are already those
 * of the event; in those of `idle` no time has passed since the last one.  Counts them, logs them
 * with the state behind the event, and keeps a contact closed that closes infinitely often in a
 * finite time. */
void SAL_FN(sal_change_mode)(sal_batch *b, sal_m hit, sal_m idle);
#define sal_change_mode SAL_FN(sal_change_mode)

#endif
