/** @file src/orbit/clearance.h
 *  By how much an orbit misses the surfaces that it does not meet.  The derivative of a return map
 *  knows nothing of them: a push that moves a gap by more than that meets the surface, and what
 *  multipliers say ends there.
 */
#ifndef SAL_CLEARANCE_H
#define SAL_CLEARANCE_H

#include "cycle_record.h"

/** The least value of the gap of an open contact where it turns back without having closed. */
typedef struct {
  double gap, at; /* its value; NaN and no meaning without a contact; the time in the period */
  double range;   /* largest |gap| of that contact on the mesh while it is open */
  int contact;    /* -1: no gap has a least value between its events */
} sal_clearance;

/** Of an orbit whose point and period are the cell's; log: of its run, with modes.  Gaps are looked at on a mesh of
 *  512 points for each return and between them: a contact that comes near and turns back within a part of
 *  that mesh is not seen.  Fails only for want of memory. */
SAL_MUST_CHECK sal_err sal_clearance_find(const sal_return_map *map, const sal_cycle *cell,
                                          const sal_events *log, sal_clearance *out);

#endif
