/** Arrays that grow. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Room for `more` > 0 items of `size` bytes after the n there are: the array itself where *room
 *  suffices, else another one from sal_alloc with the n items and zeroes after them, twice as long
 *  at least.  array: NULL for none yet, or from here.  Returns NULL when memory ran out; array and
 *  *room are then as they were.
 *
 *      entry *list = sal_array_grow(l->entry, l->n, 1, &l->room, sizeof *list);
 *      if (!list) return false;
 *      l->entry       = list;
 *      list[l->n++]   = new_entry; */
void *sal_array_grow(void *array, int64_t n, int64_t more, int64_t *room, size_t size);
