/** @file src/driver/reference_fate.h
 *  What has become of the references of some cells, in words: those that failed, how and when, and what took their place.
 */
#ifndef SAL_REFERENCE_FATE_H
#define SAL_REFERENCE_FATE_H

#include "sweep.h"
#include "tile.h"

/** Counted by sal_reference_fate_add, from all zero. */
typedef struct {
  int64_t cells, failed; /* in all; in which the model's own solver of reference failed */
  int64_t without;       /* in which all others failed, too */
  int first;             /* of the first such cell: how it ended, */
  double reached;        /* when, */
  int instead;           /* and the number of the solver that took its place; -1: none */
} sal_reference_fate;

void sal_reference_fate_add(sal_reference_fate *fate, const sal_tile_result *result);

enum { SAL_FATE_TEXT = 400 };
/** "in 3 of 51 cells the reference by dop853 failed (stuck at t = 3.168); radau5 took its place"; "" where none failed. */
const char *sal_reference_fate_text(const sal_reference_fate *fate, const sal_sweep *sweep,
                                    char text[SAL_FATE_TEXT]);

#endif
