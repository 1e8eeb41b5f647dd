/** Twice the room each time, so that n items are copied O(n) times in all. */
#include "array.h"
#include "memory.h"
#include <string.h>

enum { FIRST_ROOM = 16 };

void *sal_array_grow(void *array, int64_t n, int64_t more, int64_t *room, size_t size)
{
  if (more > INT64_MAX / 4 - n) return NULL;
  if (n + more <= *room) return array;
  const int64_t least = n + more > FIRST_ROOM ? n + more : FIRST_ROOM;
  const int64_t wanted = least > 2 * *room ? least : 2 * *room;
  void *moved = sal_alloc((size_t)wanted, size);
  if (!moved) return NULL;
  if (n > 0) memcpy(moved, array, (size_t)n * size);
  sal_free(array);
  *room = wanted;
  return moved;
}
