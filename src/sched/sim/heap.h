/** @file src/sched/sim/heap.h
 *  A binary heap: the earliest event first, of those at the same time the one that was put first.
 */
#ifndef SAL_HEAP_H
#define SAL_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/** What happens at a time; all but the first two members belong to the caller. */
typedef struct {
  double  time;
  int64_t serial; /* set by sal_heap_put */
  int64_t first, n;
  int     kind, who;
  bool    wants;
} sal_event_at;

/** All zero is an empty heap; sal_free of `event` frees it. */
typedef struct {
  int64_t       n, room, put;
  sal_event_at *event;
} sal_heap;

/** false: no memory, and nothing was put. */
bool sal_heap_put(sal_heap *heap, sal_event_at event);
/** The earliest event; false when there is none. */
bool sal_heap_take(sal_heap *heap, sal_event_at *event);

#endif
