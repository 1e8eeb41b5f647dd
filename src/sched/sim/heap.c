/** @file src/sched/sim/heap.c
 *  Sift up, sift down.
 */
#include "heap.h"
#include "memory.h"
#include <string.h>

static bool earlier(const sal_event_at *a, const sal_event_at *b)
{
  return a->time != b->time ? a->time < b->time : a->serial < b->serial;
}

static bool make_room(sal_heap *h)
{
  if (h->n < h->room) return true;
  const int64_t room  = h->room ? 2 * h->room : 64;
  sal_event_at *moved = sal_alloc((size_t)room, sizeof *moved);
  if (!moved) return false;
  if (h->n) memcpy(moved, h->event, (size_t)h->n * sizeof *moved);
  sal_free(h->event);
  h->event = moved;
  h->room  = room;
  return true;
}

bool sal_heap_put(sal_heap *h, sal_event_at event)
{
  if (!make_room(h)) return false;
  event.serial = h->put++;
  int64_t at   = h->n++;
  for (; at > 0 && earlier(&event, &h->event[(at - 1) / 2]); at = (at - 1) / 2)
    h->event[at] = h->event[(at - 1) / 2];
  h->event[at] = event;
  return true;
}

bool sal_heap_take(sal_heap *h, sal_event_at *event)
{
  if (h->n == 0) return false;
  *event                  = h->event[0];
  const sal_event_at last = h->event[--h->n];
  int64_t            at   = 0;
  for (int64_t child = 1; child < h->n; child = 2 * at + 1) {
    if (child + 1 < h->n && earlier(&h->event[child + 1], &h->event[child])) ++child;
    if (!earlier(&h->event[child], &last)) break;
    h->event[at] = h->event[child];
    at           = child;
  }
  if (h->n > 0) h->event[at] = last;
  return true;
}
