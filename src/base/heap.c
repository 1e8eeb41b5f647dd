/** A binary heap in an array: the children of element i are 2 i + 1 and 2 i + 2.
 *
 *  Elements move into a hole instead of being swapped, which halves the copies.
 */
#include "heap.h"
#include "base.h"

static char *element_at(const sal_heap *h, int64_t i) { return h->element + (size_t)i * h->size; }

static bool grow_heap(sal_heap *h)
{
  if (h->n < h->room) return true;
  const int64_t room = h->room ? 2 * h->room : 64;
  char *moved = sal_alloc((size_t)room, h->size);
  if (!moved) return false;
  if (h->n) memcpy(moved, h->element, (size_t)h->n * h->size);
  sal_free(h->element);
  h->element = moved;
  h->room = room;
  return true;
}

bool sal_heap_put(sal_heap *h, const void *element)
{
  if (!grow_heap(h)) return false;
  int64_t hole = h->n++;
  for (; hole > 0 && h->before(element, element_at(h, (hole - 1) / 2)); hole = (hole - 1) / 2)
    memcpy(element_at(h, hole), element_at(h, (hole - 1) / 2), h->size);
  memcpy(element_at(h, hole), element, h->size);
  return true;
}

bool sal_heap_take(sal_heap *h, void *element)
{
  if (h->n == 0) return false;
  memcpy(element, element_at(h, 0), h->size);
  const char *last = element_at(h, --h->n);
  int64_t hole = 0;
  for (int64_t child = 1; child < h->n; child = 2 * hole + 1) {
    if (child + 1 < h->n && h->before(element_at(h, child + 1), element_at(h, child))) ++child;
    if (!h->before(element_at(h, child), last)) break;
    memcpy(element_at(h, hole), element_at(h, child), h->size);
    hole = child;
  }
  if (hole < h->n) memcpy(element_at(h, hole), last, h->size);
  return true;
}

void sal_heap_free(sal_heap *h)
{
  sal_free(h->element);
  h->element = NULL;
  h->n = h->room = 0;
}
